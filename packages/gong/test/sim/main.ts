import { parseArgs } from "node:util"
import { type Plant, plants } from "./plants.ts"
import { type Outcome, simulate } from "./simulate.ts"

/** npm run sim -- [--seeds N] [--from K] [--plant NAME]: worlds K to K+N-1; ends with status 1 at the first that does not hold. */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1000" },
    from: { type: "string", default: "1" },
    plant: { type: "string" },
  },
})
const plant = plantOf(values.plant)
const outcomes: Outcome[] = []
const began = performance.now()
for (let seed = Number(values.from); outcomes.length < Number(values.seeds); seed++) {
  const outcome = await simulate(seed, plant)
  outcomes.push(outcome)
  if (outcome.violation === null) continue
  const again = `npm run sim -- --seeds 1 --from ${seed}${plant === null ? "" : ` --plant ${plant}`}`
  console.log(`seed ${seed}: ${outcome.violation}\nagain: ${again}`)
  process.exitCode = 1
  break
}
console.log(summary(outcomes, performance.now() - began))

function plantOf(name: string | undefined): Plant | null {
  if (name === undefined) return null
  if (Object.hasOwn(plants, name)) return name as Plant
  throw new Error(`There is no plant "${name}": ${Object.keys(plants).join(", ")}`)
}

function summary(all: readonly Outcome[], ms: number): string {
  const sum = (of: (one: Outcome) => number): number => all.reduce((total, one) => total + of(one), 0)
  const speed = Math.round((all.length / ms) * 1000)
  const hours = (sum((one) => one.time) / 3_600_000).toFixed(1)
  const retried = Object.entries(all[0]?.retries ?? {}).map(
    ([name]) => `${sum((one) => one.retries[name as keyof Outcome["retries"]])} ${name}`,
  )
  const did = `${sum((one) => one.processes)} processes, ${sum((one) => one.requests)} requests, ${sum((one) => one.steps)} steps, ${sum((one) => one.effects)} effects`
  return `${all.length} seeds in ${(ms / 1000).toFixed(1)} s (${speed} a second): ${did}, ${hours} simulated hours; retries: ${retried.join(", ")}`
}
