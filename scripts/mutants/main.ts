import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { seedOptions } from "@gong/testing/seeds"
import { type Coverage, coverageOf, isProc, testsOf } from "./coverage.ts"
import { type Mutation, mutationsOf } from "./sites.ts"
import { makeTree } from "./tree.ts"
import { runTrial } from "./trial.ts"

// npm run mutants -- --from SEED --count N [--proc] [PART ...]
// Changes one place of the sources at a time and runs the tests that run this place; prints each change that no test
// notices. A PART is a part of a source file's path. The same seed picks the same places as long as the sources are the same.
// With --proc also the tests that run in a process of their own: slow, for changes that survive the others.

const root = fileURLToPath(new URL("../..", import.meta.url))
const place = join(root, "coverage", "mutants")
const tree = join(place, "tree")

/** Facts, texts and translations: a wrong one is no fault of a test. */
const notCode = /\/(?:catalogue|zh-CN)\/|\/(?:texts|provider-rows|provider-plans)\.ts$/
/** More than a test file of its own takes; a change that makes a program hang counts as caught. */
const LIMIT_FACTOR = 5
const LIMIT_MIN_MS = 30_000

/** How many tests are in the first group, and in the first two. */
const groupEnds = [3, 15] as const

/** A change that survives this many tests is rarely caught by others. */
const MOST_TESTS = 60
const MOST_PROCS = 12

interface Mutant extends Mutation {
  readonly path: string
}

const more = { proc: { type: "boolean" } } as const
const { from, count, values, positionals: parts } = seedOptions({ name: "mutants", count: 20, more, takesWords: true })
const say = (line: string) => void process.stdout.write(`${line}\n`)
const tally = new Map<string, { caught: number; all: number }>()
// Stopping it also stops running tests, and reports the results so far.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1))
process.once("exit", report)
makeTree(root, tree)
const coverage = await coverageOf(tree, { folder: place, proc: values.proc === true, say })
for (const [test, { fails }] of Object.entries(coverage)) if (fails) say(`left out, since it fails unchanged: ${test}`)
for (const [at, mutant] of pick(sites(parts), from, count).entries()) {
  const ended = await attempt(mutant, coverage)
  const name = packageOf(mutant.path)
  const line = tally.get(name) ?? { caught: 0, all: 0 }
  tally.set(name, { caught: line.caught + (ended === null ? 0 : 1), all: line.all + 1 })
  if (ended === null) say(`SURVIVED ${described(mutant)}`)
  if (at % 10 === 9) say(`${at + 1} of ${count}`)
}

function report(): void {
  for (const [name, { caught, all }] of [...tally].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    say(`${name}: ${caught} of ${all} caught`)
  const lines = [...tally.values()]
  const caught = lines.reduce((sum, line) => sum + line.caught, 0)
  say(`${caught} of ${lines.reduce((sum, line) => sum + line.all, 0)} changes caught`)
}

function sites(wanted: readonly string[]): readonly Mutant[] {
  const files = globSync("packages/*/src/**/*.ts", { cwd: root }).toSorted()
  const chosen = files.filter(
    (path) => !notCode.test(path) && (wanted.length === 0 || wanted.some((part) => path.includes(part))),
  )
  return chosen.flatMap((path) => mutationsOf(readFileSync(join(root, path), "utf8")).map((one) => ({ ...one, path })))
}

/** Without repetition. */
function pick(all: readonly Mutant[], seed: number, wanted: number): readonly Mutant[] {
  const random = randomOf(seed)
  const left = [...all]
  const picked: Mutant[] = []
  while (picked.length < wanted && left.length > 0) {
    const at = Math.floor(random() * left.length)
    const [mutant] = left.splice(at, 1)
    if (mutant !== undefined) picked.push(mutant)
  }
  return picked
}

/** Mulberry32: numbers from 0 to under 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The test that caught the change; null if none did. */
async function attempt(mutant: Mutant, known: Coverage): Promise<string | null> {
  const { path, start, end, text } = mutant
  const tests = testsOf(known, path, start)
  const file = join(tree, path)
  const source = readFileSync(file, "utf8")
  writeFileSync(file, source.slice(0, start) + text + source.slice(end))
  try {
    const groups = groupsOf(tests)
    const slowest = Math.max(0, ...groups.map((group) => group.reduce((sum, test) => sum + (known[test]?.ms ?? 0), 0)))
    return (await runTrial(tree, { groups, limitMs: LIMIT_MIN_MS + LIMIT_FACTOR * slowest })).caught
  } finally {
    writeFileSync(file, source)
  }
}

/** All tests of a group are loaded before the first one runs: the likely ones first, alone. */
function groupsOf(tests: readonly string[]): readonly (readonly string[])[] {
  const shared = tests.filter((test) => !isProc(test)).slice(0, MOST_TESTS)
  const own = tests.filter(isProc).slice(0, MOST_PROCS)
  const [few, some] = groupEnds
  return [shared.slice(0, few), shared.slice(few, some), shared.slice(some), ...own.map((test) => [test])].filter(
    ({ length }) => length > 0,
  )
}

function packageOf(path: string): string {
  const [, name = "", , folder = ""] = path.split("/")
  return name === "gong" ? `gong/${folder.replace(/\.ts$/, "")}` : name
}

function described({ path, start, end, text, kind }: Mutant): string {
  const source = readFileSync(join(root, path), "utf8")
  const line = source.slice(0, start).split("\n").length
  const now = source.slice(start, end).replaceAll(/\s+/g, " ").slice(0, 80)
  return `${path}:${line} ${kind}: ${now} -> ${text.replaceAll(/\s+/g, " ").slice(0, 80)}`
}
