import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, type Hook, type Reply, type Step } from "@gong/spec"
import { run } from "@gong/loop"
import { world } from "./harness.ts"

test("an early return at a partial also returns the model's stream", async () => {
  let closed = 0
  async function* endless(): AsyncGenerator<Step, Reply, undefined> {
    try {
      for (;;) yield { partial: { type: "text", index: 0, delta: "x" } }
    } finally {
      closed += 1
    }
  }
  const { ports, abort } = world([], [], { request: () => endless() })
  const steps = run(ports)
  for (;;) {
    const { value, done } = await steps.next()
    if (done || "partial" in value) break
  }
  abort.abort()
  await steps.return({ status: "interrupted", turns: 0 })
  assert.equal(closed, 1)
})

test("after an abort pending input stays queued, where it can still be answered", async () => {
  for (const kind of ["steer", "follow_up"] as const) {
    const w = world([{ text: "one" }, { text: "two" }])
    const steps = run(w.ports)
    for (;;) {
      const { value, done } = await steps.next()
      if (done) {
        assert.equal(value.status, "interrupted")
        break
      }
      if (!("entries" in value)) continue
      w.entries.push(...value.entries)
      if (!value.entries.some((entry) => entry.type === "message" && entry.message.role === "assistant")) continue
      w.put(kind, "and then?")
      w.abort.abort()
    }
    assert.equal(w.asked.length, 1)
    assert.equal(w.ports.inbox.has(kind), true)
  }
})

test("a run that was stopped before its first request sends none, and takes only its prompt", async () => {
  const w = world([{ text: "never" }])
  w.put("steer", "and then?")
  w.abort.abort()
  const end = await w.go()
  assert.deepEqual([end.status, end.turns, w.asked.length], ["interrupted", 0, 0])
  assert.equal(w.ports.inbox.has("steer"), true)
})

test("[AGENT-S.11] of a reply that broke off the text is kept, and trailing reasoning is dropped", async () => {
  const model = { provider: "test", id: "m", api: "scripted" }
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
  const thought = { type: "thinking", text: "hm", signature: "s" } as const
  const words = { type: "text", text: "so far" } as const
  const blank = { type: "text", text: " \n" } as const
  const call = { type: "tool_call", id: "c", name: "ls", arguments: {} } as const
  for (const { content, kept } of [
    { content: [thought, words, thought], kept: [[thought, words]] },
    { content: [thought], kept: [] },
    { content: [blank], kept: [] },
    { content: [thought, words, blank], kept: [[thought, words]] },
    { content: [words, call, words, call], kept: [[words, words]] },
  ]) {
    const partial = {
      role: "assistant",
      content,
      model,
      stopReason: "stop",
      usage: { ...usage, output: 9 },
      cost: 7,
    } as const
    const w = world([{ ok: false, failure: failure("network", "gone"), partial }])
    await w.go()
    const replies = w.entries.flatMap((entry) =>
      entry.type === "message" && entry.message.role === "assistant" ? [entry.message] : [],
    )
    // Its cost is in the `model_call` of the attempt.
    const own = { role: "assistant", model, stopReason: "error", usage, cost: 0 }
    assert.deepEqual(
      replies,
      kept.map((part) => ({ ...own, content: part })),
    )
  }
})

test("a run that is stopped after its complete answer is done, without calling hooks", async () => {
  let asked = 0
  const hook: Hook = { name: "h", beforeStop: async () => ((asked += 1), { answer: "block", reason: "go on" }) }
  const w = world([{ text: "one" }], [], { hooksGiven: [hook] })
  const steps = run(w.ports)
  for (;;) {
    const { value, done } = await steps.next()
    if (done) {
      assert.equal(value.status, "done")
      break
    }
    if ("entries" in value && value.entries.some((entry) => entry.type === "message" && "draftId" in entry))
      w.abort.abort()
  }
  assert.equal(asked, 0)
})
