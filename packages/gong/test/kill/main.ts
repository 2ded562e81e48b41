import { seedOptions } from "@gong/testing/seeds"
import { killAll } from "./run.ts"
import { straceMissing } from "./strace.ts"

/**
 * npm run kill:all -- [--only SCENARIO] [--from SEED] [--count N]: every point, or one for each seed; ends with status 1 when a
 * promise did not hold at one of them.
 */
const { seeds, counted, values } = seedOptions({ name: "kill:all", count: 1, more: { only: { type: "string" } } })
const missing = straceMissing()
if (missing !== false) throw new Error(missing)
const began = performance.now()
const tally = await killAll({
  workers: 2,
  seeds: counted || values.failed === true ? seeds : null,
  ...(values.only === undefined ? {} : { only: values.only }),
  progress: (line) => console.log(line),
})
for (const line of tally.failed) console.log(`FAILED ${line}`)
const seconds = ((performance.now() - began) / 1000).toFixed(0)
console.log(`${tally.tried} of ${tally.all} points tried in ${seconds} s, ${tally.failed.length} failed`)
if (tally.failed.length > 0) process.exitCode = 1
