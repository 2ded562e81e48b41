import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Turn } from "../../testing/src/model-server.ts"
import { gong } from "./agents.ts"
import { type Bench, type Figure, median } from "./lines.ts"
import { restore, runOnce } from "./run.ts"
import type { Work } from "./work.ts"

/** Turns on either side of the one that is judged: enough that collections of garbage are shared out evenly. */
const around = 500
/** Milliseconds: thousands of turns take their time on a busy machine. */
const limitMs = 1_500_000

/** One turn, as the program itself counted it: from the last bytes of the reply to the next request. */
interface Note {
  /** Microseconds of all its threads; of commands that it starts, only the starting. */
  readonly cpu: number
  /** Microseconds on the wall, tool included. */
  readonly wall: number
  /** Bytes of memory as it ended. */
  readonly memory: number
}

/** What a turn costs at the end of a long run beside one near its beginning; nothing is compacted on the way. */
export async function growth(bench: Bench): Promise<readonly Figure[]> {
  const [early, late] = bench.smoke ? [200, 600] : [1000, 9000]
  const few = bench.smoke ? 100 : around
  const notes = await notesOf(bench, manyTurns(late + few))
  const at = (turn: number) => notes.slice(turn - few, turn + few)
  const cpu = (turn: number) => mean(at(turn).map((note) => note.cpu)) / 1000
  const memory = (turn: number) => mean(at(turn).map((note) => note.memory))
  const own = median(notes.map(({ wall }) => wall)) / 1000
  const grown = (memory(late) - memory(early)) / 1e6 / ((late - early) / 1000)
  return [
    { ...figure("own time per tool turn, tool included", "<= 3 ms", `${own.toFixed(2)} ms`), judged: own, limit: 3 },
    {
      ...figure(`own CPU of turn ${late} against turn ${early}`, "<= 1.3 x", ms(cpu(late))),
      floor: ms(cpu(early)),
      judged: cpu(late) / cpu(early),
      limit: 1.3,
      complexity: true,
    },
    {
      ...figure("memory for 1,000 turns more", "<= 20 MB", `${grown.toFixed(1)} MB`),
      judged: grown,
      limit: 20,
    },
  ]
}

function figure(line: string, budget: string, own: string) {
  return { line, budget, floor: "", gong: own }
}

async function notesOf({ model, folder, node }: Bench, work: Work): Promise<readonly Note[]> {
  const place = join(folder, "growth")
  restore(place, null)
  const file = join(folder, "growth.json")
  rmSync(file, { force: true })
  const agent = {
    ...gong,
    command: (url: string, prompt: string, goOn: boolean) => [
      "--require",
      join(import.meta.dirname, "growth-probe.cjs"),
      ...gong.command(url, prompt, goOn).map((word) => (word === "5000" ? "100000" : word)),
      "--set",
      "compaction.auto=false",
    ],
    environment: (url: string, home: string) => ({ ...gong.environment(url, home), GROWTH_FILE: file }),
  }
  await runOnce(model, { agent, work, folder: place, node, limitMs })
  const rows = JSON.parse(readFileSync(file, "utf8")) as [number, number, number][]
  return rows.map(([cpu, wall, memory]) => ({ cpu, wall, memory }))
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
