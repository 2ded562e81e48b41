import assert from "node:assert/strict"
import { test } from "node:test"
import { createBlockedOperations } from "../../../../src/commands/sessions/replay/blocked.ts"

test("a blocked operation is listed until it is resumed, an added one until it is removed", async () => {
  const blocked = createBlockedOperations()
  const order: string[] = []
  const waiting = blocked.block({ kind: "running", callId: "c" }).then(() => order.push("continued"))
  const remove = blocked.add({ kind: "open-stream" })
  assert.deepEqual(
    [...blocked.all].map(({ kind }) => kind),
    ["running", "open-stream"],
  )
  const [first] = blocked.all
  assert.ok(first?.kind === "running" && first.callId === "c")
  order.push("resumed")
  first.resume()
  assert.equal(blocked.all.size, 1)
  await waiting
  assert.deepEqual(order, ["resumed", "continued"])
  remove()
  assert.equal(blocked.all.size, 0)
})
