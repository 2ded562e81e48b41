import assert from "node:assert/strict"
import { test } from "node:test"
import type { Model, Reply } from "@gong/spec"
import { openaiCompletions } from "../../src/openai-completions/provider.ts"
import { requestWith, collect, events, fakeTransport, manualClock, modelOf, silentAfter } from "../helpers.ts"

const text = (content: string, finish: string | null = null) => ({
  choices: [{ delta: { content }, finish_reason: finish }],
})

/** Runs a reply that stalls after some chunks, and advances the clock until it ends. */
async function stalled(model: Partial<Model>, pieces: readonly string[], steps: readonly number[]) {
  const transport = fakeTransport({ body: silentAfter(() => transport, ...pieces) })
  const clock = manualClock()
  const stream = openaiCompletions(modelOf(model), { transport, clock, credential: null }).stream(requestWith())
  let reply: Reply | null = null
  const done = (async () => {
    for (;;) {
      const next = await stream.next()
      if (next.done) return void (reply = next.value)
    }
  })()
  const ended: boolean[] = []
  for (const ms of steps) {
    await new Promise(setImmediate)
    clock.advance(ms)
    await new Promise(setImmediate)
    ended.push(reply !== null)
  }
  if (ended.at(-1)) await done
  return { ended, reply: reply as Reply | null, left: transport.left }
}

test("[AGENT-5.4] 30 s of silence after text: stalled, the connection closed, the content so far kept", async () => {
  const { ended, reply, left } = await stalled({}, [events(text("a"))], [29_999, 1])
  assert.deepEqual(ended, [false, true])
  assert.ok(reply && !reply.ok)
  assert.equal(reply.failure.kind, "stalled")
  assert.equal(reply.failure.retryable, true)
  assert.equal(reply.failure.message, "test sent nothing for 30 s")
  assert.deepEqual(reply.partial?.content, [{ type: "text", text: "a" }])
  assert.equal(left, 1)
})

test("the first event has 120 s, with reasoning 300 s, from a local address 600 s", async () => {
  assert.deepEqual((await stalled({ reasoning: false }, [], [119_999, 1])).ended, [false, true])
  assert.deepEqual((await stalled({ reasoning: true }, [], [299_999, 1])).ended, [false, true])
  for (const baseUrl of [
    "http://127.0.0.1:11434/v1",
    "http://192.168.1.5/v1",
    "http://[::1]/v1",
    "http://localhost/v1",
  ]) {
    assert.deepEqual((await stalled({ reasoning: false, baseUrl }, [], [599_999, 1])).ended, [false, true], baseUrl)
  }
})

test("during reasoning, and before the first text after it, 300 s", async () => {
  const thinking = { choices: [{ delta: { reasoning: "hm" } }] }
  assert.deepEqual((await stalled({}, [events(thinking)], [299_999, 1])).ended, [false, true])
})

test("pings extend a silence to 5 minutes, not longer", async () => {
  const clock = manualClock()
  async function* pings() {
    yield events(text("a"))
    for (let i = 0; i < 15; i++) {
      clock.advance(20_000)
      yield ": ping\n\n"
    }
    clock.advance(1)
    yield events(text("b", "stop"), "[DONE]")
  }
  const transport = fakeTransport({ body: pings() })
  const { reply } = await collect(openaiCompletions(modelOf(), { transport, clock, credential: null }))
  assert.ok(!reply.ok)
  assert.equal(reply.failure.kind, "stalled")
  assert.equal(reply.failure.message, "test kept the line open for 300 s without sending any content")
})

test("a complete reply does not wait for a server that keeps the connection open", async () => {
  const { ended, reply } = await stalled({}, [events(text("a", "stop"), "[DONE]")], [49, 1])
  assert.deepEqual(ended, [false, true])
  assert.equal(reply?.ok, true)
})

test("after a stop an open connection ends after 5 s without more content", async () => {
  const { ended, reply } = await stalled({}, [events(text("a"), text("", "stop"))], [4999, 1])
  assert.deepEqual(ended, [false, true])
  assert.equal(reply?.ok, true)
})

test("a stop in every event, or before more content, means nothing", async () => {
  for (const finish of ["stop", ""]) {
    assert.deepEqual((await stalled({}, [events(text("a", finish))], [29_999, 1])).ended, [false, true], finish)
    const clock = manualClock()
    async function* pieces() {
      for (const word of ["", "a", "b"]) {
        yield events(text(word, finish))
        await new Promise(setImmediate)
        clock.advance(word === "" ? 4999 : 29_999)
        await new Promise(setImmediate)
      }
    }
    const transport = fakeTransport({ body: pieces() })
    const { reply } = await collect(openaiCompletions(modelOf(), { transport, clock, credential: null }))
    assert.deepEqual(reply.ok && reply.message.content, [{ type: "text", text: "ab" }], finish)
  }
})
