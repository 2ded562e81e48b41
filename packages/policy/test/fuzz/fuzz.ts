import { existsSync } from "node:fs"
import { join } from "node:path"
import { builtInDeclarations } from "@gong/tools"
import { createRng } from "@gong/testing/sim/rng"
import { createLocalHost } from "@gong/tools/host/local"
import { gitFacts } from "@gong/app/compose/permissions/policy"
import { hasEscapingLinks } from "@gong/app/compose/sandbox/escaping-links"
import { createPolicy } from "../../src/policy.ts"
import { commandLine } from "./grammar.ts"
import { environment, runBatch } from "./run.ts"
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
  /** Decides which commands are read-only in this world; by default the program's policy. */
  readonly classifier?: (world: FuzzWorld) => Classifier
}

/** The variables with which a command is read-only; null: it is not. */
export type Classifier = (command: string) => Promise<Readonly<Record<string, string>> | null>

/** Commands that are run in one world. */
export const batchSize = 250

/**
 * Generates commands until `count` different ones are judged read-only, runs those under strace, and returns all that did more
 * than read. The same seed makes the same commands.
 */
export async function fuzz({ seed, count, classifier = byPolicy }: FuzzOptions): Promise<Fuzzed> {
  const rng = createRng(seed)
  const known = new Set<string>()
  let so: Fuzzed = { made: 0, ran: 0, hung: 0, leaks: [] }
  while (so.ran < count) {
    const world = fuzzWorld()
    try {
      const classify = classifier(world)
      const batch: string[] = []
      let { made } = so
      for (; batch.length < Math.min(batchSize, count - so.ran); made++) {
        const command = commandLine(rng)
        const env = known.has(command) ? null : await classify(command)
        if (env === null) continue
        known.add(command)
        batch.push(withVariables(env, command))
      }
      so = { ...runAll(world, batch, so), made }
    } finally {
      world.remove()
    }
  }
  return so
}

function withVariables(env: Readonly<Record<string, string>>, command: string): string {
  const exports = Object.entries(env).map(([name, value]) => `export ${name}='${value}'\n`)
  return `${exports.join("")}${command}`
}

/** The command responsible for a change of a batch is found by running its commands one by one. */
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

/** At this level without a user, only read-only commands run. */
function byPolicy(world: FuzzWorld): Classifier {
  const { home, project } = world
  const env = environment(world)
  const host = createLocalHost({ cwd: project, env, home })
  const facts = gitFacts({ env, home, cwd: project, roots: [project], host: async () => host })
  const answers = new Map<string, ReturnType<typeof facts.queryGit>>()
  const policy = createPolicy({
    declared: builtInDeclarations,
    level: "ask",
    cwd: project,
    workspace: project,
    home,
    gongHome: join(home, ".gong"),
    interactive: false,
    sandbox: "off",
    allow: [],
    deny: [],
    reads: "anywhere",
    exists: async (path) => existsSync(path),
    hasEscapingLinks: (folder) => hasEscapingLinks(host, folder),
    ...facts,
    queryGit: (folder, args, more) =>
      remembered(answers, JSON.stringify([folder, args]), () => facts.queryGit(folder, args, more)),
    findProgram: async (name) => `/usr/bin/${name}`,
    knownHosts: async () => [],
    rulesFile: join(home, ".gong/permissions.json"),
    storeRule: async () => undefined,
  })
  return async (command) => {
    const decision = await policy.decide({ tool: "bash", arguments: { command }, title: command })
    return decision.verdict === "allow" ? (decision.env ?? {}) : null
  }
}

/** Nothing changes while commands are judged. */
function remembered<T>(known: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? ask()
  known.set(key, found)
  return found
}
