import assert from "node:assert/strict"
import { test } from "node:test"
import type { PartialUpdate } from "@gong/spec"
import { openaiCompletions } from "../../src/openai-completions/provider.ts"
import { collect, events, fakeTransport, manualClock, modelOf } from "../helpers.ts"

async function read(chunks: readonly unknown[], model = modelOf()) {
  const transport = fakeTransport({ body: [events(...chunks)] })
  return collect(openaiCompletions(model, { transport, clock: manualClock(), credential: null }))
}

const delta = (delta: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
})
const piece = (more: object) => delta({ tool_calls: [more] })

async function contentOf(...chunks: readonly unknown[]) {
  const { reply } = await read(chunks)
  assert.ok(reply.ok, JSON.stringify(reply))
  return reply.message.content
}

for (const [row, field] of Object.entries({ 5: "reasoning_content", 6: "reasoning", 7: "reasoning_text" })) {
  test(`[PROVIDER-THK.${row}] ${field} is reasoning`, async () => {
    const { partials, reply } = await read([delta({ [field]: "hm" }), delta({ content: "a" }, "stop")])
    assert.deepEqual(partials.slice(1), [
      { type: "thinking", index: 0, delta: "hm" },
      { type: "text", index: 1, delta: "a" },
    ])
    assert.deepEqual(reply.ok && reply.message.content, [
      { type: "thinking", text: "hm", signature: field },
      { type: "text", text: "a" },
    ])
  })
}

test("reasoning under two names is taken once", async () => {
  assert.deepEqual(
    await contentOf(delta({ reasoning: "hm", reasoning_content: "hm" }), delta({ content: "a" }, "stop")),
    [
      { type: "thinking", text: "hm", signature: "reasoning_content" },
      { type: "text", text: "a" },
    ],
  )
})

test("late ids and names, and arguments before them", async () => {
  const { partials, reply } = await read([
    piece({ index: 0, function: { arguments: '{"a"' } }),
    piece({ index: 0, id: "c1" }),
    piece({ index: 0, function: { name: "ls", arguments: ":1" } }),
    piece({ index: 0, function: { arguments: "}" } }),
    delta({}, "tool_calls"),
  ])
  const shown = partials.slice(1).map((partial: PartialUpdate) => JSON.parse(JSON.stringify(partial)))
  assert.deepEqual(shown, [
    { type: "call", index: 0, id: "c1", name: "ls" },
    { type: "args", index: 0, delta: '{"a"' },
    { type: "args", index: 0, delta: ":1" },
    { type: "args", index: 0, delta: "}" },
  ])
  assert.deepEqual(reply.ok && reply.message.content, [
    { type: "tool_call", id: "c1", name: "ls", arguments: { a: 1 } },
  ])
})

test("calls without ids get one each, and so does the second of two with the same id", async () => {
  const calls = await contentOf(
    piece({ index: 0, function: { name: "a", arguments: "{}" } }),
    piece({ index: 1, id: "x", function: { name: "b", arguments: "{}" } }),
    piece({ index: 2, id: "x", function: { name: "c", arguments: "{}" } }),
    delta({}, "tool_calls"),
  )
  assert.deepEqual(
    calls.map((block) => block.type === "tool_call" && block.id),
    ["call_d1_0", "x", "call_d1_2"],
  )
})

test("several calls with index 0, or without an index", async () => {
  for (const index of [{ index: 0 }, {}]) {
    const calls = await contentOf(
      piece({ ...index, id: "x", function: { name: "a", arguments: '{"n":1}' } }),
      piece({ ...index, id: "y", function: { name: "b", arguments: '{"n":' } }),
      piece({ ...index, function: { arguments: "2}" } }),
      delta({}, "tool_calls"),
    )
    assert.deepEqual(calls, [
      { type: "tool_call", id: "x", name: "a", arguments: { n: 1 } },
      { type: "tool_call", id: "y", name: "b", arguments: { n: 2 } },
    ])
  }
})

test("arguments as an object, and a stop beside calls", async () => {
  const { reply } = await read([
    piece({ index: 0, id: "x", function: { name: "a", arguments: { n: 1 } } }),
    delta({}, "stop"),
  ])
  assert.ok(reply.ok)
  assert.equal(reply.message.stopReason, "tool_calls")
  assert.deepEqual(reply.message.content, [{ type: "tool_call", id: "x", name: "a", arguments: { n: 1 } }])
})

test("invalid JSON arguments are kept, and repaired only without guessing", async () => {
  const calls = await contentOf(
    piece({ index: 0, id: "x", function: { name: "a", arguments: "{path: 1}" } }),
    piece({ index: 1, id: "y", function: { name: "b", arguments: '{"n":1,}' } }),
    piece({ index: 2, id: "z", function: { name: "c", arguments: "" } }),
    delta({}, "tool_calls"),
  )
  assert.deepEqual(calls, [
    { type: "tool_call", id: "x", name: "a", arguments: {}, broken: "{path: 1}" },
    { type: "tool_call", id: "y", name: "b", arguments: { n: 1 } },
    { type: "tool_call", id: "z", name: "c", arguments: {} },
  ])
})

test("a call cut by the output limit is dropped; a complete one is kept", async () => {
  const { reply } = await read([
    piece({ index: 0, id: "x", function: { name: "a", arguments: '{"n":1}' } }),
    piece({ index: 1, id: "y", function: { name: "b", arguments: '{"command":"rm -r' } }),
    delta({}, "length"),
  ])
  assert.ok(reply.ok)
  assert.equal(reply.message.stopReason, "length")
  assert.deepEqual(
    reply.message.content.map((block) => block.type === "tool_call" && block.id),
    ["x"],
  )
})

test("[AGENT-4.5] content as a plain string, as blocks, or null", async () => {
  assert.deepEqual(await contentOf(delta({ content: null }), delta({ content: "a" }, "stop")), [
    { type: "text", text: "a" },
  ])
  const blocks = [
    { type: "text", text: "a" },
    { type: "text", text: "b" },
  ]
  assert.deepEqual(await contentOf(delta({ content: blocks }, "stop")), [{ type: "text", text: "ab" }])
  assert.deepEqual(await contentOf(delta({ content: "a" }), delta({ content: null }, "stop")), [
    { type: "text", text: "a" },
  ])
})

test("a negative count is invalid", async () => {
  const usage = {
    prompt_tokens: 10,
    completion_tokens: -20,
    prompt_tokens_details: { cached_tokens: -60 },
    completion_tokens_details: { reasoning_tokens: -5 },
  }
  const { reply } = await read([delta({ content: "a" }, "stop"), { choices: [], usage }])
  assert.deepEqual(reply.ok && reply.message.usage, { input: 10, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 })
})

test("[PROVIDER-TOK.2] [PROVIDER-ADP.8] usage: cached tokens are separate from input; reasoning is part of output unless the endpoint excludes it", async () => {
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 20,
    prompt_tokens_details: { cached_tokens: 60 },
    completion_tokens_details: { reasoning_tokens: 5 },
  }
  const chunks = [delta({ content: "a" }, "stop"), { choices: [], usage }]
  const price = { input: 1, output: 10, cacheRead: 0.1 }
  const plain = await read(chunks, modelOf({ price }))
  assert.ok(plain.reply.ok)
  assert.deepEqual(plain.reply.message.usage, { input: 40, output: 20, cacheRead: 60, cacheWrite: 0, reasoning: 5 })
  assert.equal(plain.reply.message.cost, (40 + 200 + 6) / 1_000_000)
  const added = await read(chunks, modelOf({ compat: { addReasoningTokens: true } }))
  assert.equal(added.reply.ok && added.reply.message.usage.output, 25)
})

test("[PROVIDER-OVF.9] z.ai truncates silently: more input than the window is an overflow, the exact window is not", async () => {
  const counted = async (prompt_tokens: number) => {
    const usage = { prompt_tokens, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 60_000 } }
    const chunks = [delta({ content: "a" }, "stop"), { choices: [], usage }]
    return (await read(chunks, modelOf({ compat: { silentOverflow: true } }))).reply
  }
  const over = await counted(100_001)
  assert.equal(!over.ok && over.failure.kind, "context-overflow")
  assert.equal((await counted(100_000)).ok, true)
})

test("content_filter is a refusal of the model, with the content so far", async () => {
  const { reply } = await read([delta({ content: "half" }), delta({}, "content_filter")])
  assert.ok(!reply.ok)
  assert.equal(reply.failure.kind, "model-refused")
  assert.equal(reply.failure.retryable, false)
  assert.deepEqual(reply.partial?.content, [{ type: "text", text: "half" }])
})

test("an error inside the stream is a failure of its kind", async () => {
  const { reply } = await read([
    delta({ content: "half" }),
    { error: { message: "Upstream is overloaded", code: 502 } },
    delta({ content: "x" }),
  ])
  assert.ok(!reply.ok)
  assert.equal(reply.failure.kind, "overloaded")
  assert.equal(reply.partial?.stopReason, "error")
  assert.deepEqual(reply.partial?.content, [{ type: "text", text: "half" }])
})

test("a non-streamed reply is accepted", async () => {
  const call = { id: "c1", type: "function", function: { name: "ls", arguments: '{"a":1}' } }
  const message = { role: "assistant", content: "text", reasoning_content: "hm", tool_calls: [call] }
  const whole = {
    choices: [{ index: 0, message, finish_reason: "tool_calls" }],
    usage: { prompt_tokens: 3, completion_tokens: 2 },
  }
  const transport = fakeTransport({ body: [JSON.stringify(whole, null, 1)] })
  const { reply } = await collect(openaiCompletions(modelOf(), { transport, clock: manualClock(), credential: null }))
  assert.ok(reply.ok)
  assert.deepEqual(reply.message.content, [
    { type: "thinking", text: "hm", signature: "reasoning_content" },
    { type: "text", text: "text" },
    { type: "tool_call", id: "c1", name: "ls", arguments: { a: 1 } },
  ])
  assert.equal(reply.message.usage.input, 3)
})

for (const name of ["thinking", "think"]) {
  test(`[PROVIDER-11] <${name}> tags at the beginning of a text become reasoning, in any chunks`, async () => {
    const whole = `<${name}>\nHm, <b> </thin\nso.\n</${name}>\n\nThe answer, about <${name}>.`
    for (let size = 1; size <= whole.length; size++) {
      const pieces = whole.match(new RegExp(`[^]{1,${size}}`, "g")) ?? []
      const { partials, reply } = await read([...pieces.map((content) => delta({ content })), delta({}, "stop")])
      assert.ok(reply.ok)
      assert.deepEqual(
        reply.message.content,
        [
          { type: "thinking", text: "Hm, <b> </thin\nso." },
          { type: "text", text: `The answer, about <${name}>.` },
        ],
        `in pieces of ${size}`,
      )
      assert.ok(partials.every((partial: PartialUpdate) => partial.type !== "text" || !partial.delta.includes("Hm")))
    }
  })
}

test("[PROVIDER-11] an apparent tag, and reasoning without an end, precede the calls", async () => {
  const call = piece({ index: 0, id: "c1", function: { name: "ls", arguments: "{}" } })
  const before = async (content: string) => (await contentOf(delta({ content }), call, delta({}, "tool_calls")))[0]
  assert.deepEqual(await before("<thi"), { type: "text", text: "<thi" })
  assert.deepEqual(await before("<think>Hm, </thi"), { type: "thinking", text: "Hm, </thi" })
})
