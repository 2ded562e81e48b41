import assert from "node:assert/strict"
import { test } from "node:test"
import * as protocol from "../../src/openai-completions/reply.ts"
import { stepped } from "../steps.ts"

const delta = (more: object, reason?: unknown) => ({ choices: [{ delta: more, finish_reason: reason ?? null }] })
const stop = (reason: string) => delta({}, reason)

test("text, refusals and reasoning under each name are blocks of their kind", () => {
  const { partials, content, ended } = stepped(protocol, [
    null,
    "noise",
    { choices: [] },
    { choices: ["no choice"] },
    delta({ reasoning_content: "a", reasoning: "a" }),
    delta({ reasoning_content: "b", reasoning_text: 1 }),
    delta({ content: "c", refusal: "" }),
    delta({ content: null, refusal: "d" }),
    delta({
      content: [{ type: "text", text: "e" }, "no part", { type: "image", text: 1 }, { type: "text", text: "" }],
    }),
    delta({ reasoning: "f" }),
    delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "g" }, { type: "reference" }] }] }),
    delta({ content: [{ type: "thinking", thinking: "h" }] }),
    stop("stop"),
    "[DONE]",
  ])
  assert.deepEqual(partials, [
    { type: "thinking", index: 0, delta: "a" },
    { type: "thinking", index: 0, delta: "b" },
    { type: "text", index: 1, delta: "c" },
    { type: "text", index: 1, delta: "d" },
    { type: "text", index: 1, delta: "e" },
    { type: "thinking", index: 2, delta: "f" },
    { type: "thinking", index: 2, delta: "g" },
    { type: "thinking", index: 2, delta: "h" },
  ])
  assert.deepEqual(content, [
    { type: "thinking", text: "ab", signature: "reasoning_content" },
    { type: "text", text: "cde" },
    { type: "thinking", text: "fgh", signature: "reasoning" },
  ])
  assert.equal(ended, true)
})

test("calls are distinguished, and announced with a name and an id or arguments", () => {
  const call = (index: number | undefined, id: unknown, name: unknown, args: unknown) => ({
    ...(index !== undefined && { index }),
    id,
    function: { name, arguments: args },
  })
  const calls = (...list: unknown[]) => delta({ tool_calls: list })
  const { partials, content } = stepped(protocol, [
    calls(),
    calls("no call", call(0, "i", "", "")),
    calls(call(0, "", "ls", "")),
    calls(call(0, null, null, '{"p":')),
    calls(call(0, "", "", "1}")),
    calls({ ...call(1, "", "cat", { q: 2 }), extra_content: { google: { thought_signature: "" } } }),
    calls(call(undefined, "k", "cat", "{}")),
    calls({ index: 7, id: "l", function: 1, extra_content: { google: { thought_signature: "s" } } }),
    calls({ index: 7, function: { name: "rm" }, extra_content: { google: { thought_signature: "" } } }),
    stop("tool_calls"),
  ])
  assert.deepEqual(partials, [
    { type: "call", index: 0, id: "i", name: "ls" },
    { type: "args", index: 0, delta: '{"p":' },
    { type: "args", index: 0, delta: "1}" },
    { type: "call", index: 1, id: "call_d1_1", name: "cat" },
    { type: "args", index: 1, delta: '{"q":2}' },
    { type: "call", index: 2, id: "k", name: "cat" },
    { type: "args", index: 2, delta: "{}" },
    { type: "call", index: 3, id: "l", name: "rm" },
  ])
  assert.deepEqual(content, [
    { type: "tool_call", id: "i", name: "ls", arguments: { p: 1 } },
    { type: "tool_call", id: "call_d1_1", name: "cat", arguments: { q: 2 } },
    { type: "tool_call", id: "k", name: "cat", arguments: {} },
    { type: "tool_call", id: "l", name: "rm", arguments: {}, signature: "s" },
  ])
})

test("every way of ending a reply counts, and without one it is cut off", () => {
  const text = delta({ content: "a" })
  const cut = "network: the reply of test ended before it was complete"
  const rows = [
    [[text], cut],
    [[text, "[DONE]"], null],
    [[text, delta({}, "")], null],
    [[text, stop("length")], null],
    [[text, delta({}, 1)], cut],
    [["[DONE]"], "bad-reply: test sent an empty reply"],
    [[delta({}, "")], "bad-reply: test sent an empty reply"],
    [[stop("stop")], "bad-reply: test sent an empty reply"],
    [[text, stop("content_filter")], "model-refused: test stopped the reply: content_filter"],
    [[text, stop("refusal")], "model-refused: test stopped the reply: refusal"],
    [[text, stop("sensitive")], "model-refused: test stopped the reply: sensitive"],
    [[text, stop("error")], "overloaded: test failed (the reply ended with an error: error)"],
    [[text, stop("network_error")], "overloaded: test failed (the reply ended with an error: network_error)"],
  ] as const
  for (const [chunks, failed] of rows) assert.equal(stepped(protocol, chunks).failed, failed, JSON.stringify(chunks))
  assert.equal(stepped(protocol, [stop("stop")], { afterTool: true }).failed, null)
  for (const [reason, stopped] of [
    ["stop", "stop"],
    ["length", "length"],
    ["model_context_window_exceeded", "length"],
    ["function_call", "stop"],
    ["eos", "stop"],
  ] as const) {
    const { reply } = stepped(protocol, [text, stop(reason)])
    assert.equal(reply.ok && reply.message.stopReason, stopped, reason)
  }
})

test("a truncated prompt is detected by counts: from 99 in 100 of the window, or beyond it for a silent endpoint", () => {
  const counted = (prompt: number, more: object = {}, output = 0) => {
    const usage = { prompt_tokens: prompt, completion_tokens: output }
    const chunks = [...(output > 0 ? [delta({ content: "a" })] : []), { ...stop("length"), usage }]
    return stepped(protocol, chunks, { more: { contextWindow: 1000, ...more } }).failed?.split(" ")[0] ?? null
  }
  assert.equal(counted(990), "context-overflow:")
  assert.notEqual(counted(989), "context-overflow:")
  assert.equal(counted(990, {}, 1), null)
  const silent = { compat: { silentOverflow: true } }
  assert.equal(counted(1000, silent, 1), null)
  assert.equal(counted(1001, silent, 1), "context-overflow:")
  assert.equal(counted(1001, {}, 1), null)
})

test("counts are in the chunk or its choice, and cached tokens under any of their names", () => {
  const usage = (given: object, more: object = {}) => {
    const chunks = [delta({ content: "a" }), { ...stop("stop"), usage: given }]
    return stepped(protocol, chunks, { more }).usage
  }
  const details = {
    prompt_tokens: 10,
    completion_tokens: 5,
    prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 2 },
    completion_tokens_details: { reasoning_tokens: 4 },
  }
  const read = { input: 5, output: 5, cacheRead: 3, cacheWrite: 2, reasoning: 4 }
  assert.deepEqual(usage(details), read)
  assert.deepEqual(usage({ ...details, total_tokens: 19 }), { ...read, output: 9 })
  assert.deepEqual(usage(details, { compat: { addReasoningTokens: true } }), { ...read, output: 9 })
  for (const name of ["cached_tokens", "prompt_cache_hit_tokens"])
    assert.equal(usage({ prompt_tokens: 10, completion_tokens: 1, [name]: 6 })?.cacheRead, 6, name)
  const inside = { choices: [{ delta: {}, finish_reason: "stop", usage: details }] }
  assert.deepEqual(stepped(protocol, [delta({ content: "a" }), inside]).usage, read)
  assert.deepEqual(usage({ prompt_tokens_details: 1 }), {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    reasoning: 0,
  })
})

test("an error in a stream is distinguished from a chunk without choices", () => {
  const text = delta({ content: "a" })
  const failed = (...chunks: unknown[]) => stepped(protocol, [text, ...chunks, stop("stop")]).failed
  assert.equal(failed({ usage: {} }), null)
  assert.equal(failed({ id: "ping" }), null)
  assert.match(failed({ error: { message: "Overloaded now" } }) ?? "", /^overloaded: .*Overloaded now/)
  assert.match(failed({ ...text, error: "It broke" }) ?? "", /^overloaded: .*It broke/)
  assert.match(failed({ error: 5 }) ?? "", /\{"error":5\}/)
})

test("a non-streamed reply is one chunk and its end", () => {
  const message = { content: "a", tool_calls: [{ id: "i", function: { name: "ls", arguments: "{}" } }] }
  const chunks = protocol.chunksOf({ choices: [{ message, finish_reason: "stop" }] }) ?? []
  assert.deepEqual(stepped(protocol, chunks).content, [
    { type: "text", text: "a" },
    { type: "tool_call", id: "i", name: "ls", arguments: {} },
  ])
  for (const none of [null, {}, { choices: [] }, { choices: [{}] }, { choices: [{ message: "a" }] }])
    assert.equal(protocol.chunksOf(none), null)
})
