import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, type PublishedStep } from "@gong/spec"
import { createLiveState } from "../../src/events/live-state.ts"

const model = { provider: "p", id: "m", api: "a" }
const start: PublishedStep = { partial: { type: "start", draftId: "d1", model } }
const text = (delta: string): PublishedStep => ({ partial: { type: "text", index: 0, delta } })
const progress = (delta: string): PublishedStep => ({ partial: { type: "progress", callId: "c1", delta } })
const notification = (one: object): PublishedStep => ({ notification: one }) as PublishedStep
const entry = (body: object): PublishedStep => ({ entries: [{ id: "e", parentId: null, ...body }] }) as never
const message = (body: object, more: object = {}): PublishedStep => entry({ type: "message", message: body, ...more })

const retry = { code: "retry_start", attempt: 1, of: 3, delayMs: 1, failure: failure("network", "x"), draftId: "d1" }
const compaction = { code: "compaction_start", reason: "limit", tokens: 5 }
const question = {
  code: "permission_request",
  id: "q1",
  tool: "bash",
  args: {},
  title: "t",
  reason: "r",
  choices: ["no"],
}
const dialog = { code: "ui_request", id: "u1", question: "which?", choices: [], freeText: true }
const queue = (steer: readonly string[], followUp: readonly string[]) => ({
  code: "queue",
  steer: steer.map((id) => ({ id, text: id })),
  followUp: followUp.map((id) => ({ id, text: id })),
})
const end = entry({ type: "run_end", status: "done", turns: 1 })
const tool = message({ role: "tool", toolCallId: "c1" })
const reply = message({ role: "assistant" })

function after(...steps: readonly PublishedStep[]): readonly PublishedStep[] {
  const live = createLiveState()
  for (const step of steps) live.take(step)
  return live.steps(true)
}

test("the state contains unfinished things until their end", () => {
  const rows: readonly (readonly [string, PublishedStep, readonly PublishedStep[], readonly PublishedStep[]])[] = [
    ["a wait", notification(retry), [notification({ code: "retry_end", attempt: 1, ok: true }), end], [reply, tool]],
    [
      "a compaction",
      notification(compaction),
      [notification({ code: "compaction_end" }), entry({ type: "compaction" }), end],
      [reply],
    ],
    ["a question", notification(question), [notification({ code: "permission_end", id: "q1" })], [end, reply, tool]],
    [
      "a dialog",
      notification(dialog),
      [notification({ code: "ui_end", id: "u1" })],
      [end, notification({ code: "ui_end", id: "u2" })],
    ],
    [
      "messages",
      notification(queue(["s1"], [])),
      [notification(queue([], [])), message({ role: "user" }, { inputId: "s1" })],
      [end],
    ],
    ["output", progress("one"), [tool, end], [reply, message({ role: "tool", toolCallId: "c2" })]],
    ["something said", notification({ code: "waiting", level: "info", text: "x" }), [end], []],
  ]
  for (const [what, began, ends, others] of rows) {
    const reported = what === "something said" ? [] : [began]
    assert.deepEqual(after(began), reported, what)
    for (const step of others) assert.deepEqual(after(began, step), reported, `${what}: goes on`)
    for (const step of ends) assert.deepEqual(after(began, step), [], `${what}: over`)
  }
})

test("a reply is one delta for each block, until it is an entry or discarded", () => {
  const call: PublishedStep = { partial: { type: "call", index: 1, id: "c1", name: "read" } }
  const args = (delta: string): PublishedStep => ({ partial: { type: "args", index: 1, delta } })
  const begun = [start, text("he"), text("llo"), call, args('{"pa'), args('th"')]
  assert.deepEqual(after(...begun), [start, text("hello"), call, args('{"path"')])
  const drop: PublishedStep = { partial: { type: "discard", draftId: "d1" } }
  for (const over of [reply, end, drop]) assert.deepEqual(after(...begun, over), [])
  assert.deepEqual(after(...begun, notification(retry)), [notification(retry)])
  assert.deepEqual(after(...begun, tool), [start, text("hello"), call, args('{"path"')])
  assert.deepEqual(after(text("no start")), [])
})

test("the state has the last 65,536 characters of a tool's output, and the messages that still wait", () => {
  const [step] = after(progress("a".repeat(40_000)), progress("b".repeat(40_000)))
  assert.ok(step && "partial" in step && step.partial.type === "progress")
  assert.equal(step.partial.delta, `${"a".repeat(65_536 - 40_000)}${"b".repeat(40_000)}`)
  const taken = message({ role: "user" }, { inputId: "s2" })
  assert.deepEqual(after(notification(queue(["s1", "s2"], ["f1"])), taken), [notification(queue(["s1"], ["f1"]))])
})

test("the state of a task is part of its call until the result; partials only on request", () => {
  const inside = (step: PublishedStep): PublishedStep => ({ inside: "c1", step })
  const begun = [
    start,
    text("a"),
    notification(question),
    inside(start),
    inside(text("b")),
    inside(notification(dialog)),
  ]
  assert.deepEqual(after(...begun, tool), [start, text("a"), notification(question)])
  assert.deepEqual(after(...begun), begun)
  const live = createLiveState()
  for (const step of begun) live.take(step)
  assert.deepEqual(live.steps(false), [notification(question), inside(notification(dialog))])
})
