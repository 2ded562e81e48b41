import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { type Agent, cachedFloor, floor, gong } from "./agents.ts"
import type { ModelProcess } from "./model.ts"
import { monotonic, putAside, restore, type Run, runOnce, type RunOptions } from "./run.ts"
import { longArguments, longText, manyReads, sayHi, toolTurns, type Work } from "./work.ts"

export interface Bench {
  readonly model: ModelProcess
  /** The Node that the agents run on. */
  readonly node: string
  /** Where the agents' folders are. */
  readonly folder: string
  /** Measured runs of each agent. */
  readonly n: number
  /** Small sizes: only complexity and breaks by an order of magnitude can be judged. */
  readonly smoke: boolean
}

/** One line of the table. */
export interface Figure {
  readonly line: string
  readonly budget: string
  /** The floor's figure, with its unit. */
  readonly floor: string
  readonly gong: string
  /** The value that is compared with `limit`; smaller is better. */
  readonly judged: number
  readonly limit: number
  /** A ratio of two sizes of the same work: it means something in a smoke run too. */
  readonly complexity?: boolean
}

/** The lines of the design's budget table, by name. */
export const lines: Readonly<Record<string, (bench: Bench) => Promise<readonly Figure[]>>> = {
  version,
  // Loaded on demand, since it imports this file.
  rpc: async (bench) => (await import("./rpc.ts")).rpcReady(bench),
  growth: async (bench) => (await import("./growth.ts")).growth(bench),
  extensions: async (bench) => (await import("./extensions.ts")).extensions(bench),
  mcp: async (bench) => (await import("./mcp.ts")).mcpServers(bench),
  "terminal-start": async (bench) => (await import("./terminal.ts")).terminalStart(bench),
  "terminal-stream": async (bench) => (await import("./terminal.ts")).terminalStream(bench),
  "terminal-markdown": async (bench) => (await import("./terminal-work.ts")).longMarkdown(bench),
  "terminal-work": async (bench) => (await import("./terminal-work.ts")).terminalWork(bench),
  "terminal-sessions": async (bench) => (await import("./terminal-work.ts")).longSession(bench),
  "terminal-resize": async (bench) => (await import("./terminal-endurance.ts")).resizing(bench),
  "terminal-slow": async (bench) => (await import("./terminal-endurance.ts")).slowReader(bench),
  "terminal-runs": async (bench) => (await import("./terminal-endurance.ts")).manyRuns(bench),
  many: async (bench) => (await import("./many.ts")).many(bench),
  cold,
  gap,
  text,
  paced,
  arguments: toolArguments,
  long,
}

async function version(bench: Bench): Promise<Figure[]> {
  const bin = join(import.meta.dirname, "../../packages/gong/bin/gong.js")
  const walls = { bare: [] as number[], gong: [] as number[] }
  for (let i = 0; i <= bench.n * 2; i++)
    for (const [name, args] of [
      ["bare", ["-e", "0"]],
      ["gong", [bin, "--version"]],
    ] as const) {
      const began = monotonic()
      spawnSync(bench.node, args, { env: { PATH: "/usr/bin:/bin", GONG_DIST: "1" }, stdio: "ignore" })
      if (i > 0) walls[name].push(monotonic() - began)
    }
  return [ratio("--version against bare node", median(walls.bare), median(walls.gong), 1.3, ms)]
}

async function cold(bench: Bench): Promise<Figure[]> {
  const timed = await sideBySide(bench, [floor, gong], sayHi(), {})
  const weighed = await sideBySide(bench, [floor, gong], sayHi(), { memory: 4 })
  const pss = (name: string) => median(runsOf(weighed, name).map((run) => run.pss)) / 1e6
  const bytes = runsOf(timed, "gong")[0]?.bytes[0] ?? Number.NaN
  return [
    ratio("spawn to first request", firstOf(timed, "floor"), firstOf(timed, "gong"), 2, ms),
    {
      line: "peak memory (PSS), one turn",
      budget: "<= 70 MB",
      floor: mb(pss("floor")),
      gong: mb(pss("gong")),
      judged: pss("gong"),
      limit: 70,
    },
    {
      line: "first request: system prompt and tools",
      budget: "<= 6 KB",
      floor: "",
      gong: `${(bytes / 1000).toFixed(1)} KB`,
      judged: bytes / 1000,
      limit: 6,
    },
  ]
}

async function gap(bench: Bench): Promise<Figure[]> {
  const runs = await sideBySide(oftener(bench), [floor, gong], toolTurns(), {})
  return [ratio("gap per tool turn, tape durable", gapOf(runs, "floor"), gapOf(runs, "gong"), 2, ms)]
}

async function text(bench: Bench): Promise<Figure[]> {
  const deltas = bench.smoke ? 5000 : 20_000
  const cost = await above(bench, longText(deltas * 10, deltas))
  const [own, base] = [(cost.gong / deltas) * 1000, (cost.floor / deltas) * 1000]
  return [
    {
      line: `${(deltas * 10) / 1000} KB text in ${deltas} deltas, CPU each`,
      budget: "<= 12 us",
      floor: us(base),
      gong: us(own),
      judged: own,
      limit: 12,
    },
  ]
}

async function paced(bench: Bench): Promise<Figure[]> {
  const deltas = bench.smoke ? 200 : 1000
  const cost = await above({ ...bench, n: Math.min(bench.n, 3) }, longText(deltas * 10, deltas, 3))
  const [own, base] = [(cost.gong / deltas) * 1000, (cost.floor / deltas) * 1000]
  return [
    { line: "paced deltas, CPU each", budget: "<= 150 us", floor: us(base), gong: us(own), judged: own, limit: 150 },
  ]
}

async function toolArguments(bench: Bench): Promise<Figure[]> {
  const size = bench.smoke ? 200_000 : 400_000
  const once = await above(bench, longArguments(size, size / 50))
  const twice = await above(bench, longArguments(size * 2, size / 25))
  return [
    {
      line: `${size / 1000} KB arguments in ${size / 50} deltas, CPU`,
      budget: "<= 120 ms",
      floor: ms(once.floor),
      gong: ms(once.gong),
      judged: once.gong,
      limit: 120,
    },
    {
      line: "twice the arguments",
      budget: "<= 2.2 x",
      floor: ms(twice.floor),
      gong: ms(twice.gong),
      judged: twice.gong / once.gong,
      limit: 2.2,
      complexity: true,
    },
  ]
}

/** A thousand turns, and the cost of later turns. */
async function long(bench: Bench): Promise<Figure[]> {
  const turns = bench.smoke ? 100 : 1000
  const built = new Map<string, Run>()
  const aside = new Map<string, string>()
  const agents = bench.smoke ? [cachedFloor, gong] : [floor, cachedFloor, gong]
  for (const agent of agents) {
    const folder = join(bench.folder, agent.name)
    restore(folder, null)
    built.set(
      agent.name,
      await runOnce(bench.model, { agent, work: manyReads(turns), folder, node: bench.node, cpu: true, memory: 100 }),
    )
    aside.set(agent.name, putAside(folder))
  }
  const few = { ...bench, n: Math.min(bench.n, 5) }
  const resumed = await sideBySide(few, agents, sayHi(), { goOn: true }, aside)
  const gaps = await sideBySide(oftener(bench), [cachedFloor, gong], toolTurns(), { goOn: true }, aside)
  const [base, own] = [built.get("cached floor"), built.get("gong")]
  if (base === undefined || own === undefined) throw new Error("the long runs are missing")
  const growth = median(own.gaps.slice(-50)) / median(own.gaps.slice(0, 50))
  return [
    {
      line: `${turns} tool turns, CPU`,
      budget: "<= 3 s",
      floor: ms(base.cpu),
      gong: ms(own.cpu),
      judged: own.cpu / turns,
      limit: 3,
    },
    {
      line: `${turns} tool turns, peak memory (PSS)`,
      budget: "<= 110 MB",
      floor: mb(base.pss / 1e6),
      gong: mb(own.pss / 1e6),
      judged: own.pss / 1e6,
      limit: 110,
    },
    {
      line: "last gaps of them against the first",
      budget: "<= 2 x",
      floor: "",
      gong: `${growth.toFixed(2)} x`,
      judged: growth,
      limit: 2,
      complexity: true,
    },
    ratio(
      `gap with ${(own.bytes[1] / 1e6).toFixed(1)} MB behind it, against the cached floor`,
      gapOf(gaps, "cached floor"),
      gapOf(gaps, "gong"),
      2,
      ms,
    ),
    ratio(
      `resume ${(own.bytes[1] / 1e6).toFixed(1)} MB to first request`,
      firstOf(resumed, bench.smoke ? "cached floor" : "floor"),
      firstOf(resumed, "gong"),
      1.5,
      ms,
    ),
  ]
}

/** One run has thirty gaps of a few milliseconds: medians of five runs were off by a tenth to either side. */
function oftener(bench: Bench): Bench {
  return { ...bench, n: bench.smoke ? bench.n : bench.n * 2 }
}

type Runs = ReadonlyMap<string, readonly Run[]>

/** Alternates runs of all agents, so that noise affects all of them; the first round is a warm-up. */
async function sideBySide(
  bench: Bench,
  agents: readonly Agent[],
  work: Work,
  options: Partial<RunOptions>,
  aside: ReadonlyMap<string, string> = new Map(),
): Promise<Runs> {
  const runs = new Map<string, Run[]>(agents.map((agent) => [agent.name, []]))
  for (let i = 0; i <= bench.n; i++)
    for (const agent of agents) {
      const folder = join(bench.folder, agent.name)
      const state = aside.get(agent.name)
      if (state !== undefined || i === 0) restore(folder, state ?? null)
      const run = await runOnce(bench.model, { agent, work, folder, node: bench.node, ...options })
      if (i > 0) runs.get(agent.name)?.push(run)
    }
  return runs
}

/** Processor time above a turn that does nothing, in milliseconds. */
async function above(bench: Bench, work: Work): Promise<{ floor: number; gong: number }> {
  const idle = await sideBySide(bench, [floor, gong], sayHi(), { cpu: true })
  const busy = await sideBySide(bench, [floor, gong], work, { cpu: true })
  const cost = (name: string) =>
    median(runsOf(busy, name).map((run) => run.cpu)) - median(runsOf(idle, name).map((run) => run.cpu))
  return { floor: cost("floor"), gong: cost("gong") }
}

function runsOf(runs: Runs, name: string): readonly Run[] {
  return runs.get(name) ?? []
}

function firstOf(runs: Runs, name: string): number {
  return median(runsOf(runs, name).map((run) => run.firstRequest))
}

function gapOf(runs: Runs, name: string): number {
  return median(runsOf(runs, name).map((run) => median(run.gaps)))
}

function ratio(line: string, base: number, own: number, limit: number, show: (value: number) => string): Figure {
  return { line, budget: `<= ${limit} x`, floor: show(base), gong: show(own), judged: own / base, limit }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low = Number.NaN, high = Number.NaN] = [sorted[middle - 1], sorted[middle]]
  return sorted.length % 2 === 1 ? high : (low + high) / 2
}

const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`
const mb = (value: number) => `${value.toFixed(0)} MB`
const us = (value: number) => `${value.toFixed(1)} us`
