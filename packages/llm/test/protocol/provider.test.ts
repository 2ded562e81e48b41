import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, FailureError, type Model, userText, type Reply } from "@gong/spec"
import { anthropicMessages } from "../../src/anthropic-messages/provider.ts"
import { googleGenerativeAi } from "../../src/google-generative-ai/provider.ts"
import { openaiCompletions } from "../../src/openai-completions/provider.ts"
import {
  requestWith,
  collect,
  events,
  type FakeReply,
  fakeTransport,
  manualClock,
  modelOf,
  type Piece,
  replyMessage,
  silentAfter,
} from "../helpers.ts"

const text = (content: string, finish: string | null = null) => ({
  choices: [{ delta: { content }, finish_reason: finish }],
})
const dropped = () => new FailureError(failure("network", "ECONNRESET: the connection was closed"))

function open(model: Partial<Model>, ...replies: readonly FakeReply[]) {
  const transport = fakeTransport(...replies)
  const clock = manualClock()
  return { transport, clock, provider: openaiCompletions(modelOf(model), { transport, clock, credential: null }) }
}

async function failed(...body: readonly Piece[]): Promise<Reply & { ok: false }> {
  const { reply } = await collect(open({}, { body }).provider)
  assert.ok(!reply.ok)
  return reply
}

test("[AGENT-5.1] a connection that drops in the middle is a network failure with the content so far", async () => {
  const { provider, transport } = open(
    {},
    { body: [events(text("a")), events(text("b")), events(text("c")), dropped()] },
  )
  const { partials, reply } = await collect(provider)
  assert.equal(partials.length, 4)
  assert.ok(!reply.ok)
  assert.equal(reply.failure.kind, "network")
  assert.equal(reply.failure.retryable, true)
  assert.match(reply.failure.message, /^the connection to test broke before the reply was complete \(ECONNRESET/)
  assert.deepEqual(reply.partial?.content, [{ type: "text", text: "abc" }])
  assert.equal(transport.left, 1)
})

test("[AGENT-5.2] a reply that is not JSON is a failure, and the next turn works", async () => {
  const good = { body: [events(text("fine", "stop"), "[DONE]")] }
  const { provider } = open({}, { body: [events(text("a")), 'data: {"choices":[{"del\n\n', events(text("b"))] }, good)
  const { reply } = await collect(provider)
  assert.ok(!reply.ok)
  assert.equal(reply.failure.kind, "bad-reply")
  assert.equal(reply.failure.message, 'test sent an event that is not JSON: {"choices":[{"del')
  assert.deepEqual(reply.partial?.content, [{ type: "text", text: "a" }])
  assert.equal((await collect(provider)).reply.ok, true)
})

test("[AGENT-5.2] truncated, empty, garbage and cut replies: one clear line each", async () => {
  assert.match(
    (await failed('{"choices":[{"mess')).failure.message,
    /^test sent something that is no reply: \{"choices"/,
  )
  const long = `{"a":"${"b".repeat(200)}`
  assert.equal(
    (await failed(long)).failure.message,
    `test sent something that is no reply: ${long.slice(0, 100)}`,
    "the first 100 characters",
  )
  assert.equal((await failed()).failure.message, "test sent an empty reply")
  assert.equal((await failed("data: [DONE]\n\n")).failure.kind, "bad-reply")
  assert.equal((await failed("Bad gateway")).failure.kind, "bad-reply")
  assert.equal((await failed(events(text("half")))).failure.message, "the reply of test ended before it was complete")
  assert.equal((await failed(new Uint8Array([0xff, 0xfe, 0x00, 0x80]))).failure.kind, "bad-reply")
})

test("a web page instead of an API: the base URL is named, without a retry", async () => {
  const { failure } = await failed("<!doctype html><title>Welcome</title>")
  assert.equal(failure.message, "http://model.test/v1 answered with a web page, not with an API: check the base URL")
  assert.equal(failure.retryable, false)
})

test("an error as the whole reply, with status 200", async () => {
  const { failure } = await failed('{"error":{"message":"Rate limit reached","type":"rate_limit"}}')
  assert.equal(failure.kind, "rate-limit")
})

test("a server that is not there", async () => {
  const refused = new FailureError(failure("network", "ECONNREFUSED 127.0.0.1:1"))
  const transport = { send: () => Promise.reject(refused) }
  const { reply } = await collect(openaiCompletions(modelOf(), { transport, clock: manualClock(), credential: null }))
  assert.ok(!reply.ok)
  assert.equal(reply.failure.message, "test is not reachable (ECONNREFUSED 127.0.0.1:1)")
  assert.equal(reply.failure.kind, "network")
  assert.equal(reply.partial, null)
})

test("an abort ends the reply at once, keeps the content so far, and closes the connection", async () => {
  const abort = new AbortController()
  const transport = fakeTransport({ body: silentAfter(() => transport, events(text("a"))) })
  const ports = { transport, clock: manualClock(), credential: null }
  const stream = openaiCompletions(modelOf(), ports).stream(requestWith({ signal: abort.signal }))
  await stream.next()
  await stream.next()
  const last = stream.next()
  await new Promise(setImmediate)
  abort.abort()
  const { value } = await last
  assert.ok(value && "ok" in value && !value.ok)
  assert.equal(value.failure.kind, "aborted")
  assert.equal(value.partial?.stopReason, "aborted")
  assert.deepEqual(value.partial?.content, [{ type: "text", text: "a" }])
  assert.equal(transport.left, 1)
})

test("an abort before the request sends nothing that counts", async () => {
  const { provider } = open({}, { body: [events(text("a", "stop"))] })
  const { reply } = await collect(provider, requestWith({ signal: AbortSignal.abort() }))
  assert.equal(!reply.ok && reply.failure.kind, "aborted")
})

test("an early return of the stream closes the connection", async () => {
  const { provider, transport } = open({}, { body: [events(text("a")), events(text("b", "stop"), "[DONE]")] })
  for await (const partial of provider.stream(requestWith())) if (partial.type === "text") break
  assert.equal(transport.left, 1)
})

test("a reply with its end marker is complete, even if the connection breaks afterwards", async () => {
  const { reply } = await collect(open({}, { body: [events(text("a", "stop")), dropped()] }).provider)
  assert.equal(reply.ok, true)
})

test("the duration, and the time to the first partial", async () => {
  const clock = manualClock()
  async function* body() {
    clock.advance(700)
    yield events(text("a"))
    clock.advance(300)
    yield events(text("b", "stop"), "[DONE]")
  }
  const { reply } = await collect(
    openaiCompletions(modelOf(), { transport: fakeTransport({ body: body() }), clock, credential: null }),
  )
  assert.ok(reply.ok)
  assert.equal(reply.message.firstTokenMs, 700)
  assert.equal(reply.message.durationMs, 1000)
})

test("[AGENT-5.3] a refused reasoning block: repeat without them, until the end of this run", async () => {
  const model = modelOf({ api: "anthropic-messages" })
  const message = "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`."
  const refusal = { status: 400, body: [JSON.stringify({ error: { type: "invalid_request_error", message } })] }
  const good = {
    body: [
      'data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"a"}}\n\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}\n\n',
    ],
  }
  const transport = fakeTransport(refusal, good, good, good)
  const provider = anthropicMessages(model, { transport, clock: manualClock(), credential: null })
  const thought = { type: "thinking", text: "hm", signature: "s" } as const
  const here = { provider: "test", id: "m", api: "anthropic-messages" }
  const messages = [
    userText("go"),
    replyMessage([thought, { type: "text", text: "t" }], { model: here }),
    userText("on"),
  ]
  const { partials, reply } = await collect(provider, requestWith({ messages, thinking: "low" }))
  assert.equal(reply.ok, true)
  assert.equal(partials.filter((partial) => partial.type === "start").length, 1)
  const thinks = () => transport.bodies().map((body) => JSON.stringify(body).includes('"thinking"'))
  assert.deepEqual(thinks(), [true, false])
  await collect(provider, requestWith({ messages, thinking: "low" }))
  assert.deepEqual(thinks(), [true, false, false])
  await collect(provider, requestWith({ messages: [...messages, userText("next")], thinking: "low" }))
  assert.deepEqual(thinks(), [true, false, false, true])
})

test("if nobody shows the stream, only the first of consecutive partials of a kind is given; the reply is complete", async () => {
  const delta = (content: string) => ({ choices: [{ index: 0, delta: { content } }] })
  const body = [events(delta("a"), delta("b"), delta("c")), events("[DONE]")]
  const given = async (wanted: boolean) => {
    const ports = { transport: fakeTransport({ body }), clock: manualClock(), credential: null }
    const ask = requestWith({ partialsWanted: () => wanted })
    const { partials, reply } = await collect(openaiCompletions(modelOf(), ports), ask)
    const content = reply.ok ? reply.message.content : reply.partial?.content
    return [partials.filter(({ type }) => type === "text").length, JSON.stringify(content)]
  }
  const whole = '[{"type":"text","text":"abc"}]'
  assert.deepEqual(await given(true), [3, whole])
  assert.deepEqual(await given(false), [1, whole])
})

test("the transport is told whether the reply is read live, at that time", async () => {
  let wanted = false
  const { provider, transport } = open({}, { body: [events("[DONE]")] })
  await collect(provider, requestWith({ partialsWanted: () => wanted }))
  const [request] = transport.requests
  assert.equal(request?.watched?.(), false)
  wanted = true
  assert.equal(request?.watched?.(), true)
})

test("the path precedes the query of a base URL, and the query stays", async () => {
  const ports = { clock: manualClock(), credential: null }
  const context = async (open: typeof openaiCompletions, baseUrl: string) => {
    const transport = fakeTransport({ body: [] })
    await collect(open(modelOf({ baseUrl }), { ...ports, transport }))
    return transport.requests[0]?.url
  }
  const version = "api-version=2024-10-01"
  assert.equal(await context(openaiCompletions, `http://h/v1?${version}`), `http://h/v1/chat/completions?${version}`)
  assert.equal(await context(openaiCompletions, `http://h/v1/?${version}`), `http://h/v1/chat/completions?${version}`)
  assert.equal(await context(anthropicMessages, "http://h?a=/b/"), "http://h/v1/messages?a=/b/")
  assert.equal(await context(openaiCompletions, "http://h/v1"), "http://h/v1/chat/completions")
  // A path with its own query keeps it.
  const google = `http://h/v1beta/models/m:streamGenerateContent?alt=sse&${version}`
  assert.equal(await context(googleGenerativeAi, `http://h/v1beta?${version}`), google)
})
