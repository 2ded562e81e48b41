import assert from "node:assert/strict"
import { test } from "node:test"
import { createHolds } from "../../../../src/commands/sessions/replay/holds.ts"

test("what is held waits until it is let go, and is known meanwhile; what is kept until it is ended", async () => {
  const holds = createHolds()
  const order: string[] = []
  const waiting = holds.hold({ kind: "running", callId: "c" }).then(() => order.push("went on"))
  const end = holds.keep({ kind: "open-line" })
  assert.deepEqual(
    [...holds.held].map(({ kind }) => kind),
    ["running", "open-line"],
  )
  const [first] = holds.held
  assert.ok(first?.kind === "running" && first.callId === "c")
  order.push("let go")
  first.go()
  assert.equal(holds.held.size, 1)
  await waiting
  assert.deepEqual(order, ["let go", "went on"])
  end()
  assert.equal(holds.held.size, 0)
})
