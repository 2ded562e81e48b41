import assert from "node:assert/strict"
import { test } from "node:test"
import { type Plant, plants } from "./plants.ts"
import { simulate } from "./simulate.ts"

const seeds = Array.from({ length: 150 }, (_, index) => index + 1)

test("[AGENT-F.2] 150 simulated worlds: nothing promised is lost, and all that must hold holds", async () => {
  let crashes = 0
  const retries = { helped: 0, failed: 0, usedUp: 0, stopped: 0, steered: 0, halves: 0 }
  for (const seed of seeds) {
    const { violation, processes, retries: seen } = await simulate(seed)
    assert.equal(violation, null, `npm run sim -- --seeds 1 --from ${seed}`)
    crashes += processes - 2
    for (const name of Object.keys(retries) as (keyof typeof retries)[]) retries[name] += seen[name]
  }
  assert.ok(crashes > 100, "the worlds are not harmless")
  for (const [name, count] of Object.entries(retries)) assert.ok(count > 0, `no retry was ${name} in any world`)
})

test("a seed replays exactly", async () => {
  for (const seed of [7, 42, 99]) {
    const [once, again] = [await simulate(seed), await simulate(seed)]
    assert.deepEqual(again, once)
  }
})

const symptoms: Readonly<Record<Plant, RegExp>> = {
  "sync-skipped": /the tape knows no start of call|after a power cut this was lost/,
  "input-unsynced": /after a power cut this was lost: .*"type":"input"/,
  "results-turned": /answers the next open call/,
}

for (const plant of Object.keys(plants) as Plant[]) {
  test(`a planted bug is found: ${plant}`, async () => {
    for (const seed of seeds) {
      const { violation } = await simulate(seed, plant)
      if (violation === null) continue
      assert.match(violation, symptoms[plant])
      return
    }
    assert.fail(`${plant} lives through ${seeds.length} worlds`)
  })
}
