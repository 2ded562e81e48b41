import { seedOptions } from "@gong/testing/seeds"
import { refusedOf } from "./check.ts"
import { targets } from "./targets.ts"

/** npm run fuzz:transcripts -- [--from SEED] [--count N | --failed]: sends a random transcript per seed to every provider; status 1 if one would be rejected. */
const { seeds } = seedOptions({ name: "fuzz:transcripts", count: 100_000 })
const all = await targets()
const began = performance.now()
let refused = 0
for (const seed of seeds) {
  const problem = refusedOf(seed, all)
  if (problem === null) continue
  if (refused++ < 10) console.log(`${problem}\nagain: npm run fuzz:transcripts -- --from ${seed} --count 1`)
  process.exitCode = 1
}
const seconds = ((performance.now() - began) / 1000).toFixed(0)
console.log(`${seeds.length} transcripts x ${all.length} providers and formats in ${seconds} s: ${refused} refused`)
