import { seedOptions } from "@gong/testing/seeds"
import { tryOne } from "./try.ts"

/** At once: the emulator waits between two frames. */
const BATCH = 8

/** npm run fuzz:screen -- [--from SEED] [--count N | --failed]: one reply per seed; status 1 at the first violation. */
async function main(): Promise<number> {
  const { seeds } = seedOptions({ name: "fuzz:screen", count: 1_000 })
  let [frames, rows] = [0, 0]
  for (let at = 0; at < seeds.length; at += BATCH) {
    const batch = seeds.slice(at, at + BATCH)
    for (const [index, tried] of (await Promise.all(batch.map(tryOne))).entries()) {
      frames += tried.frames
      rows += tried.rows
      if (tried.violation === null) continue
      const seed = batch[index]
      console.log(`seed ${seed}: ${tried.violation}\nagain: npm run fuzz:screen -- --from ${seed} --count 1`)
      return 1
    }
  }
  console.log(
    `${seeds.length} replies, ${frames} frames: each as a full paint, ${rows} rows of transcript as in one piece`,
  )
  return 0
}

process.exitCode = await main()
