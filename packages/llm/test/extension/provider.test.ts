import assert from "node:assert/strict"
import { test } from "node:test"
import { deepFreeze, type Message, userText } from "@gong/spec"
import { openProvider } from "../../src/open-provider.ts"
import { requestWith, collect, events, fakeTransport, manualClock, modelOf, replyMessage } from "../helpers.ts"

const model = modelOf({ api: "extension", provider: "house", price: { input: 1, output: 10 } })

async function asked(pieces: readonly unknown[], messages?: readonly Message[]) {
  const transport = fakeTransport({ body: [events(...(pieces as object[]))] })
  const provider = await openProvider(model, { transport, clock: manualClock(), credential: null })
  const tools = [{ name: "ls", description: "lists", parameters: { type: "object" } }]
  const { partials, reply } = await collect(
    provider,
    requestWith({ tools, thinking: "low", ...(messages && { messages }) }),
  )
  return { partials, reply, body: transport.bodies()[0] as Readonly<Record<string, unknown>> }
}

const stop = { type: "stop", reason: "stop" }

test("pieces form a reply: reasoning, text, whole and streamed calls, tokens, cost", async () => {
  const { partials, reply } = await asked([
    { type: "ping" },
    { type: "thinking", text: "Hm" },
    { type: "thinking", text: ".", signature: "sealed" },
    { type: "thinking", text: "More" },
    { type: "text", text: "Hel" },
    { type: "text", text: "lo" },
    { type: "tool_call", id: "a", name: "ls", arguments: { path: "." } },
    { type: "tool_call", name: "ls" },
    { type: "arguments", text: '{"path":' },
    { type: "arguments", text: '"b"}' },
    { type: "usage", input: 10, output: 3, cacheRead: 5 },
    stop,
    { type: "text", text: "too late" },
  ])
  assert.ok(reply.ok, JSON.stringify(reply))
  assert.deepEqual(reply.message.content, [
    { type: "thinking", text: "Hm.", signature: "sealed" },
    { type: "thinking", text: "More" },
    { type: "text", text: "Hello" },
    { type: "tool_call", id: "a", name: "ls", arguments: { path: "." } },
    { type: "tool_call", id: "call_d1_4", name: "ls", arguments: { path: "b" } },
  ])
  assert.deepEqual(
    [reply.message.stopReason, reply.message.usage.cacheRead, reply.message.cost],
    ["tool_calls", 5, (10 + 5 + 30) / 1e6],
  )
  assert.deepEqual(
    partials.map(({ type }) => type),
    ["start", "thinking", "thinking", "thinking", "text", "text", "call", "args", "call", "args", "args"],
  )
})

test("alternating reasoning and text stay separate and in order, and partials have the index of their block", async () => {
  const { partials, reply } = await asked([
    { type: "text", text: "a" },
    { type: "thinking", text: "b" },
    { type: "thinking", text: "c" },
    { type: "text", text: "d" },
    { type: "tool_call", id: "e", name: "ls" },
    { type: "thinking", text: "f" },
    stop,
  ])
  assert.ok(reply.ok, JSON.stringify(reply))
  assert.deepEqual(
    reply.message.content.map((block) => (block.type === "tool_call" ? block.id : "text" in block ? block.text : "")),
    ["a", "bc", "d", "e", "f"],
  )
  assert.deepEqual(
    partials.flatMap((partial) => ("index" in partial ? [[partial.type, partial.index]] : [])),
    [
      ["text", 0],
      ["thinking", 1],
      ["thinking", 1],
      ["text", 2],
      ["call", 3],
      ["thinking", 4],
    ],
  )
})

test("the request is complete, and each call has its result", async () => {
  const call = { type: "tool_call", id: "a b", name: "ls", arguments: { path: "." } } as const
  const own = { model: { provider: "house", id: "m", api: "extension" } }
  const thought = { type: "thinking", text: "Hm.", signature: "sealed" } as const
  const { body } = await asked(
    [{ type: "text", text: "x" }, stop],
    [deepFreeze(userText("hi")), replyMessage([thought, call], own), deepFreeze(userText("go on"))],
  )
  assert.deepEqual(body, {
    model: "m",
    messages: [
      { role: "user", content: [{ type: "text", text: "hi" }] },
      { role: "assistant", content: [thought, { ...call, id: "a_b" }] },
      {
        role: "tool",
        toolCallId: "a_b",
        toolName: "ls",
        content: [{ type: "text", text: "No result provided" }],
        isError: true,
      },
      { role: "user", content: [{ type: "text", text: "go on" }] },
    ],
    system: "sys",
    tools: [{ name: "ls", description: "lists", parameters: { type: "object" } }],
    thinking: "low",
    maxOutput: 8000,
    sessionId: null,
  })
})

test("invalid replies are failures: cut, refused, failed by status or message, unknown pieces", async () => {
  const failed = async (...pieces: readonly unknown[]) => {
    const { reply } = await asked(pieces)
    assert.ok(!reply.ok)
    const { kind, retryable } = reply.failure
    return `${kind} ${retryable} ${reply.failure.retryAfterMs ?? ""}`.trim()
  }
  const some = { type: "text", text: "a" }
  assert.equal(await failed(some), "network true")
  assert.equal(await failed(), "bad-reply true")
  assert.equal(await failed(some, { type: "stop", reason: "refusal" }), "model-refused false")
  assert.equal(await failed({ type: "failure", message: "no", status: 401 }), "auth false")
  assert.equal(await failed({ type: "failure", message: "m", status: 429, retryAfterMs: 70 }), "rate-limit true 70")
  assert.equal(await failed({ type: "failure", message: "prompt is too long" }), "context-overflow false")
  assert.equal(await failed({ type: "failure", message: "hm" }), "overloaded true")
  for (const piece of [
    {},
    7,
    null,
    { type: "text" },
    { type: "text", text: 1 },
    { type: "tool_call", name: "ls", arguments: "{}" },
    { type: "tool_call" },
    { type: "arguments", text: "{}" },
    { type: "stop" },
    { type: "failure" },
  ])
    assert.equal(await failed(piece, some, stop), "bad-reply false", JSON.stringify(piece))
})

test("each reason to stop is kept; an unknown one is an invalid piece", async () => {
  for (const reason of ["stop", "length", "tool_calls"]) {
    const call = reason === "tool_calls" ? [{ type: "tool_call", name: "ls", arguments: {} }] : []
    const { reply } = await asked([{ type: "text", text: "a" }, ...call, { type: "stop", reason }])
    assert.equal(reply.ok && reply.message.stopReason, reason)
  }
  const { reply } = await asked([
    { type: "text", text: "a" },
    { type: "stop", reason: "tired" },
  ])
  assert.equal(reply.ok, false)
})

test("empty text is no partial, and an id that is empty is replaced", async () => {
  const { partials, reply } = await asked([
    { type: "text", text: "" },
    { type: "text", text: "a" },
    { type: "thinking", text: "", signature: "s" },
    { type: "tool_call", id: "", name: "ls" },
    { type: "arguments", text: "" },
    { type: "usage", input: "1", output: -2, cacheWrite: 4, reasoning: 1 },
    { type: "stop", reason: "tool_calls" },
  ])
  assert.ok(reply.ok, JSON.stringify(reply))
  assert.deepEqual(
    partials.map(({ type }) => type),
    ["start", "text", "call", "args"],
  )
  assert.deepEqual(reply.message.content, [
    { type: "text", text: "a" },
    { type: "thinking", text: "", signature: "s" },
    { type: "tool_call", id: "call_d1_2", name: "ls", arguments: {} },
  ])
  assert.deepEqual(reply.message.usage, { input: 0, output: 0, cacheRead: 0, cacheWrite: 4, reasoning: 1 })
})

test("an unknown piece is shown up to 100 characters, with where the known ones are listed", async () => {
  const { reply } = await asked([{ type: "x".repeat(100) }])
  assert.ok(!reply.ok)
  assert.equal(
    reply.failure.message,
    `house gave a piece that Gong does not know: ${JSON.stringify({ type: "x".repeat(100) }).slice(0, 100)}`,
  )
  assert.equal(reply.failure.hint, "docs/extensions.md lists the pieces of a reply.")
  const negative = await asked([{ type: "failure", message: "slow", status: 429, retryAfterMs: -1 }])
  assert.equal(!negative.reply.ok && negative.reply.failure.retryAfterMs, 0)
})
