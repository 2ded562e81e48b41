import { seedOptions } from "@gong/testing/seeds"
import { createLocalHost } from "../../src/host/local.ts"
import { byPathOnly, fenced } from "./place.ts"
import { race, type Race } from "./race.ts"

/**
 * `npm run fuzz:confinement -- [--from SEED] [--count N]`: the full race, with the guard and, as a control, without it.
 * A seed selects the calls of a round; the timing stays random.
 */
async function main(): Promise<number> {
  const { seeds } = seedOptions({ name: "fuzz:confinement", count: 10_000 })
  const guarded = await run(seeds, true)
  console.log(`with the guard     ${line(guarded)}`)
  console.log(`by the path alone  ${line(await run(seeds, false))}`)
  return guarded.escaped === 0 ? 0 : 1
}

async function run(rounds: readonly number[], guarded: boolean): Promise<Race> {
  const cleanUps: (() => void)[] = []
  const here = fenced({ after: (work) => cleanUps.push(work) })
  const local = createLocalHost({ cwd: here.work })
  try {
    return await race(here, rounds, guarded ? local : byPathOnly(local))
  } finally {
    for (const work of cleanUps) work()
  }
}

function line({ rounds, swaps, done, refused, escaped }: Race): string {
  return `${rounds} calls, ${swaps} swaps: ${done} inside, ${refused} refused, ${escaped} outside`
}

process.exitCode = await main()
