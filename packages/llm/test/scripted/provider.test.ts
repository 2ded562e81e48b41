import assert from "node:assert/strict"
import { test } from "node:test"
import { type PartialUpdate, failure, foldPartial, type LiveReply, textOf } from "@gong/spec"
import { scriptedModel, scriptedProvider } from "../../src/scripted/provider.ts"
import { pushedReply } from "../../src/scripted/push.ts"
import { requestWith, collect, manualClock, replyMessage } from "../helpers.ts"

const clock = manualClock()

test("a turn streams its reasoning, text and calls, in deltas of the given size", async () => {
  const script = [{ thinking: "hm", text: "hello", calls: [{ name: "ls", arguments: { a: 1 } }], usage: { input: 3 } }]
  const { partials, reply } = await collect(scriptedProvider(script, { clock, deltaSize: 4 }))
  assert.deepEqual(
    partials.map((partial) => JSON.parse(JSON.stringify(partial))),
    [
      { type: "start", draftId: "d1", model: { provider: "scripted", id: "script", api: "scripted" } },
      { type: "thinking", index: 0, delta: "hm" },
      { type: "text", index: 1, delta: "hell" },
      { type: "text", index: 1, delta: "o" },
      { type: "call", index: 2, id: "call_1_1", name: "ls" },
      { type: "args", index: 2, delta: '{"a"' },
      { type: "args", index: 2, delta: ":1}" },
    ],
  )
  assert.ok(reply.ok)
  assert.equal(reply.message.stopReason, "tool_calls")
  assert.equal(reply.message.usage.input, 3)
  assert.deepEqual(partials.findLast((partial) => partial.type === "args")?.partialArgs, { a: 1 })
})

test("turns follow each other, may depend on the request, and end in a failure", async () => {
  const provider = scriptedProvider([{ text: "one" }, (ask, index) => ({ text: `${index}:${ask.messages.length}` })], {
    clock,
  })
  const printed = async () => {
    const { reply } = await collect(provider)
    return reply.ok ? textOf(reply.message) : reply.failure.message
  }
  assert.deepEqual([await printed(), await printed(), await printed()], ["one", "1:1", "The script has no turn 3"])
  assert.equal(provider.requests.length, 3)
})

test("a failure follows the streamed content; an abort keeps it too", async () => {
  const why = failure("overloaded", "busy")
  const { reply } = await collect(scriptedProvider([{ text: "half", failure: why }], { clock }))
  assert.ok(!reply.ok)
  assert.equal(reply.failure, why)
  assert.deepEqual(reply.partial?.content, [{ type: "text", text: "half" }])

  const abort = new AbortController()
  const stream = scriptedProvider([{ thinking: "hm", text: "abcd" }], { clock, deltaSize: 2 }).stream(
    requestWith({ signal: abort.signal }),
  )
  for (let i = 0; i < 3; i++) await stream.next()
  abort.abort()
  const { value } = await stream.next()
  assert.ok(value && "ok" in value && !value.ok)
  assert.equal(value.failure.kind, "aborted")
  assert.equal(value.partial?.stopReason, "aborted")
})

test("delays go through the clock, and an abort ends them", async () => {
  const time = manualClock()
  const abort = new AbortController()
  const stream = scriptedProvider([{ text: "ab" }], { clock: time, deltaSize: 1, delayMs: 1000 }).stream(
    requestWith({ signal: abort.signal }),
  )
  await stream.next()
  const first = stream.next()
  await new Promise(setImmediate)
  time.advance(1000)
  assert.deepEqual((await first).value, { type: "text", index: 0, delta: "a" })
  const second = stream.next()
  await new Promise(setImmediate)
  abort.abort()
  assert.equal((await second).done, true)
})

test("arguments that are not JSON", async () => {
  const { reply } = await collect(scriptedProvider([{ calls: [{ name: "ls", broken: "{oops" }] }], { clock }))
  assert.deepEqual(reply.ok && reply.message.content, [
    { type: "tool_call", id: "call_1_1", name: "ls", arguments: {}, broken: "{oops" },
  ])
})

test("[TESTKIT-1] pushed partials come out in order, then the reply", async () => {
  const stream = pushedReply()
  const pieces: readonly PartialUpdate[] = [
    { type: "start", draftId: "d1", model: scriptedModel },
    { type: "text", index: 0, delta: "hel" },
    { type: "text", index: 0, delta: "lo" },
  ]
  for (const piece of pieces.slice(0, 2)) stream.push(piece)
  const reading = collect(stream)
  await new Promise(setImmediate)
  for (const piece of pieces.slice(2)) stream.push(piece)
  const reply = { ok: true, message: replyMessage([{ type: "text", text: "hello" }]) } as const
  stream.end(reply)
  const got = await reading
  assert.deepEqual(got, { partials: pieces, reply })
  const live = got.partials.reduce<LiveReply | null>(foldPartial, null)
  assert.deepEqual(live?.content, [{ type: "text", text: "hello" }])
})

test("a reply has its duration, and the time to its first content", async () => {
  const timed = manualClock(5_000)
  const provider = scriptedProvider([{ text: "abcd" }, {}], { clock: timed, deltaSize: 2 })
  const reply = await (async () => {
    const stream = provider.stream(requestWith())
    for (;;) {
      timed.advance(100)
      const next = await stream.next()
      if (next.done === true) return next.value
    }
  })()
  assert.ok(reply.ok)
  assert.deepEqual([reply.message.firstTokenMs, reply.message.durationMs], [100, 300])
})
