import { seedOptions } from "@gong/testing/seeds"
import { batchSize, fuzz } from "./fuzz.ts"
import { fuzzLayout } from "./layouts.ts"
import { toolsMissing } from "./run.ts"

/**
 * `npm run fuzz:commands -- [--from SEED] [--count N | --failed]`: for each seed 250 commands that were called read-only are run;
 * status 1 when one was not. With `--layouts` each seed is a repository instead, in which git must run no program of its.
 */
async function main(): Promise<number> {
  const more = { layouts: { type: "boolean" } } as const
  const { seeds, values } = seedOptions({ name: "fuzz:commands", count: 400, more })
  if (values.layouts === true) return layouts(seeds)
  const missing = toolsMissing()
  if (missing !== false) {
    console.error(missing)
    return 2
  }
  const begun = Date.now()
  const all = { made: 0, ran: 0, hung: 0, leaks: 0 }
  for (const [at, seed] of seeds.entries()) {
    const { made, ran, hung, leaks } = await fuzz({ seed, count: batchSize })
    for (const { command, what } of leaks) console.log(`LEAK ${JSON.stringify(command)}\n     ${what[0]}`)
    if (leaks.length > 0) console.log(`again: npm run fuzz:commands -- --from ${seed} --count 1`)
    Object.assign(all, {
      made: all.made + made,
      ran: all.ran + ran,
      hung: all.hung + hung,
      leaks: all.leaks + leaks.length,
    })
    if (at % 40 === 39) console.log(`${all.ran} ran of ${all.made}, ${all.leaks} leaks`)
  }
  const seconds = ((Date.now() - begun) / 1000).toFixed(0)
  console.log(
    `${all.made} commands, ${all.ran} called read-only and run, ${all.hung} without end: ${all.leaks} wrote (${seconds} s)`,
  )
  return all.leaks === 0 ? 0 : 1
}

async function layouts(seeds: readonly number[]): Promise<number> {
  const begun = Date.now()
  const all = { asked: 0, free: 0, leaks: 0 }
  for (const seed of seeds) {
    const { asked, free, leaks } = await fuzzLayout(seed)
    for (const leak of leaks)
      console.log(`RAN  ${leak}\nagain: npm run fuzz:commands -- --layouts --from ${seed} --count 1`)
    Object.assign(all, { asked: all.asked + asked, free: all.free + free, leaks: all.leaks + leaks.length })
  }
  const seconds = ((Date.now() - begun) / 1000).toFixed(0)
  console.log(
    `${seeds.length} repositories, ${all.asked} commands, ${all.free} let pass and run: ${all.leaks} ran a program of the repository (${seconds} s)`,
  )
  return all.leaks === 0 ? 0 : 1
}

process.exitCode = await main()
