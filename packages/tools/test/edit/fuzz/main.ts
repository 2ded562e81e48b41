import { parseArgs } from "node:util"
import { type Tried, tryOne } from "./try.ts"

/** npm run fuzz:edit -- [--seeds N] [--from K]: files K to K+N-1; ends with status 1 at the first whose bytes do not hold. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { seeds: { type: "string", default: "10000" }, from: { type: "string", default: "1" } },
  })
  const counts = new Map<string, number>()
  const from = Number(values.from)
  for (let seed = from; seed < from + Number(values.seeds); seed++) {
    const tried = await tryOne(seed)
    for (const name of namesOf(tried)) counts.set(name, (counts.get(name) ?? 0) + 1)
    if (tried.violation === null) continue
    console.log(
      `seed ${seed} (${tried.encoding}): ${tried.violation}\nagain: npm run fuzz:edit -- --seeds 1 --from ${seed}`,
    )
    return 1
  }
  console.log(`${values.seeds} files, no byte changed that was not asked for, every image before the change whole`)
  for (const [name, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`${String(count).padStart(6)} ${name}`)
  return 0
}

function namesOf({ encoding, kind, fuzzy }: Tried): readonly string[] {
  return [`${kind}`, `${encoding} ${kind.split(":")[0]}`, ...(fuzzy ? ["fuzzy"] : [])]
}

process.exitCode = await main()
