import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { type Figure, lines } from "./lib/lines.ts"
import { startModel } from "./lib/model.ts"

/**
 * npm run bench [-- --only cold,gap] [--n 7] [--smoke] [--json]
 *
 * Measures the budgets of the design on the bundle, compared with the floor, as medians of interleaved runs. Writes bench/results/.
 * With --smoke the sizes are small: exit 1 only above ten times a budget or for a complexity that is not linear.
 */
const { values } = parseArgs({
  options: { only: { type: "string" }, n: { type: "string" }, smoke: { type: "boolean" }, json: { type: "boolean" } },
})
const smoke = values.smoke === true
/** A name stands for all that begin with it: `terminal` for `terminal-start`, `terminal-slow`, ... */
const named = (values.only?.split(",") ?? Object.keys(lines)).map((name) => ({
  name,
  all: Object.keys(lines).filter((line) => line === name || line.startsWith(`${name}-`)),
}))
const wanted = named.flatMap(({ all }) => all)
const bundle = join(import.meta.dirname, "../packages/gong/dist/main.cjs")
const unknown = named.filter(({ all }) => all.length === 0)
if (unknown.length > 0)
  stop(`No line ${unknown.map(({ name }) => name).join(", ")}; there are ${Object.keys(lines).join(", ")}.`)
if (!existsSync(bundle)) stop("There is no bundle. Run npm run build first.")

const folder = mkdtempSync(join(tmpdir(), "gong-bench-"))
// A copy of Node shares no pages with this process and the model server; shared pages would halve the measured memory.
const node = join(folder, "node")
copyFileSync(process.execPath, node)
const model = await startModel()
const figures: Figure[] = []
try {
  for (const name of wanted) {
    const measured = (await lines[name]?.({ model, node, folder, n: Number(values.n ?? (smoke ? 2 : 7)), smoke })) ?? []
    figures.push(...measured)
    if (values.json !== true) for (const figure of measured) console.log(row(figure))
  }
} finally {
  model.close()
  rmSync(folder, { recursive: true, force: true })
}
if (values.json === true) console.log(JSON.stringify(figures, null, 2))
keep()
process.exitCode = smoke && figures.some(isBroken) ? 1 : 0

function row(figure: Figure): string {
  const verdict =
    figure.judged <= figure.limit ? "ok" : smoke && !isBroken(figure) ? "(over, not judged in a smoke run)" : "OVER"
  const cells = [figure.line.padEnd(58), figure.budget.padEnd(10), figure.floor.padStart(9), figure.gong.padStart(9)]
  const times = figure.budget.endsWith("x") ? `${figure.judged.toFixed(2)} x`.padStart(8) : "".padStart(8)
  return `${cells.join("  ")}  ${times}  ${verdict}`
}

/** Ten times the budget, or quadratic growth: 4 times the work for twice the size. */
function isBroken({ judged, limit, complexity }: Figure): boolean {
  return Number.isNaN(judged) || judged > (complexity === true ? 3.3 : limit * 10)
}

function keep(): void {
  const results = join(import.meta.dirname, "results")
  mkdirSync(results, { recursive: true })
  const at = new Date().toISOString()
  const machine = { node: process.version, processor: cpus()[0]?.model, cores: cpus().length }
  writeFileSync(
    join(results, `${at.replaceAll(":", "-")}.json`),
    JSON.stringify({ at, smoke, machine, figures }, null, 2),
  )
}

function stop(why: string): never {
  console.error(why)
  process.exit(2)
}
