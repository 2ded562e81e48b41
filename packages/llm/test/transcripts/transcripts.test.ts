import assert from "node:assert/strict"
import { test } from "node:test"
import { refusedOf } from "./check.ts"
import { targets } from "./targets.ts"

test("no provider would reject a random transcript of many models", async () => {
  const all = await targets()
  assert.ok(all.length > 40)
  for (let seed = 1; seed <= 60; seed++) assert.equal(refusedOf(seed, all), null)
})
