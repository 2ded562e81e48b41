import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, type FailureKind, type Hook, type NewEntry, noUsage, type Reply, type Step, textOf } from "@gong/spec"
import { type LoopPorts, run } from "@gong/loop"
import { type Turn, tool, type World, world } from "./harness.ts"

const partial: Step = {
  partial: { type: "start", draftId: "d1", model: { provider: "test", id: "m", api: "scripted" } },
}

/** A world whose first requests fail in this way, with or without a partial before. */
function failing(kinds: readonly FailureKind[], drafted: boolean, fit: Partial<Awaited<ReturnType<LoopPorts["fit"]>>>) {
  const left = [...kinds]
  const w = world([{ text: "whole" }])
  const { request } = w.ports
  const fitted: string[] = []
  let asked = 0
  w.ports = {
    ...w.ports,
    async fit(reason) {
      fitted.push(reason)
      return { changed: false, usage: noUsage, cost: 0, ...fit }
    },
    async *request(messages, signal): AsyncGenerator<Step, Reply, undefined> {
      asked += 1
      const kind = left.shift()
      if (kind === undefined) return yield* request(messages, signal)
      if (drafted) yield partial
      return { ok: false, failure: failure(kind, "too long"), partial: null }
    },
  }
  return { w, fitted, asked: () => asked }
}

const discarded = ({ steps }: World) =>
  steps.flatMap((step) => ("partial" in step && step.partial.type === "discard" ? [step.partial.draftId] : []))

test("a request that was too long is repeated once if the context could be compacted, and its partial is discarded", async () => {
  const tooLong = "context-overflow"
  for (const [kinds, drafted, changed, expected] of [
    [[tooLong], true, true, { status: "done", fitted: ["limit", "overflow"], asked: 2, gone: ["d1"] }],
    [[tooLong], false, true, { status: "done", fitted: ["limit", "overflow"], asked: 2, gone: [] }],
    [[tooLong], true, false, { status: "failed", fitted: ["limit", "overflow"], asked: 1, gone: ["d1"] }],
    [[tooLong, tooLong], true, true, { status: "failed", fitted: ["limit", "overflow"], asked: 2, gone: ["d1", "d1"] }],
    [["bad-request"], true, true, { status: "failed", fitted: ["limit"], asked: 1, gone: [] }],
    [[], true, true, { status: "done", fitted: ["limit"], asked: 1, gone: [] }],
  ] as const) {
    const { w, fitted, asked } = failing(kinds, drafted, { changed })
    const { status } = await w.go()
    assert.deepEqual({ status, fitted, asked: asked(), gone: discarded(w) }, expected)
  }
})

test("the cost of compaction counts for the limits of the run", async () => {
  const calls = { calls: [{ id: "c", name: "poll" }] }
  let n = 0
  const w = world([calls, calls, calls], [tool("poll", () => `state ${(n += 1)}`)], {
    limits: { maxTokens: 100 },
    fit: async () => ({ changed: true, usage: { ...noUsage, input: 50 }, cost: 0 }),
  })
  const end = await w.go()
  assert.deepEqual([end.limit, end.turns], ["tokens", 2])
})

test("a reply on the tape names the partial reply that it replaces, if there was one", async () => {
  const replyOf = ({ entries }: World) =>
    entries.filter((entry) => entry.type === "message" && entry.message.role === "assistant")
  const shown = world([{ text: "hello" }])
  await shown.go()
  assert.deepEqual(
    replyOf(shown).map((entry) => ("draftId" in entry ? entry.draftId : "none")),
    ["d"],
  )
  const silent = world([{ text: "hello" }])
  const { request } = silent.ports
  silent.ports = {
    ...silent.ports,
    async *request(messages, signal) {
      const steps = request(messages, signal)
      for (;;) {
        const { value, done } = await steps.next()
        if (done) return value
        if (!("partial" in value)) yield value
      }
    },
  }
  await silent.go()
  assert.deepEqual(
    replyOf(silent).map((entry) => "draftId" in entry),
    [false],
  )
})

const notes = ({ entries }: World) => entries.filter(({ type }) => type === "custom_message")
const noted = (customType: string, text: string): NewEntry => ({
  type: "custom_message",
  customType,
  content: [{ type: "text", text }],
  display: true,
})

test("notes for the model between turns are shown as well, under their own name", async () => {
  const calls = (id: string): Turn => ({ calls: [{ id, name: "poll" }], tokens: 50 })
  let n = 0
  const poll = tool("poll", () => `state ${(n += 1)}`)
  const turns = world([calls("1"), calls("2")], [poll], { limits: { maxTurns: 2 } })
  await turns.go()
  const tokens = world([calls("1"), calls("2")], [poll], { limits: { maxTokens: 60 } })
  await tokens.go()
  const cut = world([{ text: "half", stop: "length" }, { text: " and half" }])
  await cut.go()
  for (const [w, name, text] of [
    [turns, "gong.turns", /^This is the last turn before the limit/],
    [tokens, "gong.limit", /^83 % of what this run may use is used \(tokens\)/],
    [cut, "gong.go-on", /./],
  ] as const) {
    const [first, ...more] = notes(w)
    const printed = first?.type === "custom_message" ? textOf(first) : ""
    assert.deepEqual([first, more], [noted(name, printed), []])
    assert.match(printed, text)
  }
})

test("an abort while the model continues a cut reply ends the run", async () => {
  const w = world([{ text: "half", stop: "length" }, { text: "never" }])
  const steps = run(w.ports)
  for (;;) {
    const { value, done } = await steps.next()
    if (done) {
      assert.deepEqual([value.status, w.asked.length], ["interrupted", 1])
      return
    }
    if (!("entries" in value)) continue
    w.entries.push(...value.entries)
    if (notes(w).length > 0) w.abort.abort()
  }
})

test("watchers receive each turn: its number, its duration, and its calls", async () => {
  const events: unknown[] = []
  const watch: Hook = {
    name: "w",
    watch: async ({ session_id: _, ...event }) => {
      if (event.event === "turn.start" || event.event === "turn.end") events.push(event)
    },
  }
  const act = tool("act", async () => (await w.clock.advance(30), "done"))
  const w: World = world([{ calls: [{ id: "1", name: "act" }] }, { text: "ok" }], [act], { hooksGiven: [watch] })
  await w.go()
  assert.deepEqual(events, [
    { event: "turn.start", turn_index: 0 },
    { event: "turn.end", turn_index: 0, duration_ms: 30, tool_calls: [{ id: "1", tool: "act" }] },
    { event: "turn.start", turn_index: 1 },
    { event: "turn.end", turn_index: 1, duration_ms: 0, tool_calls: [] },
  ])
})
