import { parseArgs } from "node:util"
import { refusedOf } from "./check.ts"
import { targets } from "./targets.ts"

/** npm run fuzz:transcripts -- [--count N] [--from SEED]: random transcripts to every provider; status 1 when one would be refused. */
const { values } = parseArgs({
  options: { count: { type: "string", default: "100000" }, from: { type: "string", default: "1" } },
})
const all = await targets()
const from = Number(values.from)
const began = performance.now()
let refused = 0
for (let seed = from; seed < from + Number(values.count); seed++) {
  const problem = refusedOf(seed, all)
  if (problem === null) continue
  if (refused++ < 10) console.log(problem)
  process.exitCode = 1
}
const seconds = ((performance.now() - began) / 1000).toFixed(0)
console.log(`${values.count} transcripts x ${all.length} providers and formats in ${seconds} s: ${refused} refused`)
