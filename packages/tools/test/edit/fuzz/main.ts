import { seedOptions } from "@gong/testing/seeds"
import { type Tried, tryOne } from "./try.ts"

/** npm run fuzz:edit -- [--from SEED] [--count N | --failed]: one file per seed; status 1 at the first violation. */
async function main(): Promise<number> {
  const { seeds } = seedOptions({ name: "fuzz:edit", count: 10_000 })
  const counts = new Map<string, number>()
  for (const seed of seeds) {
    const tried = await tryOne(seed)
    for (const name of namesOf(tried)) counts.set(name, (counts.get(name) ?? 0) + 1)
    if (tried.violation === null) continue
    console.log(
      `seed ${seed} (${tried.encoding}): ${tried.violation}\nagain: npm run fuzz:edit -- --from ${seed} --count 1`,
    )
    return 1
  }
  console.log(`${seeds.length} files, no byte changed that was not asked for, every image before the change whole`)
  for (const [name, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`${String(count).padStart(6)} ${name}`)
  return 0
}

function namesOf({ encoding, kind, fuzzy }: Tried): readonly string[] {
  return [`${kind}`, `${encoding} ${kind.split(":")[0]}`, ...(fuzzy ? ["fuzzy"] : [])]
}

process.exitCode = await main()
