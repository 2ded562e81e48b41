import assert from "node:assert/strict"
import { test } from "node:test"
import { totalTokens } from "@gong/spec"
import { anthropicMessages } from "../../src/anthropic-messages/provider.ts"
import { requestWith, collect, events, fakeTransport, manualClock, modelOf } from "../helpers.ts"

const model = modelOf({ api: "anthropic-messages", baseUrl: "http://model.test" })

async function read(...chunks: readonly unknown[]) {
  const transport = fakeTransport({ body: [events(...chunks)] })
  return collect(anthropicMessages(model, { transport, clock: manualClock(), credential: null }))
}

const begin = (index: number, content_block: object) => ({ type: "content_block_start", index, content_block })
const delta = (index: number, delta: object) => ({ type: "content_block_delta", index, delta })
const stop = (reason: string) => ({
  type: "message_delta",
  delta: { stop_reason: reason },
  usage: { output_tokens: 9 },
})
const over = { type: "message_stop" }

test("[PROVIDER-ARG.1] arguments are streamed, and readable at every point", async () => {
  const chunks = [
    begin(0, { type: "tool_use", id: "t1", name: "read", input: {} }),
    delta(0, { type: "input_json_delta", partial_json: '{"path":"/sr' }),
    delta(0, { type: "input_json_delta", partial_json: 'c","limit":1' }),
    delta(0, { type: "input_json_delta", partial_json: "0}" }),
    stop("tool_use"),
    over,
  ]
  const transport = fakeTransport({ body: chunks.map((chunk) => events(chunk)) })
  const seen: unknown[] = []
  const { reply } = await collect(
    anthropicMessages(model, { transport, clock: manualClock(), credential: null }),
    requestWith(),
    (partial) => partial.type === "args" && seen.push({ ...partial.partialArgs }),
  )
  assert.deepEqual(seen, [{ path: "/sr" }, { path: "/src", limit: 1 }, { path: "/src", limit: 10 }])
  const [call] = reply.ok ? reply.message.content : []
  assert.deepEqual(call?.type === "tool_call" && call.arguments, { path: "/src", limit: 10 })
})

test("a negative count is invalid", async () => {
  const usage = { input_tokens: -5, cache_read_input_tokens: -1, cache_creation_input_tokens: 7, output_tokens: 1 }
  const details = { output_tokens_details: { thinking_tokens: -4 } }
  const { reply } = await read(
    { type: "message_start", message: { usage } },
    begin(0, { type: "text", text: "a" }),
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: -12, ...details } },
    over,
  )
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 7, reasoning: 0 }
  assert.deepEqual(reply.ok && reply.message.usage, none)
})

test("[PROVIDER-TOK.1] [PROVIDER-ADP.8] usage: input, cache reads and writes are separate; later counts replace, missing ones do not", async () => {
  const usage = { input_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 7, output_tokens: 1 }
  const details = { output_tokens_details: { thinking_tokens: 4 } }
  const { reply } = await read(
    { type: "message_start", message: { usage } },
    begin(0, { type: "text", text: "a" }),
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 12, ...details } },
    over,
  )
  assert.deepEqual(reply.ok && reply.message.usage, {
    input: 5,
    output: 12,
    cacheRead: 100,
    cacheWrite: 7,
    reasoning: 4,
  })
  assert.equal(reply.ok && totalTokens(reply.message.usage), 5 + 12 + 100 + 7, "without a total it is the sum")
})

test("blocks of unknown kinds are skipped, and the rest keeps its order", async () => {
  const { reply } = await read(
    begin(0, { type: "server_tool_use", id: "s", name: "web", input: {} }),
    delta(0, { type: "input_json_delta", partial_json: "{}" }),
    begin(1, { type: "text", text: "" }),
    delta(1, { type: "text_delta", text: "a" }),
    delta(1, { type: "citations_delta", citation: {} }),
    stop("end_turn"),
    over,
  )
  assert.deepEqual(reply.ok && reply.message.content, [{ type: "text", text: "a" }])
})

test("stop reasons: a full window is a length, a refusal is a failure", async () => {
  const ended = async (reason: string) => (await read(begin(0, { type: "text", text: "a" }), stop(reason), over)).reply
  const full = await ended("model_context_window_exceeded")
  assert.equal(full.ok && full.message.stopReason, "length")
  const refused = await ended("refusal")
  assert.equal(!refused.ok && refused.failure.kind, "model-refused")
})

test("[AGENT-S.18] an error event is a failure of its kind, and ends the reply", async () => {
  const { reply } = await read(begin(0, { type: "text", text: "half" }), {
    type: "error",
    error: { type: "overloaded_error", message: "Overloaded" },
  })
  assert.ok(!reply.ok)
  assert.deepEqual([reply.failure.kind, reply.failure.retryable], ["overloaded", true])
  assert.equal(reply.failure.message, "test is overloaded (Overloaded)")
  assert.deepEqual(reply.partial?.content, [{ type: "text", text: "half" }])
})

test("an error whose type is only in the SSE field is recognized", async () => {
  const { reply } = await read({ error: { type: "rate_limit_error", message: "slow down" } })
  assert.equal(!reply.ok && reply.failure.kind, "rate-limit")
})

test("a non-streamed reply is accepted", async () => {
  const content = [
    { type: "thinking", thinking: "hm", signature: "sig" },
    { type: "text", text: "a" },
    { type: "tool_use", id: "t1", name: "ls", input: { path: "." } },
  ]
  const whole = { type: "message", content, stop_reason: "tool_use", usage: { input_tokens: 1, output_tokens: 2 } }
  const transport = fakeTransport({ body: [JSON.stringify(whole)] })
  const { reply } = await collect(anthropicMessages(model, { transport, clock: manualClock(), credential: null }))
  assert.deepEqual(reply.ok && reply.message.content, [
    { type: "thinking", text: "hm", signature: "sig" },
    { type: "text", text: "a" },
    { type: "tool_call", id: "t1", name: "ls", arguments: { path: "." } },
  ])
  assert.equal(reply.ok && reply.message.stopReason, "tool_calls")
})

const start = (id: string) => ({ type: "message_start", message: { id, usage: { input_tokens: 5 } } })
const text = (index: number, words: string) => delta(index, { type: "text_delta", text: words })
const open = (index: number) => begin(index, { type: "text", text: "" })
const close = (index: number) => ({ type: "content_block_stop", index })

for (const { form, chunks } of [
  {
    form: "a second message begins in the middle of a block",
    chunks: [start("b"), open(0), text(0, "other"), close(0)],
  },
  { form: "a second message begins behind a whole block", chunks: [close(0), start("b"), open(0), text(0, "other")] },
  { form: "the same message begins again", chunks: [start("a"), open(0), text(0, "half")] },
  {
    form: "a second message begins behind the stop of the first",
    chunks: [close(0), stop("end_turn"), start("b"), open(0)],
  },
  { form: "a block begins under the number of one that is open", chunks: [open(0), text(0, "other"), close(0)] },
])
  test(`two merged streams are one failure, and the second is dropped: ${form}`, async () => {
    const { reply } = await read(start("a"), open(0), text(0, "half"), ...chunks, stop("end_turn"), over)
    assert.ok(!reply.ok, JSON.stringify(reply))
    assert.deepEqual([reply.failure.kind, reply.failure.retryable], ["bad-reply", true])
    assert.match(reply.failure.message, /two replies in one stream/)
    assert.deepEqual(reply.partial?.content, [{ type: "text", text: "half" }])
  })

test("a repeated start before any content, and a reused index of finished blocks, are not a second stream", async () => {
  const blocks = ["a", "b"].flatMap((words) => [open(0), text(0, words), close(0)])
  const { reply } = await read(start("a"), start("a"), ...blocks, stop("end_turn"), over, start("b"))
  assert.deepEqual(reply.ok && reply.message.content, [
    { type: "text", text: "a" },
    { type: "text", text: "b" },
  ])
})
