import assert from "node:assert/strict"
import { test } from "node:test"
import { noUsage } from "@gong/spec"
import { googleGenerativeAi } from "../../src/google-generative-ai/provider.ts"
import { collect, type Collected, events, fakeTransport, manualClock, modelOf } from "../helpers.ts"

const model = modelOf({ provider: "google", api: "google-generative-ai" })

type Part = Readonly<Record<string, unknown>>

function chunk(parts: readonly Part[], more: object = {}, top: object = {}): object {
  return { candidates: [{ content: { role: "model", parts }, ...more, index: 0 }], ...top }
}

const end = (...parts: readonly Part[]) => chunk(parts, { finishReason: "STOP" })
const call = (name: string, args?: object, id?: string) => ({ functionCall: { name, args, ...(id ? { id } : {}) } })

function read(...chunks: readonly unknown[]): Promise<Collected> {
  const transport = fakeTransport({ body: [events(...chunks)] })
  return collect(googleGenerativeAi(model, { transport, clock: manualClock(), credential: null }))
}

async function contentOf(...chunks: readonly unknown[]) {
  const { reply } = await read(...chunks)
  assert.ok(reply.ok, JSON.stringify(reply))
  return reply.message.content
}

async function failureOf(...chunks: readonly unknown[]) {
  const { reply } = await read(...chunks)
  assert.ok(!reply.ok, JSON.stringify(reply))
  return reply
}

test("[PROVIDER-04] text is streamed between a start and an end", async () => {
  const { partials, reply } = await read(
    chunk([{ text: "4" }]),
    chunk([{ text: "2 " }, { text: "世" }]),
    end({ text: "!" }),
  )
  assert.deepEqual(
    partials.map((partial) => (partial.type === "text" ? [partial.index, partial.delta] : partial.type)),
    ["start", [0, "4"], [0, "2 "], [0, "世"], [0, "!"]],
  )
  assert.ok(reply.ok)
  assert.deepEqual([reply.message.content, reply.message.stopReason], [[{ type: "text", text: "42 世!" }], "stop"])
})

test("[PROVIDER-THK.8] a signature is kept with its part, and signed parts are never merged", async () => {
  const content = await contentOf(
    chunk([{ text: "Hm, ", thought: true }]),
    chunk([{ text: "ü.", thought: true, thoughtSignature: "QQ==" }]),
    chunk([{ text: "More.", thought: true }]),
    chunk([{ text: "I look." }]),
    chunk([{ ...call("ls", { path: "." }, "c1"), thoughtSignature: "Qg==" }]),
    end(call("ls", {}, "c2"), { text: "", thoughtSignature: "Qw==" }),
  )
  assert.deepEqual(content, [
    { type: "thinking", text: "Hm, ü.", signature: "QQ==" },
    { type: "thinking", text: "More.", signature: "" },
    { type: "text", text: "I look." },
    { type: "tool_call", id: "c1", name: "ls", arguments: { path: "." }, signature: "Qg==" },
    { type: "tool_call", id: "c2", name: "ls", arguments: {} },
    { type: "thinking", text: "", signature: "Qw==" },
  ])
})

const tagged = "\n<thinking>\nHm, <b> </thinkin>\nso.\n</thinking>\n\nThe answer."

test("[PROVIDER-THK.8] [PROVIDER-04] <thinking> tags at the beginning of a text become reasoning, in any chunks", async () => {
  const wanted = [
    { type: "thinking", text: "Hm, <b> </thinkin>\nso." },
    { type: "text", text: "The answer." },
  ]
  for (let size = 1; size <= tagged.length; size++) {
    const pieces = tagged.match(new RegExp(`[^]{1,${size}}`, "g")) ?? []
    const { partials, reply } = await read(...pieces.map((text) => chunk([{ text }])), end())
    assert.ok(reply.ok)
    assert.deepEqual(reply.message.content, wanted, `in pieces of ${size}`)
    const shown = (type: string) =>
      partials.map((partial) => (partial.type === type && "delta" in partial ? partial.delta : "")).join("")
    assert.deepEqual(
      [shown("thinking"), shown("text")],
      wanted.map(({ text }) => text),
    )
  }
})

test("tags in the middle of a text are text; an unclosed tag and half a tag lose nothing", async () => {
  assert.deepEqual(await contentOf(end({ text: "Write <thinking>x</thinking>." })), [
    { type: "text", text: "Write <thinking>x</thinking>." },
  ])
  assert.deepEqual(await contentOf(chunk([{ text: "<thin" }]), end()), [{ type: "text", text: "<thin" }])
  const open = await contentOf(chunk([{ text: "<thinking>I see </think" }]), end(call("ls", {}, "c1")))
  assert.deepEqual(open[0], { type: "thinking", text: "I see </think" })
})

test("[PROVIDER-04] a call comes whole; without an id it gets a stable one", async () => {
  const chunks = [
    chunk([call("read", { path: "/a" })]),
    end(call("ls"), call("ls", {}, "same"), call("ls", {}, "same")),
  ]
  const { partials, reply } = await read(...chunks)
  assert.ok(reply.ok)
  assert.equal(reply.message.stopReason, "tool_calls")
  const calls = reply.message.content.flatMap((block) =>
    block.type === "tool_call" ? [[block.id, block.arguments]] : [],
  )
  assert.deepEqual(calls, [
    ["call_d1_0", { path: "/a" }],
    ["call_d1_1", {}],
    ["same", {}],
    ["call_d1_3", {}],
  ])
  assert.deepEqual((await read(...chunks)).reply, reply)
  const [, begun, args] = partials
  assert.deepEqual(begun, { type: "call", index: 0, id: "call_d1_0", name: "read" })
  assert.deepEqual(args?.type === "args" && [args.delta, args.partialArgs], ['{"path":"/a"}', { path: "/a" }])
})

test("[PROVIDER-TOK.4] [PROVIDER-ADP.8] usage: the last count holds; cached tokens are separate from input, reasoning is part of output", async () => {
  const usageOf = async (...counts: readonly object[]) => {
    const { reply } = await read(...counts.map((usageMetadata) => chunk([{ text: "a" }], {}, { usageMetadata })), end())
    assert.ok(reply.ok)
    return reply.message.usage
  }
  const live = {
    promptTokenCount: 120,
    cachedContentTokenCount: 100,
    toolUsePromptTokenCount: 5,
    candidatesTokenCount: 30,
    thoughtsTokenCount: 10,
    totalTokenCount: 165,
  }
  const wanted = { input: 25, output: 40, cacheRead: 100, cacheWrite: 0, reasoning: 10 }
  assert.deepEqual(await usageOf({ promptTokenCount: 120, totalTokenCount: 120 }, live), wanted)
  assert.deepEqual(await usageOf({ inputTokenCount: 7, outputTokenCount: 3 }), { ...noUsage, input: 7, output: 3 })
  assert.deepEqual(await usageOf({ promptTokenCount: 5, cachedContentTokenCount: 9, candidatesTokenCount: -1 }), {
    ...noUsage,
    input: 5,
    cacheRead: 9,
  })
})

test("[PROVIDER-04] every stop reason: a limit, a refusal, or a retryable error", async () => {
  const stopped = async (finishReason: string, finishMessage?: string) => {
    const { reply } = await read(chunk([{ text: "half" }], { finishReason, finishMessage }))
    if (reply.ok) return reply.message.stopReason
    assert.deepEqual(reply.partial?.content, [{ type: "text", text: "half" }])
    return [reply.failure.kind, reply.failure.retryable, reply.failure.message]
  }
  assert.equal(await stopped("STOP"), "stop")
  assert.equal(await stopped("MAX_TOKENS"), "length")
  for (const reason of ["SAFETY", "RECITATION", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "LANGUAGE"]) {
    assert.deepEqual(await stopped(reason), ["model-refused", false, `google stopped the reply: ${reason}`])
  }
  const broken = "google could not end the reply: MALFORMED_FUNCTION_CALL, Malformed function call: ls("
  assert.deepEqual(await stopped("MALFORMED_FUNCTION_CALL", "Malformed function call: ls("), [
    "bad-reply",
    true,
    broken,
  ])
  assert.deepEqual(await stopped("OTHER"), ["bad-reply", true, "google could not end the reply: OTHER"])
})

test("[PROVIDER-04] a blocked prompt, and an empty reply", async () => {
  const blocked = await failureOf({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" }, usageMetadata: {} })
  assert.deepEqual(
    [blocked.failure.kind, blocked.failure.retryable, blocked.failure.message, blocked.partial],
    ["model-refused", false, "google refused the prompt: PROHIBITED_CONTENT", null],
  )
  for (const chunks of [[end()], [end({ text: "" })], [chunk([{ text: "Hm", thought: true }]), end()], []]) {
    const { failure } = await failureOf(...chunks)
    assert.deepEqual(
      [failure.kind, failure.retryable, failure.message],
      ["bad-reply", true, "google sent an empty reply"],
    )
  }
})

test("a reply with the reason in every chunk is read to its end; without a reason it is cut", async () => {
  const stop = { finishReason: "STOP" }
  assert.deepEqual(await contentOf(chunk([{ text: "a" }], stop), chunk([{ text: "b" }], stop)), [
    { type: "text", text: "ab" },
  ])
  const { failure, partial } = await failureOf(chunk([{ text: "a" }]), chunk([call("ls", { path: "." })]))
  assert.equal(failure.kind, "network")
  assert.deepEqual(
    partial?.content.map(({ type }) => type),
    ["text", "tool_call"],
  )
})

test("an error in the middle of the stream keeps the content so far", async () => {
  const error = { code: 503, message: "The model is overloaded. Please try again later.", status: "UNAVAILABLE" }
  const { failure, partial } = await failureOf(chunk([{ text: "half" }]), { error }, end({ text: "never" }))
  assert.deepEqual([failure.kind, failure.retryable], ["overloaded", true])
  assert.deepEqual(partial?.content, [{ type: "text", text: "half" }])
  const wrong = { code: 400, message: "Request contains an invalid argument.", status: "INVALID_ARGUMENT" }
  assert.equal((await failureOf({ error: wrong })).failure.kind, "bad-request")
})

test("a non-streamed reply, and a list of chunks, are the same", async () => {
  const all = [chunk([{ text: "a" }]), end({ text: "b" })]
  for (const body of [JSON.stringify(all), JSON.stringify(end({ text: "ab" }))]) {
    const transport = fakeTransport({ body: [body] })
    const { reply } = await collect(googleGenerativeAi(model, { transport, clock: manualClock(), credential: null }))
    assert.ok(reply.ok)
    assert.deepEqual(reply.message.content, [{ type: "text", text: "ab" }])
  }
})

test("unknown parts, fields of the wrong type and values that are no objects are skipped", async () => {
  const odd = [
    null,
    7,
    '"x"',
    { candidates: "no" },
    { candidates: [null] },
    { candidates: [{ content: { parts: [null, 7, "x"] } }] },
    chunk([{ executableCode: { code: "1" } }, { text: 5 }]),
  ]
  assert.deepEqual(await contentOf(...odd, { candidates: [{ content: 1 }] }, end({ text: "ok" })), [
    { type: "text", text: "ok" },
  ])
})

test("a text of one question mark is content, and a part without text adds none", async () => {
  const signed = { thoughtSignature: "QQ==" }
  assert.deepEqual(await contentOf(chunk([{ text: "?" }]), end()), [{ type: "text", text: "?" }])
  assert.deepEqual(await contentOf(chunk([{ text: "a" }, signed]), end()), [
    { type: "text", text: "a" },
    { type: "thinking", text: "", signature: "QQ==" },
  ])
  assert.deepEqual(await contentOf(chunk([{ thought: true, text: "?" }, { text: "a" }]), end()), [
    { type: "thinking", text: "?", signature: "" },
    { type: "text", text: "a" },
  ])
  const { partials } = await read(
    chunk([{ thought: true, ...signed }, { thought: true, text: "" }, { text: "" }]),
    end(),
  )
  assert.deepEqual(
    partials.map(({ type }) => type),
    ["start"],
  )
})
