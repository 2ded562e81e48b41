import assert from "node:assert/strict"
import { test } from "node:test"
import { worstOf } from "../test-files.mjs"

test("a failed run is not forgotten for a passed one that started before it or ended after it", async () => {
  const green = Promise.withResolvers<number>()
  const red = Promise.withResolvers<number>()
  const status = worstOf([() => green.promise, () => red.promise])
  red.resolve(1)
  await red.promise
  green.resolve(0)
  assert.equal(await status, 1)
  assert.equal(await worstOf([async () => 0, async () => 0, async () => 3, async () => 0]), 3)
  assert.equal(await worstOf([]), 0)
})
