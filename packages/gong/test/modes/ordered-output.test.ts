import assert from "node:assert/strict"
import { test } from "node:test"
import { orderedOutput } from "../../src/modes/ordered-output.ts"

test("output is written at once, or after earlier lines whose rendering is pending", async () => {
  const output = orderedOutput()
  const written: string[] = []
  const write = (text: string, replacement?: Promise<string | null>) =>
    output.write({ text, kind: "progress", ...(replacement && { replacement }) }, (one) => void written.push(one))
  write("one")
  assert.deepEqual(written, ["one"])
  const slow = Promise.withResolvers<string | null>()
  write("two", slow.promise)
  write("three", Promise.resolve(null))
  output.run(() => void written.push("four"))
  assert.deepEqual(written, ["one"])
  slow.resolve("TWO")
  await output.settled()
  assert.deepEqual(written, ["one", "TWO", "three", "four"])
  write("five")
  assert.deepEqual(written.at(-1), "five")
})
