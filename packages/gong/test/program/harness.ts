import assert from "node:assert/strict"
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import type { TestContext } from "node:test"
import { fileURLToPath } from "node:url"
import type { Api, Entry, Event, ResultEvent } from "@gong/spec"
import { type ModelServer, type ModelServerOptions, startModelServer } from "@gong/testing/model-server"

export const launcher = fileURLToPath(new URL("../../bin/gong.js", import.meta.url))

/** Node's compile cache of the sources, kept between the runs of one test file: each run after the first takes a third of the time. */
const compiled = mkdtempSync(join(tmpdir(), "gong-compiled-"))
process.on("exit", () => rmSync(compiled, { recursive: true, force: true }))
// The parent folder of a cache must be private too, otherwise the program starts again without it.
const cache = join(compiled, "cache")
mkdirSync(cache, { mode: 0o700 })

/** The key of every run: it must never appear anywhere. */
export const canary = "sk-canary-0123456789abcdef"

/** An event as a line of `--output events`: numbered and dated. */
export type Line = Event & { readonly seq: number; readonly time: string }

export interface Run {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

export interface RunOptions {
  /** Default: nothing, as from /dev/null. */
  readonly stdin?: string | Uint8Array
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  /** Default: the Node of this process. */
  readonly node?: string
  /** Runs without the rights of root. */
  readonly uid?: number
  /** The leader of its own process group, like a child of a shell or timeout(1). */
  readonly group?: true
  /** A program that runs it, with its arguments. */
  readonly under?: readonly string[]
  /** Typed at a terminal made by script(1), at the first prompt; then the conversation is ended. */
  readonly typed?: string
}

/** A run that is still going on. */
export interface Live {
  readonly child: ChildProcess
  /** The first event of this type, past or future; rejects if the program ends without it. */
  event<T extends Event["type"]>(type: T): Promise<Extract<Line, { type: T }>>
  readonly ended: Promise<Run>
}

/** Everything that one test needs, apart from all other tests: folders, a repository, a model. */
export interface Stage {
  readonly root: string
  readonly home: string
  readonly gongHome: string
  readonly temp: string
  readonly repo: string
  readonly server: ModelServer
  readonly env: Readonly<Record<string, string>>
  /** Files of the repository, or of any place when the path is absolute. */
  write(files: Readonly<Record<string, string | Uint8Array>>): void
  read(path: string): string
  gong(args: readonly string[], options?: RunOptions): Promise<Run>
  start(args: readonly string[], options?: RunOptions): Live
  sessions(): readonly string[]
  /** The entries of one stored session; default: the only one. */
  entries(id?: string): readonly Entry[]
}

/** Made anew for a test and removed after it; a request that the real API would refuse fails the test. */
export async function openStage(t: TestContext, options: ModelServerOptions & { api?: Api } = {}): Promise<Stage> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "gong-program-")))
  // A server that streams its reasoning under this name also accepts it back.
  const server = await startModelServer({ extensions: { message: ["reasoning_content"] }, ...options })
  const children: ChildProcess[] = []
  t.after(async () => {
    // A test that failed in the middle leaves no running process.
    for (const child of children) child.kill("SIGKILL")
    await server.close()
    rmSync(root, { recursive: true, force: true })
    assert.deepEqual(server.problems, [], "the model got only valid requests")
  })
  const place = placeIn(root)
  const api = options.api ?? "openai-completions"
  const env = environment(place, server.url, api)
  const start = (args: readonly string[], given: RunOptions = {}): Live => {
    const live = startGong(place.repo, env, args, given)
    children.push(live.child)
    return live
  }
  return {
    root,
    ...place,
    server,
    env,
    start,
    gong: (args, given) => start(args, given).ended,
    write: (files) => writeFiles(place.repo, files),
    read: (path) => readFileSync(join(place.repo, path), "utf8"),
    sessions: () => sessionsIn(place.gongHome),
    entries: (id) => entriesOf(place.gongHome, id),
  }
}

function placeIn(root: string) {
  const place = {
    home: join(root, "home"),
    gongHome: join(root, "gong"),
    temp: join(root, "tmp"),
    repo: join(root, "repo"),
  }
  for (const folder of [place.home, place.temp, place.repo]) mkdirSync(folder)
  git(place.repo, "init", "--quiet")
  return place
}

export function git(cwd: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"]
  return execFileSync("git", [...identity, ...args], { cwd, encoding: "utf8" })
}

const basePaths: Readonly<Record<Api, string>> = {
  "openai-completions": "/v1",
  "openai-responses": "/v1",
  "anthropic-messages": "",
  "google-generative-ai": "/v1beta",
}

function environment(place: ReturnType<typeof placeIn>, url: string, api: Api): Record<string, string> {
  return {
    PATH: [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter),
    HOME: place.home,
    TMPDIR: place.temp,
    GONG_HOME: place.gongHome,
    GONG_API: api,
    GONG_BASE_URL: url + basePaths[api],
    GONG_MODEL: "mock",
    GONG_API_KEY: canary,
    // The same on machines with a sandbox and without; its own tests turn it on.
    GONG_SANDBOX: "off",
    LANG: "C.UTF-8",
    NODE_COMPILE_CACHE: cache,
    // The bundle instead of the sources, on request.
    ...(process.env["GONG_DIST"] === undefined ? {} : { GONG_DIST: process.env["GONG_DIST"] }),
  }
}

function startGong(
  repo: string,
  base: Readonly<Record<string, string>>,
  args: readonly string[],
  given: RunOptions,
): Live {
  const [program = "", ...rest] = commandOf(args, given)
  const child = spawn(program, rest, {
    cwd: given.cwd ?? repo,
    // A conversation is line by line.
    env: definedOnly({ ...base, ...(given.typed !== undefined && { TERM: "dumb" }), ...given.env }),
    stdio: [given.stdin === undefined && given.typed === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    detached: given.group === true,
    ...(given.uid === undefined ? {} : { uid: given.uid, gid: given.uid }),
  })
  child.stdin?.on("error", () => undefined)
  if (given.typed === undefined) child.stdin?.end(given.stdin)
  else converse(child, given.typed)
  const lines = eventLines(child)
  return { child, event: lines.event, ended: endOf(child, lines.ended) }
}

/** Types one line at the first prompt and Ctrl+D at each that follows. */
function converse(child: ChildProcess, line: string): void {
  let keys = line
  let seen = ""
  child.stdout?.on("data", (piece: string) => {
    seen = (seen + piece).slice(-16)
    // The sequence after the prompt moves the cursor to its third column.
    if (!seen.endsWith("> ") && !seen.endsWith("> \u001B[3G")) return
    child.stdin?.write(keys)
    keys = "\u0004"
  })
}

function commandOf(args: readonly string[], given: RunOptions): readonly string[] {
  const words = [...(given.under ?? []), given.node ?? process.execPath, launcher, ...args]
  if (given.typed === undefined) return words
  const quoted = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
  return ["script", "-qefc", `exec ${quoted.join(" ")}`, "/dev/null"]
}

function definedOnly(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined))
}

async function endOf(child: ChildProcess, tell: (why: string) => void): Promise<Run> {
  const texts = [child.stdout, child.stderr].map(async (stream) => {
    let text = ""
    stream?.setEncoding("utf8")
    stream?.on("data", (piece: string) => (text += piece))
    await new Promise((resolve) => stream?.once("close", resolve))
    return text
  })
  const exit = new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once("error", reject)
    child.once("exit", (status, signal) => resolve([status, signal]))
  })
  const [[status, signal], out = "", err = ""] = await Promise.all([exit, ...texts])
  tell(`ended with ${status ?? signal}: ${err}`)
  return { status, signal, out, err }
}

/** Reads the events as they arrive; only awaited ones are parsed. */
function eventLines(child: ChildProcess) {
  const seen: string[] = []
  const waiting = new Set<{ start: string; resolve(line: string): void; reject(error: Error): void }>()
  let rest = ""
  child.stdout?.on("data", (piece: string) => {
    const lines = (rest + piece).split("\n")
    rest = lines.pop() ?? ""
    seen.push(...lines)
    for (const one of waiting) {
      const found = lines.find((line) => line.startsWith(one.start))
      if (found === undefined) continue
      waiting.delete(one)
      one.resolve(found)
    }
  })
  return {
    async event<T extends Event["type"]>(type: T): Promise<Extract<Line, { type: T }>> {
      const start = `{"type":"${type}"`
      const line =
        seen.find((one) => one.startsWith(start)) ??
        (await new Promise<string>((resolve, reject) => waiting.add({ start, resolve, reject })))
      return JSON.parse(line) as Extract<Line, { type: T }>
    },
    ended(why: string) {
      for (const one of waiting) one.reject(new Error(`no ${one.start}: the program ${why}`))
    },
  }
}

/** Every line of stdout as an event. */
export function eventsOf(run: Run): readonly Line[] {
  assert.ok(run.out.endsWith("\n"), `stdout ends with a line: ${JSON.stringify(run.out.slice(-80))}; ${run.err}`)
  return run.out
    .slice(0, -1)
    .split("\n")
    .map((line) => JSON.parse(line) as Line)
}

export function ofType<T extends Event["type"]>(
  lines: readonly Line[],
  type: T,
): readonly Extract<Line, { type: T }>[] {
  return lines.filter((line): line is Extract<Line, { type: T }> => line.type === type)
}

/** The last line, which must be the result. */
export function resultOf(run: Run): ResultEvent {
  const last = eventsOf(run).at(-1)
  assert.ok(last?.type === "result", `the last line is the result: ${run.out}${run.err}`)
  return last
}

function writeFiles(repo: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = path.startsWith("/") ? path : join(repo, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

function sessionsIn(gongHome: string): readonly string[] {
  try {
    return readdirSync(join(gongHome, "sessions")).filter((name) => !name.startsWith("."))
  } catch {
    return []
  }
}

function entriesOf(gongHome: string, id: string | undefined): readonly Entry[] {
  const names = sessionsIn(gongHome).filter((name) => id === undefined || name === id)
  assert.equal(names.length, 1, `one session: ${names.join(", ")}`)
  const folder = join(gongHome, "sessions", names[0] ?? "", "anchors")
  const phases = readdirSync(folder).filter((name) => /^\d+_/.test(name))
  const lines = phases
    .toSorted()
    .flatMap((name) => readFileSync(join(folder, name, "entries.jsonl"), "utf8").split("\n"))
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Entry)
}

/** A models.json that directs every lookup to a closed port on this machine. */
export const noServers = JSON.stringify({
  providers: Object.fromEntries(
    ["llamacpp", "lmstudio", "ollama", "vllm"].map((id) => [id, { baseUrl: "http://127.0.0.1:1/v1" }]),
  ),
})
