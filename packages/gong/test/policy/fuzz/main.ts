import { parseArgs } from "node:util"
import { fuzz } from "./fuzz.ts"
import { toolsMissing } from "./run.ts"

/** `npm run fuzz:commands -- [--count N] [--seed S]`: N commands that were called read-only are run; status 1 when one was not. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { count: { type: "string", default: "100000" }, seed: { type: "string", default: "1" } },
  })
  const missing = toolsMissing()
  if (missing !== false) {
    console.error(missing)
    return 2
  }
  const begun = Date.now()
  let told = 0
  const { made, ran, hung, leaks } = await fuzz({
    seed: Number(values.seed),
    count: Number(values.count),
    tell: (so) => {
      for (const { command, what } of so.leaks.slice(told))
        console.log(`LEAK ${JSON.stringify(command)}\n     ${what[0]}`)
      told = so.leaks.length
      if (so.ran % 10_000 === 0) console.log(`${so.ran} ran of ${so.made}, ${told} leaks`)
    },
  })
  const seconds = ((Date.now() - begun) / 1000).toFixed(0)
  console.log(
    `${made} commands, ${ran} called read-only and run, ${hung} without end: ${leaks.length} wrote (${seconds} s)`,
  )
  return leaks.length === 0 ? 0 : 1
}

process.exitCode = await main()
