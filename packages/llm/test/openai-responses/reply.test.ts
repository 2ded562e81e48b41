import assert from "node:assert/strict"
import { test } from "node:test"
import type { PartialUpdate } from "@gong/spec"
import { openaiResponses } from "../../src/openai-responses/provider.ts"
import { requestWith, collect, events, fakeTransport, manualClock, modelOf } from "../helpers.ts"

const model = modelOf({ api: "openai-responses" })

async function readBody(...body: readonly string[]) {
  return collect(openaiResponses(model, { transport: fakeTransport({ body }), clock: manualClock(), credential: null }))
}

const read = (...chunks: readonly unknown[]) => readBody(events(...chunks))

const added = (output_index: number, item: object) => ({ type: "response.output_item.added", output_index, item })
const ended = (output_index: number, item: object) => ({ type: "response.output_item.done", output_index, item })
const delta = (output_index: number, kind: string, text: string) => ({
  type: `response.${kind}.delta`,
  output_index,
  delta: text,
})
const over = (more: object = {}) => ({
  type: "response.completed",
  response: { status: "completed", output: [], ...more },
})
const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "ls", arguments: "" }

async function contentOf(...chunks: readonly unknown[]) {
  const { reply } = await read(...chunks)
  assert.ok(reply.ok, JSON.stringify(reply))
  return reply.message.content
}

async function failureOf(...chunks: readonly unknown[]) {
  const { reply } = await read(...chunks)
  assert.ok(!reply.ok)
  return reply.failure
}

test("[PROVIDER-ARG.2] arguments are streamed, and readable at every point", async () => {
  const pieces = ['{"path":"/sr', 'c","limit":1', "0}"].map((text) => delta(0, "function_call_arguments", text))
  const transport = fakeTransport({ body: [added(0, call), ...pieces, over()].map((chunk) => events(chunk)) })
  const seen: unknown[] = []
  const { reply } = await collect(
    openaiResponses(model, { transport, clock: manualClock(), credential: null }),
    requestWith(),
    (partial) => partial.type === "args" && seen.push({ ...partial.partialArgs }),
  )
  assert.deepEqual(seen, [{ path: "/sr" }, { path: "/src", limit: 1 }, { path: "/src", limit: 10 }])
  const [made] = reply.ok ? reply.message.content : []
  assert.deepEqual(made?.type === "tool_call" && made.arguments, { path: "/src", limit: 10 })
})

test("[PROVIDER-ARG.2] invalid JSON arguments are kept with the call; a cut call is dropped", async () => {
  const pieces = [added(0, call), delta(0, "function_call_arguments", '{"a": nul')]
  assert.deepEqual(await contentOf(...pieces, over()), [
    { type: "tool_call", id: "call_1|fc_1", name: "ls", arguments: {}, broken: '{"a": nul' },
  ])
  const { reply } = await read(...pieces)
  assert.ok(!reply.ok)
  assert.deepEqual([reply.failure.kind, reply.partial?.content], ["network", []])
})

test("usage: cache writes are part of the input and counted separately", async () => {
  const of = async (input_tokens: number, input_tokens_details: object) => {
    const usage = { input_tokens, input_tokens_details, output_tokens: 20 }
    const { reply } = await read(added(0, { type: "message" }), delta(0, "output_text", "a"), over({ usage }))
    return reply.ok && reply.message.usage
  }
  const written = { cached_tokens: 100, cache_write_tokens: 300 }
  const counts = { input: 100, output: 20, cacheRead: 100, cacheWrite: 300, reasoning: 0 }
  assert.deepEqual(await of(500, written), counts)
  // Less than the sum of its parts: these were excluded.
  assert.deepEqual(await of(200, written), { ...counts, input: 200 })
})

test("[PROVIDER-TOK.3] [PROVIDER-ADP.8] usage: input without cache reads, output, reasoning", async () => {
  const usage = {
    input_tokens: 120,
    input_tokens_details: { cached_tokens: 100 },
    output_tokens: 40,
    output_tokens_details: { reasoning_tokens: 8 },
  }
  const { reply } = await read(added(0, { type: "message" }), delta(0, "output_text", "a"), over({ usage }))
  const counts = { input: 20, output: 40, cacheRead: 100, cacheWrite: 0, reasoning: 8 }
  assert.deepEqual(reply.ok && reply.message.usage, counts)
})

test("two interleaved calls", async () => {
  const content = await contentOf(
    added(0, call),
    added(1, { ...call, id: "fc_2", call_id: "call_2" }),
    delta(1, "function_call_arguments", '{"b":2'),
    delta(0, "function_call_arguments", '{"a":1}'),
    delta(1, "function_call_arguments", "}"),
    over(),
  )
  assert.deepEqual(content, [
    { type: "tool_call", id: "call_1|fc_1", name: "ls", arguments: { a: 1 } },
    { type: "tool_call", id: "call_2|fc_2", name: "ls", arguments: { b: 2 } },
  ])
})

test("a server without deltas, with only done events or only the final event, is supported", async () => {
  const items = [
    { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "hm" }], encrypted_content: "c2" },
    { type: "message", content: [{ type: "output_text", text: "a" }] },
    { ...call, arguments: '{"a":1}' },
  ]
  const expected = [
    { type: "thinking", text: "hm", signature: "rs_1|c2" },
    { type: "text", text: "a" },
    { type: "tool_call", id: "call_1|fc_1", name: "ls", arguments: { a: 1 } },
  ]
  assert.deepEqual(await contentOf(...items.map((item, at) => ended(at, item)), over()), expected)
  assert.deepEqual(await contentOf(over({ output: items })), expected)
  const { reply } = await readBody(
    JSON.stringify({ object: "response", status: "completed", error: null, output: items }),
  )
  assert.deepEqual(reply.ok && reply.message.content, expected)
})

test("streamed arguments are not repeated by their final events", async () => {
  const content = await contentOf(
    added(0, call),
    delta(0, "function_call_arguments", '{"a":'),
    { type: "response.function_call_arguments.done", output_index: 0, arguments: '{"a":1}' },
    ended(0, { ...call, arguments: '{"a":1}' }),
    over(),
  )
  assert.deepEqual(content, [{ type: "tool_call", id: "call_1|fc_1", name: "ls", arguments: { a: 1 } }])
})

test("raw reasoning is kept; without its encrypted form it has no signature", async () => {
  const { partials, reply } = await read(
    added(0, { type: "reasoning", id: "rs_1" }),
    delta(0, "reasoning_text", "hm"),
    ended(0, { type: "reasoning", id: "rs_1", summary: [], content: [{ type: "reasoning_text", text: "hm" }] }),
    added(1, { type: "message" }),
    delta(1, "output_text", "a"),
    over(),
  )
  const shown: readonly PartialUpdate[] = partials.slice(1)
  assert.deepEqual(shown, [
    { type: "thinking", index: 0, delta: "hm" },
    { type: "text", index: 1, delta: "a" },
  ])
  assert.deepEqual(reply.ok && reply.message.content, [
    { type: "thinking", text: "hm" },
    { type: "text", text: "a" },
  ])
})

test("a call without ids gets one; other kinds of items are skipped", async () => {
  const content = await contentOf(
    added(0, { type: "web_search_call", id: "ws_1" }),
    ended(0, { type: "web_search_call", id: "ws_1" }),
    added(1, { type: "function_call", name: "ls", arguments: "{}" }),
    over(),
  )
  assert.deepEqual(content, [{ type: "tool_call", id: "call_d1_0", name: "ls", arguments: {} }])
})

test("incomplete: the output limit is `length`, a filter is a refusal", async () => {
  const begun = [added(0, { type: "message" }), delta(0, "output_text", "half")]
  const incomplete = (reason: string) => ({
    type: "response.incomplete",
    response: { status: "incomplete", incomplete_details: { reason } },
  })
  const { reply } = await read(...begun, incomplete("max_output_tokens"))
  assert.equal(reply.ok && reply.message.stopReason, "length")
  const filtered = await failureOf(...begun, incomplete("content_filter"))
  assert.deepEqual([filtered.kind, filtered.retryable], ["model-refused", false])
})

test("failures inside the stream are classified, in both of their forms", async () => {
  const failed = (code: string, message: string) => ({
    type: "response.failed",
    response: { status: "failed", error: { code, message } },
  })
  const kinds = [
    await failureOf(failed("rate_limit_exceeded", "Slow down")),
    await failureOf(failed("server_error", "Sorry")),
    await failureOf(failed("invalid_prompt", "No")),
    await failureOf(failed("context_length_exceeded", "Your input exceeds the context window of this model.")),
    await failureOf({ type: "error", code: "rate_limit_exceeded", message: "Slow down", param: null }),
    await failureOf({ type: "error", error: { type: "server_error", code: "x", message: "Sorry" } }),
    await failureOf({ type: "response.failed", response: { status: "failed", error: null } }),
  ].map(({ kind }) => kind)
  assert.deepEqual(kinds, [
    "rate-limit",
    "overloaded",
    "bad-request",
    "context-overflow",
    "rate-limit",
    "overloaded",
    "overloaded",
  ])
})

test("an empty reply and one without an end are failures", async () => {
  assert.equal((await failureOf({ type: "response.created", response: {} })).kind, "bad-reply")
  const half = await failureOf(added(0, { type: "message" }), delta(0, "output_text", "half"))
  assert.deepEqual([half.kind, half.retryable], ["network", true])
})

test("two merged streams are one failure, and the second is dropped", async () => {
  const created = { type: "response.created", response: { id: "r" } }
  const begun = [created, added(0, { type: "message" }), delta(0, "output_text", "half")]
  const second = [added(0, { type: "message" }), delta(0, "output_text", "other")]
  for (const chunks of [[created, ...second], second]) {
    const { reply } = await read(...begun, ...chunks, over())
    assert.ok(!reply.ok, JSON.stringify(reply))
    assert.match(reply.failure.message, /two replies in one stream/)
    assert.deepEqual(reply.partial?.content, [{ type: "text", text: "half" }])
  }
})

test("a repeated start before any content, and a reused index of finished items, are not a second stream", async () => {
  const created = { type: "response.created", response: { id: "r" } }
  const items = ["a", "b"].flatMap((words) => [
    added(0, { type: "message" }),
    delta(0, "output_text", words),
    ended(0, { type: "message" }),
  ])
  assert.deepEqual(await contentOf(created, created, ...items, over()), [
    { type: "text", text: "a" },
    { type: "text", text: "b" },
  ])
})

test("an empty piece, one of an unknown item, and one of the wrong kind add nothing", async () => {
  const { partials, reply } = await read(
    added(0, { type: "message" }),
    delta(0, "output_text", ""),
    delta(7, "output_text", "lost"),
    delta(0, "function_call_arguments", "{}"),
    delta(0, "output_text", "?"),
    added(1, call),
    delta(1, "output_text", "lost"),
    delta(1, "function_call_arguments", ""),
    delta(7, "function_call_arguments", "{}"),
    delta(1, "function_call_arguments", "{}"),
    { type: "response.function_call_arguments.done", output_index: 1, arguments: '{"other":1}' },
    { type: "response.output_text.delta", output_index: 0, delta: 5 },
    over(),
  )
  assert.deepEqual(
    partials.map((partial) => ("delta" in partial ? [partial.type, partial.delta] : partial.type)),
    ["start", ["text", "?"], "call", ["args", "{}"]],
  )
  assert.deepEqual(reply.ok && reply.message.content, [
    { type: "text", text: "?" },
    { type: "tool_call", id: "call_1|fc_1", name: "ls", arguments: {} },
  ])
})

test("parts of a reasoning summary are paragraphs, none before the first and none of other items", async () => {
  const part = (output_index: number) => ({ type: "response.reasoning_summary_part.added", output_index })
  const content = await contentOf(
    added(0, { type: "reasoning", id: "rs_1" }),
    part(0),
    delta(0, "reasoning_summary_text", "one"),
    part(0),
    delta(0, "reasoning_summary_text", "two"),
    part(7),
    added(1, { type: "message" }),
    delta(1, "output_text", "a"),
    part(1),
    over(),
  )
  assert.deepEqual(content, [
    { type: "thinking", text: "one\n\ntwo" },
    { type: "text", text: "a" },
  ])
  const whole = {
    type: "reasoning",
    id: "rs_1",
    summary: [{ text: "one" }, null, { text: "two" }],
    content: [{ text: "c" }],
  }
  assert.deepEqual(
    await contentOf(ended(0, whole), added(1, { type: "message" }), delta(1, "output_text", "a"), over()),
    [
      { type: "thinking", text: "one\n\ntwo" },
      { type: "text", text: "a" },
    ],
  )
})

test("a refusal is the text of a message, also where only the whole message comes", async () => {
  assert.deepEqual(await contentOf(added(0, { type: "message" }), delta(0, "refusal", "No."), over()), [
    { type: "text", text: "No." },
  ])
  const parts = [{ type: "output_text", text: "a" }, 5, { type: "refusal", refusal: "No." }]
  assert.deepEqual(await contentOf(ended(0, { type: "message", content: parts }), over()), [
    { type: "text", text: "aNo." },
  ])
})
