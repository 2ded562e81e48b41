import { seedOptions } from "@gong/testing/seeds"
import { batchSize, fuzz } from "./fuzz.ts"
import { toolsMissing } from "./run.ts"

/**
 * `npm run fuzz:commands -- [--from SEED] [--count N | --failed]`: for each seed 250 commands that were called read-only are run;
 * status 1 when one was not.
 */
async function main(): Promise<number> {
  const { seeds } = seedOptions({ name: "fuzz:commands", count: 400 })
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

process.exitCode = await main()
