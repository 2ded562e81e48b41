import { parseArgs } from "node:util"
import { killAll } from "./run.ts"
import { straceMissing } from "./strace.ts"

/** npm run kill:all -- [--only SCENARIO] [--count N --seed S]: ends with status 1 when a promise did not hold at one point. */
const { values } = parseArgs({
  options: { only: { type: "string" }, count: { type: "string" }, seed: { type: "string", default: "1" } },
})
const missing = straceMissing()
if (missing !== false) throw new Error(missing)
const began = performance.now()
const tally = await killAll({
  workers: 2,
  seed: Number(values.seed),
  ...(values.only === undefined ? {} : { only: values.only }),
  ...(values.count === undefined ? {} : { count: Number(values.count) }),
  progress: (line) => console.log(line),
})
for (const line of tally.failed) console.log(`FAILED ${line}`)
const seconds = ((performance.now() - began) / 1000).toFixed(0)
console.log(`${tally.tried} of ${tally.all} points tried in ${seconds} s, ${tally.failed.length} failed`)
if (tally.failed.length > 0) process.exitCode = 1
