import { hash } from "node:crypto"
import { chmodSync, existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { runTrial } from "./trial.ts"

/** Offsets in a file that a test file ran: starts and ends in turn, ascending. */
type Ran = readonly number[]

/** The code that a test file ran, and its time in milliseconds. */
export interface TestRun {
  readonly ms: number
  /** By path of the source file. */
  readonly ran: Readonly<Record<string, Ran>>
  /** Hashes of all files of ours that it loaded, itself among them, by their paths. */
  readonly inputs: Readonly<Record<string, string>>
  /** It fails without a change too, so its failures prove nothing. */
  readonly fails: boolean
}

/** By path of the test file. */
export type Coverage = Readonly<Record<string, TestRun>>

const TEST_LIMIT_MS = 120_000
const SAID_EVERY = 25

export interface CoverageOptions {
  /** The folder of its results. */
  readonly folder: string
  /** Also tests that have a process of their own. */
  readonly proc: boolean
  say(line: string): void
}

/** Runs every test file once by itself; unchanged inputs reuse the results of an earlier run. */
export async function coverageOf(tree: string, { folder, proc, say }: CoverageOptions): Promise<Coverage> {
  const kept = join(folder, "coverage.json")
  const before: Coverage = existsSync(kept) ? JSON.parse(readFileSync(kept, "utf8")) : {}
  const all = globSync(["packages/*/test/**/*.test.ts", "testing/test/**/*.test.ts"], { cwd: tree }).toSorted()
  const tests = proc ? all : all.filter((test) => !isProc(test))
  const coverage: Record<string, TestRun> = {}
  for (const test of tests) {
    const run = before[test]
    if (run !== undefined && isValid(tree, run)) coverage[test] = run
  }
  const missing = tests.filter((test) => coverage[test] === undefined)
  for (const [at, test] of missing.entries()) {
    if (at % SAID_EVERY === 0) say(`coverage: ${at} of ${missing.length} test files`)
    coverage[test] = await runOf(tree, folder, test)
    // An interrupted run continues from here.
    writeFileSync(kept, JSON.stringify({ ...before, ...coverage }))
  }
  return coverage
}

export function isProc(test: string): boolean {
  return test.endsWith(".proc.test.ts")
}

function isValid(tree: string, { inputs }: TestRun): boolean {
  return Object.entries(inputs).every(([path, hash]) => hashOf(join(tree, path)) === hash)
}

function hashOf(path: string): string | null {
  return existsSync(path) ? hash("sha1", readFileSync(path)) : null
}

async function runOf(tree: string, folder: string, test: string): Promise<TestRun> {
  const reports = mkdtempSync(join(folder, "v8-"))
  // Without it a child of another user says on stderr that its report cannot be written.
  chmodSync(reports, 0o777)
  try {
    const began = performance.now()
    const trial = { groups: [[test]], limitMs: TEST_LIMIT_MS, env: { NODE_V8_COVERAGE: reports } }
    const { caught } = await runTrial(tree, trial)
    const ms = Math.round(performance.now() - began)
    const loaded = loadedIn(tree, reports)
    const paths = [test, ...loaded.keys()]
    const inputs = Object.fromEntries(paths.map((path) => [path, hashOf(join(tree, path)) ?? ""]))
    const sources = [...loaded].filter(([path]) => /^packages\/\w+\/src\//.test(path))
    return {
      ms,
      inputs,
      fails: caught !== null,
      ran: Object.fromEntries(sources.map(([path, spans]) => [path, merged(spans)])),
    }
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
}

interface V8Function {
  readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[]
}

/** Source files loaded by any process of a test, each with its executed parts. */
function loadedIn(tree: string, reports: string): ReadonlyMap<string, [number, number][]> {
  const all = new Map<string, [number, number][]>()
  for (const name of readdirSync(reports)) {
    for (const { url, functions } of scriptsIn(readFileSync(join(reports, name), "utf8"))) {
      const path = url.startsWith("file:") ? fileURLToPath(url).slice(tree.length + 1) : ""
      if (/^(?:packages|testing)\//.test(path)) all.set(path, [...(all.get(path) ?? []), ...ranOf(functions)])
    }
  }
  return all
}

interface V8Script {
  readonly url: string
  readonly functions: readonly V8Function[]
}

/** A process that was killed may leave half a report. */
function scriptsIn(report: string): readonly V8Script[] {
  try {
    return (JSON.parse(report) as { readonly result: readonly V8Script[] }).result
  } catch {
    return []
  }
}

/** An inner range overrides the range around it. */
function ranOf(functions: readonly V8Function[]): readonly [number, number][] {
  const events = functions
    .flatMap(({ ranges }) => ranges)
    .toSorted((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
  const spans: [number, number][] = []
  const open: { readonly end: number; readonly ran: boolean }[] = []
  let from = 0
  const upTo = (to: number) => {
    if (open.at(-1)?.ran === true && to > from) spans.push([from, to])
    from = Math.max(from, to)
  }
  const closeUntil = (offset: number) => {
    for (let top = open.at(-1); top !== undefined && top.end <= offset; top = open.at(-1)) {
      upTo(top.end)
      open.pop()
    }
  }
  for (const { startOffset, endOffset, count } of events) {
    closeUntil(startOffset)
    upTo(startOffset)
    open.push({ end: endOffset, ran: count > 0 })
  }
  closeUntil(Infinity)
  return spans
}

function merged(spans: readonly [number, number][]): Ran {
  const flat: number[] = []
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = flat.at(-1)
    if (last !== undefined && start <= last) flat[flat.length - 1] = Math.max(last, end)
    else flat.push(start, end)
  }
  return flat
}

/** Test files that cover this code; tests of the source file itself first. */
export function testsOf(coverage: Coverage, path: string, offset: number): readonly string[] {
  const runs = Object.entries(coverage).filter(([, { fails, ran }]) => !fails && covers(ran[path] ?? [], offset))
  const stem = path.replace("/src/", "/test/").replace(/\.ts$/, "")
  const folder = stem.slice(0, stem.lastIndexOf("/"))
  const distance = (test: string) => (test.startsWith(`${stem}.`) ? 0 : test.startsWith(`${folder}/`) ? 1 : 2)
  // Whole-program tests are ordered by their coverage of this file, others by time.
  const cost = (test: string, { ms, ran }: TestRun) => (isProc(test) ? -lengthOf(ran[path] ?? []) : ms)
  return runs
    .toSorted(([a, left], [b, right]) => distance(a) - distance(b) || cost(a, left) - cost(b, right))
    .map(([test]) => test)
}

function lengthOf(ran: Ran): number {
  return ran.reduce((sum, edge, at) => sum + (at % 2 === 1 ? edge : -edge), 0)
}

function covers(ran: Ran, offset: number): boolean {
  const at = ran.findIndex((edge) => edge > offset)
  return at % 2 === 1
}
