import { parseArgs } from "node:util"
import { unreached } from "./counts.ts"
import { type Plant, plantBug, plants } from "./plants.ts"
import { addShares, runShare, type Share, wordsOf } from "./share.ts"
import { runWorkers } from "./workers.ts"

/**
 * npm run sim -- [--seeds N] [--from K] [--workers W] [--plant NAME]: worlds K to K+N-1. Ends with status 1 when one does
 * not hold, or when of many worlds none reached a rare state.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1000" },
    from: { type: "string", default: "1" },
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

const began = performance.now()
const [from, seeds, step] = [Number(values.from), Number(values.seeds), Number(values.step)]
const workers = Number(values.workers)
const more = plant === null ? [] : ["--plant", plant]
const share: Share =
  workers > 1
    ? addShares(await runWorkers({ from, seeds, workers, more }))
    : await runShare({ from, seeds, step }, plant === null ? undefined : 1)
if (process.send !== undefined) process.send(share)
else report(share)

function report({ failures, ...share }: Share): void {
  for (const { seed, violation } of failures) {
    console.log(
      `seed ${seed}: ${violation}\nagain: npm run sim -- --seeds 1 --from ${seed}${more.map((word) => ` ${word}`).join("")}`,
    )
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
