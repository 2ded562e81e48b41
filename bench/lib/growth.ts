import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { Turn } from "../../testing/src/model-server.ts"
import { type Agent, gong } from "./agents.ts"
import { type Bench, type Figure, median } from "./lines.ts"
import { restore, runOnce } from "./run.ts"
import type { Work } from "./work.ts"

/** Turns on either side of the measured one: enough to average out garbage collections. */
const around = 500
/** A timeout in milliseconds for thousands of turns on a busy machine. */
const limitMs = 1_500_000

/** One turn, measured in the program: from the last bytes of the reply to the next request. */
interface Note {
  /** Microseconds of all its threads; of commands that it starts, only the starting. */
  readonly cpu: number
  /** Wall time in microseconds, including the tool. */
  readonly wall: number
  /** Bytes of memory as it ended. */
  readonly memory: number
}

/**
 * What a turn costs at the end of a long conversation beside one near its beginning, where nothing is compacted: of one long
 * run, and of many short ones.
 */
export async function growth(bench: Bench): Promise<readonly Figure[]> {
  const [early, late] = bench.smoke ? [200, 600] : [1000, 9000]
  const few = bench.smoke ? 100 : around
  const place = { file: join(bench.folder, "growth.json"), folder: join(bench.folder, "growth") }
  const compared = (kind: string, notes: readonly Note[]): Figure => {
    const cpu = (turn: number) => mean(notes.slice(turn - few, turn + few).map((note) => note.cpu)) / 1000
    const line = `own CPU of ${kind} ${late} against ${kind} ${early}`
    const ratio = { floor: ms(cpu(early)), judged: cpu(late) / cpu(early), limit: 1.3, complexity: true }
    return { ...figure(line, "<= 1.3 x", ms(cpu(late))), ...ratio }
  }
  const turns = await notesOf(place, () => oneRun(bench, place, manyTurns(late + few)))
  const prompts = await notesOf(place, () => manyRuns(bench, place, late + few))
  const memory = (turn: number) => mean(turns.slice(turn - few, turn + few).map((note) => note.memory)) / 1e6
  const grown = (memory(late) - memory(early)) / ((late - early) / 1000)
  const own = median(turns.map(({ wall }) => wall)) / 1000
  return [
    { ...figure("own time per tool turn, tool included", "<= 3 ms", `${own.toFixed(2)} ms`), judged: own, limit: 3 },
    compared("turn", turns),
    compared("prompt", prompts),
    { ...figure("memory for 1,000 turns more", "<= 20 MB", `${grown.toFixed(1)} MB`), judged: grown, limit: 20 },
  ]
}

function figure(line: string, budget: string, own: string) {
  return { line, budget, floor: "", gong: own }
}

interface Place {
  readonly folder: string
  /** The file for the measurements. */
  readonly file: string
}

async function notesOf({ folder, file }: Place, work: () => Promise<unknown>): Promise<readonly Note[]> {
  restore(folder, null)
  rmSync(file, { force: true })
  await work()
  const rows = JSON.parse(readFileSync(file, "utf8")) as [number, number, number][]
  return rows.map(([cpu, wall, memory]) => ({ cpu, wall, memory }))
}

const probe = ["--require", join(import.meta.dirname, "growth-probe.cjs")]
const uncompacted = ["--set", "compaction.auto=false"]

function oneRun({ model, node }: Bench, { folder, file }: Place, work: Work): Promise<unknown> {
  const agent: Agent = {
    ...gong,
    command: (url, prompt, goOn) => {
      const own = gong.command(url, prompt, goOn).map((word) => (word === "5000" ? "100000" : word))
      return [...probe, ...own, ...uncompacted]
    },
    environment: (url, home) => ({ ...gong.environment(url, home), GROWTH_FILE: file }),
  }
  return runOnce(model, { agent, work, folder, node, limitMs })
}

/** Sends this many prompts, each answered with one word, to one process. */
async function manyRuns({ model, node }: Bench, { folder, file }: Place, prompts: number): Promise<void> {
  const home = join(folder, "home")
  for (const path of [home, join(folder, "repo/.git"), join(folder, "tmp")]) mkdirSync(path, { recursive: true })
  await model.begin(Array.from({ length: prompts }, () => ({ text: "Well.", usage: false })))
  const [script = ""] = gong.command(model.url, "", false)
  const asked = ["--base-url", `${model.url}/v1`, "--api", "openai-completions", "--api-key", "mock", "-m", "mock"]
  const own = { ...gong.environment(model.url, home), GROWTH_FILE: file }
  const env = { PATH: "/usr/bin:/bin", HOME: home, TMPDIR: join(folder, "tmp"), ...own }
  const args = [...probe, script, "rpc", "--yolo", ...asked, ...uncompacted]
  const child = spawn(node, args, { cwd: join(folder, "repo"), env, stdio: ["pipe", "pipe", "inherit"] })
  const ended = once(child, "exit")
  const timer = setTimeout(() => child.kill("SIGKILL"), limitMs)
  let left = prompts
  const next = (): void => {
    if (left-- > 0) child.stdin.write('{"type":"prompt","text":"go on"}\n')
    else child.stdin.end()
  }
  for await (const line of createInterface({ input: child.stdout })) {
    if (/^\{"type":"(?:session|result)"/.test(line)) next()
  }
  const [code] = (await ended) as [number | null]
  clearTimeout(timer)
  if (code !== 0 || left !== -1) throw new Error(`gong rpc ended with ${code}, and ${left} prompts were not sent`)
}

const files = 100

/**
 * Reads, commands and edits in turn, each on the next of a hundred files. The model counts no tokens, which is the harder
 * case: how long the conversation is must be estimated.
 */
function manyTurns(turns: number): Work {
  return {
    prompt: "go on and on",
    turns: [
      ...Array.from({ length: turns }, (_, index): Turn => ({ ...turnOf(index), usage: false })),
      { text: "All done." },
    ],
    files(repo) {
      for (let file = 0; file < files; file++) writeFileSync(join(repo, nameOf(file)), text(file, 0))
    },
    wrong(repo) {
      const edits = Math.floor(turns / 3)
      const different = Array.from({ length: files }, (_, file) => file).filter((file) => {
        const times = Math.floor(edits / files) + (file < edits % files ? 1 : 0)
        return readFileSync(join(repo, nameOf(file)), "utf8") !== text(file, times)
      })
      return different.length === 0 ? null : `files ${different.join(", ")} are not what was asked`
    },
  }
}

function turnOf(index: number): Turn {
  const round = Math.floor(index / 3)
  const file = round % files
  const path = nameOf(file)
  if (index % 3 === 0) return { text: `Reading ${path}.`, calls: [{ name: "read", args: { path } }] }
  if (index % 3 === 1) return { text: "Running it.", calls: [{ name: "bash", args: { command: "true" } }] }
  const times = Math.floor(round / files)
  const edits = [{ oldText: `edited ${times} times`, newText: `edited ${times + 1} times` }]
  return { text: `Editing ${path}.`, calls: [{ name: "edit", args: { path, edits } }] }
}

function nameOf(file: number): string {
  return `file${file}.txt`
}

function text(file: number, times: number): string {
  return `This is file ${file}.\nIt was edited ${times} times.\nThere is no more.\n`
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

const ms = (value: number) => `${value.toFixed(2)} ms`
