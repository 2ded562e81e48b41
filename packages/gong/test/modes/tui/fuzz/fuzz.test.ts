import assert from "node:assert/strict"
import { test } from "node:test"
import { failedSeeds } from "@gong/testing/seeds"
import { tryOne } from "./try.ts"

test("replies that arrive character by character: each frame is as a full paint, the transcript as in one piece", async () => {
  const seeds = [...Array.from({ length: 24 }, (_, at) => at + 1), ...failedSeeds("fuzz:screen")]
  const tried = await Promise.all(seeds.map(tryOne))
  for (const [at, { violation }] of tried.entries())
    assert.equal(violation, null, `npm run fuzz:screen -- --from ${seeds[at]} --count 1`)
  assert.ok(tried.reduce((sum, { frames }) => sum + frames, 0) > 1_000)
})
