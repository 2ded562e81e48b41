import { existsSync, readFileSync, realpathSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { createRng } from "@gong/testing/sim/rng"
import { absolute } from "../../../src/policy/paths.ts"
import { createPolicy } from "../../../src/policy/policy.ts"
import { commandLine } from "./grammar.ts"
import { runBatch } from "./run.ts"
import { type FuzzWorld, fuzzWorld } from "./world.ts"

export interface Fuzzed {
  readonly made: number
  /** Called read-only, and run. */
  readonly ran: number
  readonly hung: number
  /** Called read-only, and they were not. */
  readonly leaks: readonly Leak[]
}

export interface Leak {
  readonly command: string
  readonly what: readonly string[]
}

export interface FuzzOptions {
  readonly seed: number
  /** Commands to run. */
  readonly count: number
  /** Whether a command is called read-only in this world; the policy of the program unless another is given. */
  readonly classifier?: (world: FuzzWorld) => Classifier
}

export type Classifier = (command: string) => Promise<boolean>

/** Commands that are run in one world. */
export const batchSize = 250

/**
 * Makes commands until `count` different ones were called read-only, runs those under strace, and gives all that did more
 * than read. The same seed makes the same commands.
 */
export async function fuzz({ seed, count, classifier = byPolicy }: FuzzOptions): Promise<Fuzzed> {
  const rng = createRng(seed)
  const known = new Set<string>()
  let so: Fuzzed = { made: 0, ran: 0, hung: 0, leaks: [] }
  while (so.ran < count) {
    const world = fuzzWorld()
    try {
      const isReadOnly = classifier(world)
      const batch: string[] = []
      let { made } = so
      for (; batch.length < Math.min(batchSize, count - so.ran); made++) {
        const command = commandLine(rng)
        if (known.has(command) || !(await isReadOnly(command))) continue
        known.add(command)
        batch.push(command)
      }
      so = { ...runAll(world, batch, so), made }
    } finally {
      world.remove()
    }
  }
  return so
}

/** What a batch changed is found again by running its commands one by one. */
function runAll(world: FuzzWorld, batch: readonly string[], so: Fuzzed): Fuzzed {
  const ran = so.ran + batch.length
  const { effects, hung } = runBatch(world, batch, 120)
  if (effects.length === 0 && !hung) return { ...so, ran }
  const alone = batch.map((command) => ({ command, run: runBatch(world, [command], 5) }))
  const leaks = alone.flatMap(({ command, run }) =>
    run.effects.length === 0 ? [] : [{ command, what: run.effects.map(({ what }) => what) }],
  )
  const found = [...leaks, ...(leaks.length > 0 ? [] : effects.map((effect) => lost(batch, effect)))]
  return { ...so, ran, hung: so.hung + alone.filter(({ run }) => run.hung).length, leaks: [...so.leaks, ...found] }
}

/** Nothing that was seen is passed over because it does not happen again. */
function lost(
  batch: readonly string[],
  { index, what }: { readonly index: number | null; readonly what: string },
): Leak {
  return { command: `${batch[index ?? -1] ?? "one of a batch"} (not when alone)`, what: [what] }
}

/** At this level, and with nobody to ask, what runs is what only reads. */
function byPolicy({ home, project }: FuzzWorld): Classifier {
  const policy = createPolicy({
    level: "ask",
    cwd: project,
    workspace: project,
    roots: [project],
    home,
    env: {},
    gongHome: join(home, ".gong"),
    interactive: false,
    sandbox: "off",
    allow: [],
    deny: [],
    reads: "anywhere",
    locate: async (typed) => {
      const path = absolute(typed, project, home)
      return { path, real: realPath(path) }
    },
    exists: async (path) => existsSync(path),
    readText: async (path) => (existsSync(path) && !statSync(path).isDirectory() ? readFileSync(path, "utf8") : null),
    readBytes: async (path) => (existsSync(path) && !statSync(path).isDirectory() ? readFileSync(path) : null),
    findProgram: async (name) => `/usr/bin/${name}`,
    knownHosts: async () => [],
    keepRule: async () => undefined,
  })
  return async (command) =>
    (await policy.decide({ tool: "bash", arguments: { command }, title: command })).verdict === "allow"
}

function realPath(path: string): string {
  return existsSync(path) || path === "/" ? realpathSync(path) : join(realPath(dirname(path)), basename(path))
}
