import { spawnSync } from "node:child_process"
import { globSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { type AreaCoverage, type Coverage, coverageOf, guaranteesOf, rowsOf, type TestEnd } from "./scenarios.ts"
import { testFiles } from "./test-files.mjs"

/**
 * npm run coverage:scenarios [-- --missing AREA] [--skipped]
 *
 * Which rows of docs/scenarios.md and guarantees of docs/permissions.md are proven by tests that passed. Reads the results of the last whole `npm test` in
 * coverage/; runs it first when that is missing or older than a test. An ID that no row has, or a failing row: exit 1.
 */
const root = join(import.meta.dirname, "..")
const resultsIn = () => globSync("coverage/tests/*.jsonl", { cwd: root }).map((path) => join(root, path))
const { values } = parseArgs({ options: { missing: { type: "string" }, skipped: { type: "boolean" } } })

if (isStale()) {
  console.error("(running npm test first)")
  spawnSync(process.execPath, [join(root, "scripts/test.mjs")], { cwd: root, stdio: "ignore", timeout: 900_000 })
}
const doc = (name: string) => readFileSync(join(root, "docs", name), "utf8")
const coverage = coverageOf(
  [...rowsOf(doc("scenarios.md")), ...guaranteesOf(doc("permissions.md"))],
  resultsIn().flatMap(testsIn),
)
if (values.missing !== undefined) printMissing(coverage, values.missing)
else printTable(coverage)
if (values.skipped === true) printSkipped(coverage)
for (const id of coverage.unknown) console.error(`unknown row in a test title: ${id}`)
const failing = coverage.areas.flatMap((area) => area.failing)
for (const id of failing) console.error(`a test of ${id} fails`)
process.exitCode = coverage.unknown.length + failing.length > 0 ? 1 : 0

function isStale(): boolean {
  const results = resultsIn()
  if (results.length === 0) return true
  const newest = Math.max(...testFiles().map((file) => statSync(join(root, file)).mtimeMs))
  return results.some((file) => statSync(file).mtimeMs < newest)
}

function testsIn(file: string): TestEnd[] {
  const lines = readFileSync(file, "utf8").split("\n")
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as TestEnd)
}

function printTable({ areas }: Coverage): void {
  const line = (name: string, ...counts: readonly (string | number)[]) =>
    console.log(name.padEnd(10) + counts.map((count) => String(count).padStart(9)).join(""))
  const counts = ({ proven, skipped, failing, missing, optional }: AreaCoverage) =>
    [proven, skipped, failing, missing, optional].map((ids) => ids.length)
  line("", "proven", "skipped", "failing", "missing", "optional")
  for (const area of areas) line(area.area, ...counts(area))
  const sums = areas.map(counts)
  line("all", ...[0, 1, 2, 3, 4].map((column) => sums.reduce((sum, row) => sum + (row[column] ?? 0), 0)))
}

function printMissing({ areas }: Coverage, wanted: string): void {
  const area = areas.find((one) => one.area === wanted.toUpperCase())
  if (area === undefined) throw new Error(`No area ${wanted}; there are ${areas.map((one) => one.area).join(" ")}`)
  console.log(area.missing.join("\n"))
}

function printSkipped({ areas }: Coverage): void {
  for (const { id, reason } of areas.flatMap((area) => area.skipped)) console.log(`${id}: ${reason}`)
}
