import { type ChildProcess, spawn } from "node:child_process"
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs"
import { delimiter, dirname, join } from "node:path"
import type { Agent } from "./agents.ts"
import { peakMemory } from "./memory.ts"
import type { ModelProcess } from "./model.ts"
import type { Work } from "./work.ts"

/** The result of one run. Times in milliseconds, memory in bytes. */
export interface Run {
  readonly wall: number
  /** From just before the spawn to the head of the first request. */
  readonly firstRequest: number
  /** From the last byte of each reply to the head of the next request. */
  readonly gaps: readonly number[]
  /** User and system time of the whole tree; only with `cpu`. */
  readonly cpu: number
  /** Peak of the tree's proportional set size; only with `memory`. */
  readonly pss: number
  /** Bytes of the first and the last request. */
  readonly bytes: readonly [first: number, last: number]
}

export interface RunOptions {
  readonly agent: Agent
  readonly work: Work
  /** The Node that runs it. */
  readonly node: string
  /** Folder of this agent; its `home` is used unchanged, its `repo` is created anew unless `goOn`. */
  readonly folder: string
  readonly goOn?: boolean
  readonly cpu?: boolean
  /** Milliseconds between two memory samples. */
  readonly memory?: number
  /** The timeout in milliseconds; default 300,000. */
  readonly limitMs?: number
}

const defaultLimitMs = 300_000

/** Runs an agent once. Throws when it fails or does not do its work: its measurement would mean nothing. */
export async function runOnce(model: ModelProcess, options: RunOptions): Promise<Run> {
  const { agent, work, folder } = options
  const repo = join(folder, "repo")
  if (options.goOn !== true || !existsSync(repo)) fillRepo(repo, work)
  await model.begin(work.turns)
  const times = join(folder, "times")
  const node = [options.node, ...agent.command(model.url, work.prompt, options.goOn === true)]
  const command = options.cpu === true ? [...timed(times), ...node] : node
  const began = monotonic()
  const child = spawn(command[0] ?? "", command.slice(1), {
    cwd: repo,
    env: environment(options, model.url),
    stdio: ["ignore", "ignore", "pipe"],
  })
  const memory = options.memory === undefined ? null : peakMemory(child.pid ?? 0, options.memory)
  const printed = await ended(child, options.limitMs ?? defaultLimitMs)
  const wall = monotonic() - began
  const pss = memory?.stop() ?? 0
  const log = await model.log()
  const wrong =
    printed ??
    (log.left > 0 ? `${log.left} turns were not asked for` : null) ??
    log.problems[0] ??
    work.wrong?.(repo) ??
    null
  if (wrong !== null) throw new Error(`${agent.name}, "${work.prompt}": ${wrong}`)
  const { requests } = log
  const gaps = requests.slice(1).map((request, index) => request.at - (requests[index]?.endedAt ?? Number.NaN))
  return {
    wall,
    firstRequest: (requests[0]?.at ?? Number.NaN) - began,
    gaps,
    cpu: options.cpu === true ? cpuOf(times) : 0,
    pss,
    bytes: [requests[0]?.bytes ?? 0, requests.at(-1)?.bytes ?? 0],
  }
}

/** Saves the state of an agent: a session belongs to its folder, so every run needs the same folder. */
export function putAside(folder: string): string {
  const aside = `${folder} aside`
  rmSync(aside, { recursive: true, force: true })
  cpSync(folder, aside, { recursive: true })
  return aside
}

/** Home and repository as saved, or empty except for Gong's compile cache and the temp folder with the floor's. */
export function restore(folder: string, aside: string | null): void {
  const cache = join(folder, "home", compileCache)
  const away = join(folder, "compile cache")
  if (existsSync(cache)) renameSync(cache, away)
  for (const part of ["home", "repo"]) {
    if (aside === null) rmSync(join(folder, part), { recursive: true, force: true })
    else mirror(join(aside, part), join(folder, part))
  }
  if (!existsSync(away)) return
  rmSync(cache, { recursive: true, force: true })
  mkdirSync(dirname(cache), { recursive: true, mode: 0o700 })
  renameSync(away, cache)
}

const compileCache = ".gong/cache/code"

/** Makes a folder equal to another one, and does not touch equal files: see `fillRepo`. */
function mirror(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  const wanted = readdirSync(from, { withFileTypes: true })
  const names = new Set(wanted.map(({ name }) => name))
  for (const name of readdirSync(to)) if (!names.has(name)) rmSync(join(to, name), { recursive: true })
  for (const entry of wanted) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) mirror(source, target)
    else if (!isSame(source, target)) copyFileSync(source, target)
  }
}

function isSame(a: string, b: string): boolean {
  return existsSync(b) && statSync(a).size === statSync(b).size && readFileSync(a).equals(readFileSync(b))
}

/** The work for which each repository was filled last. */
const filled = new Map<string, string>()

/**
 * The saved files, overwritten in place: for a minute and more ext4 checks every deleted inode before its
 * reuse, so deleting files would make later file creations by an agent up to 0.9 ms slower each.
 */
function fillRepo(repo: string, work: Work): void {
  if (filled.get(repo) !== work.prompt) rmSync(repo, { recursive: true, force: true })
  filled.set(repo, work.prompt)
  mkdirSync(join(repo, ".git"), { recursive: true })
  work.files(repo)
}

/** A new environment: variables of the caller's shell must not affect the measurement. */
function environment({ agent, folder, node }: RunOptions, url: string): Record<string, string> {
  const home = join(folder, "home")
  const tmp = join(folder, "tmp")
  for (const path of [home, tmp]) mkdirSync(path, { recursive: true })
  // A machine on which Gong has run before: it makes no home for the sake of its compile cache.
  mkdirSync(join(home, ".gong"), { recursive: true, mode: 0o700 })
  const path = [dirname(node), "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter)
  return { PATH: path, HOME: home, TMPDIR: tmp, LANG: "C.UTF-8", NO_COLOR: "1", ...agent.environment(url, home) }
}

/** bash tells the processor time of a command and all it waited for; Node can only tell its own. */
function timed(file: string): string[] {
  return ["/bin/bash", "--norc", "-c", 'TIMEFORMAT="%3U %3S"; { time "$@" 2>&3; } 3>&2 2>"$0"', file]
}

function cpuOf(file: string): number {
  const [user = Number.NaN, system = Number.NaN] = readFileSync(file, "utf8").trim().split(/\s+/).map(Number)
  return (user + system) * 1000
}

/** Null when the child succeeded, else its last output. */
function ended(child: ChildProcess, limitMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    let printed = ""
    const timer = setTimeout(() => child.kill("SIGKILL"), limitMs)
    child.stderr?.on("data", (data: Buffer) => {
      printed = (printed + data.toString()).slice(-500)
    })
    child.on("error", (error) => resolve(String(error)))
    child.on("close", (code) => {
      clearTimeout(timer)
      resolve(code === 0 ? null : `exit ${code}: ${printed}`)
    })
  })
}

/** The same clock in all processes of this machine. */
export function monotonic(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
