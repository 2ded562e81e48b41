import assert from "node:assert/strict"
import { test } from "node:test"
import { type PartialUpdate, foldPartial, type LiveReply } from "../../src/index.ts"

const model = { provider: "p", id: "m", api: "scripted" }
const start = (draftId: string): PartialUpdate => ({ type: "start", draftId, model })

function fold(...partials: readonly PartialUpdate[]): LiveReply | null {
  return partials.reduce<LiveReply | null>(foldPartial, null)
}

test("[AGENT-S.08] a start opens an empty live reply", () => {
  assert.deepEqual(fold(start("d1")), { draftId: "d1", model, content: [] })
})

test("[AGENT-S.09] each delta gives a new live reply and leaves the old one unchanged", () => {
  const one = fold(start("d1"), { type: "text", index: 0, delta: "he" })
  const two = foldPartial(one, { type: "text", index: 0, delta: "llo" })
  assert.deepEqual(one?.content, [{ type: "text", text: "he" }])
  assert.deepEqual(two?.content, [{ type: "text", text: "hello" }])
})

test("reasoning, text and calls are at their index", () => {
  const live = fold(
    start("d1"),
    { type: "thinking", index: 0, delta: "hm" },
    { type: "text", index: 1, delta: "so" },
    { type: "call", index: 2, id: "c1", name: "read" },
    { type: "call", index: 3, id: "c2", name: "ls" },
    { type: "args", index: 2, delta: '{"path":' },
    { type: "args", index: 3, delta: "{}" },
    { type: "args", index: 2, delta: '"a"}' },
  )
  assert.deepEqual(live?.content, [
    { type: "thinking", text: "hm" },
    { type: "text", text: "so" },
    { type: "tool_call", id: "c1", name: "read", argsText: '{"path":"a"}' },
    { type: "tool_call", id: "c2", name: "ls", argsText: "{}" },
  ])
})

test("a discard removes only its own reply; progress and updates without a start change nothing", () => {
  const live = fold(start("d1"), { type: "text", index: 0, delta: "x" })
  assert.equal(foldPartial(live, { type: "discard", draftId: "d1" }), null)
  assert.equal(foldPartial(live, { type: "discard", draftId: "d0" }), live)
  assert.equal(foldPartial(live, { type: "progress", callId: "c1", delta: "y" }), live)
  assert.equal(foldPartial(null, { type: "text", index: 0, delta: "x" }), null)
  assert.deepEqual(fold(start("d1"), { type: "args", index: 0, delta: "{}" })?.content, [])
})

test("a new start replaces the live reply of a failed attempt", () => {
  assert.deepEqual(fold(start("d1"), { type: "text", index: 0, delta: "x" }, start("d2")), {
    draftId: "d2",
    model,
    content: [],
  })
})
