import { seedOptions } from "@gong/testing/seeds"
import { unreached } from "./counts.ts"
import { type Plant, plantBug, plants } from "./plants.ts"
import { addShares, runShare, type Share, wordsOf } from "./share.ts"
import { runWorkers } from "./workers.ts"

/**
 * npm run sim -- [--from SEED] [--count N | --failed] [--workers W] [--plant NAME]: one world for each seed. Ends with status 1
 * when one does not hold, or when of many worlds none reached a rare state.
 */
const { from, count, seeds, values } = seedOptions({
  name: "sim",
  count: 1000,
  more: {
    workers: { type: "string", default: "1" },
    plant: { type: "string" },
    /** Of a worker: only every so many-th seed. */
    step: { type: "string", default: "1" },
  },
})
/** So many worlds must have seen everything. */
const enough = 2_000
const plant = plantOf(values.plant)
if (plant !== null) plantBug(plant)
// Most errors of a world are expected, and their stacks are expensive; a run of one seed has stacks.
if (seeds.length > 1) Error.stackTraceLimit = 0

const began = performance.now()
const [step, workers] = [Number(values.step), values.failed === true ? 1 : Number(values.workers)]
const more = plant === null ? [] : ["--plant", plant]
const own = seeds.filter((_, index) => index % step === 0)
const share: Share =
  workers > 1
    ? addShares(await runWorkers({ from, count, workers, more }))
    : await runShare(own, plant === null ? undefined : 1)
if (process.send !== undefined) process.send(share)
else report(share)

function report({ failures, ...share }: Share): void {
  for (const { seed, violation } of failures) {
    const words = ["--from", String(seed), "--count", "1", ...more]
    console.log(`seed ${seed}: ${violation}\nagain: npm run sim -- ${words.join(" ")}`)
  }
  console.log(wordsOf(share, performance.now() - began))
  const missing = share.worlds >= enough && plant === null ? unreached(share.counts) : []
  if (missing.length > 0) console.log(`no world reached: ${missing.join(", ")}`)
  if (failures.length + missing.length > 0) process.exitCode = 1
}

function plantOf(name: string | undefined): Plant | null {
  if (name === undefined) return null
  if (Object.hasOwn(plants, name)) return name as Plant
  throw new Error(`There is no bug "${name}": ${Object.keys(plants).join(", ")}`)
}
