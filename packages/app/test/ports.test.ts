import assert from "node:assert/strict"
import { test } from "node:test"
import { nextSlice } from "../src/ports.ts"

test("slices of work run in order, and the event loop runs between long ones", async () => {
  const events: string[] = []
  const piece = async (name: string): Promise<void> => {
    await nextSlice()
    events.push(name)
    for (const end = Date.now() + 12; Date.now() < end;);
    setImmediate(() => events.push(`turn after ${name}`))
  }
  await Promise.all(["a", "b", "c"].map(piece))
  assert.deepEqual(events.slice(0, 5), ["a", "turn after a", "b", "turn after b", "c"])
})

test("short slices share one turn of the event loop", async () => {
  await nextSlice()
  let turns = 0
  const count = (): void => {
    turns += 1
    if (turns < 50) setImmediate(count)
  }
  setImmediate(count)
  const seen = await Promise.all(
    Array.from({ length: 5 }, async () => {
      await nextSlice()
      return turns
    }),
  )
  assert.ok(new Set(seen).size <= 2, String(seen))
})
