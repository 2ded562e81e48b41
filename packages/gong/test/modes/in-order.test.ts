import assert from "node:assert/strict"
import { test } from "node:test"
import { inOrder } from "../../src/modes/in-order.ts"

test("what comes is said at once, or behind what is still being made", async () => {
  const order = inOrder()
  const said: string[] = []
  const say = (text: string, instead?: Promise<string | null>) =>
    order.say({ text, kind: "progress", ...(instead && { instead }) }, (one) => void said.push(one))
  say("one")
  assert.deepEqual(said, ["one"])
  const slow = Promise.withResolvers<string | null>()
  say("two", slow.promise)
  say("three", Promise.resolve(null))
  order.next(() => void said.push("four"))
  assert.deepEqual(said, ["one"])
  slow.resolve("TWO")
  await order.settled()
  assert.deepEqual(said, ["one", "TWO", "three", "four"])
  say("five")
  assert.deepEqual(said.at(-1), "five")
})
