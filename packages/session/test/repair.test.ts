import assert from "node:assert/strict"
import { test } from "node:test"
import { repair } from "../src/repair.ts"
import { place, start } from "./world.ts"

test("a tape without open calls and inputs is not changed by a repair", async () => {
  const { tape } = await start(place())
  const before = tape.all.length
  assert.deepEqual(repair(tape), { calls: 0, unsent: [] })
  assert.equal(tape.all.length, before)
})
