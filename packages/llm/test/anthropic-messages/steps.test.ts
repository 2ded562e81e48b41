import assert from "node:assert/strict"
import { test } from "node:test"
import * as protocol from "../../src/anthropic-messages/reply.ts"
import { stepped } from "../steps.ts"

const begin = (index: number, block: object) => ({ type: "content_block_start", index, content_block: block })
const delta = (index: number, more: object) => ({ type: "content_block_delta", index, delta: more })
const end = (index: number) => ({ type: "content_block_stop", index })
const stop = (reason: unknown) => ({ type: "message_delta", delta: { stop_reason: reason } })
const over = { type: "message_stop" }
const text = (index: number, words: string) => delta(index, { type: "text_delta", text: words })

test("each update of text, reasoning and arguments is a partial of its block, and nothing else is", () => {
  const { partials, content, ended } = stepped(protocol, [
    null,
    { type: "ping" },
    begin(0, { type: "thinking", thinking: "a", signature: "s" }),
    delta(0, { type: "thinking_delta", thinking: "b" }),
    delta(0, { type: "thinking_delta", thinking: 1 }),
    delta(0, { type: "signature_delta", signature: "t" }),
    delta(0, { type: "signature_delta", signature: "" }),
    end(0),
    begin(1, { type: "unheard of" }),
    text(1, "lost"),
    begin(2, { type: "text", text: "c" }),
    text(2, "d"),
    text(2, ""),
    delta(2, { type: "input_json_delta", partial_json: "{}" }),
    delta(2, { type: "signature_delta", signature: "u" }),
    begin(3, { type: "tool_use", id: "i", name: "ls", input: {} }),
    delta(3, { type: "input_json_delta", partial_json: '{"p":' }),
    delta(3, { type: "input_json_delta", partial_json: "" }),
    delta(3, { type: "input_json_delta", partial_json: "1}" }),
    text(3, "lost"),
    begin(4, { type: "tool_use", name: "cat", input: { q: 2 } }),
    begin(5, { type: "redacted_thinking", data: "r" }),
    stop("tool_use"),
    over,
  ])
  assert.deepEqual(partials, [
    { type: "thinking", index: 0, delta: "a" },
    { type: "thinking", index: 0, delta: "b" },
    { type: "text", index: 1, delta: "c" },
    { type: "text", index: 1, delta: "d" },
    { type: "call", index: 2, id: "i", name: "ls" },
    { type: "args", index: 2, delta: '{"p":' },
    { type: "args", index: 2, delta: "1}" },
    { type: "call", index: 3, id: "call_d1_3", name: "cat" },
    { type: "args", index: 3, delta: '{"q":2}' },
  ])
  assert.deepEqual(content, [
    { type: "thinking", text: "ab", signature: "st" },
    { type: "text", text: "cd" },
    { type: "tool_call", id: "i", name: "ls", arguments: { p: 1 } },
    { type: "tool_call", id: "call_d1_3", name: "cat", arguments: { q: 2 } },
    { type: "thinking", text: "", signature: "r", redacted: true },
  ])
  assert.equal(ended, true)
})

test("stop reasons, and the end of a reply", () => {
  const rows = [
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
  ] as const
  for (const [reason, stopped] of rows) {
    const { reply, ended } = stepped(protocol, [begin(0, { type: "text", text: "a" }), stop(reason)])
    assert.equal(reply.ok && reply.message.stopReason, stopped, reason)
    assert.equal(ended, false)
  }
  const refused = stepped(protocol, [begin(0, { type: "text", text: "a" }), stop("refusal")])
  assert.deepEqual([refused.failed, refused.ended], ["model-refused: test stopped the reply: the model refused", true])
  assert.equal(stepped(protocol, [begin(0, { type: "text", text: "a" }), stop(1)]).reply.ok, false)
  assert.equal(stepped(protocol, [stop("end_turn")]).reply.ok, false)
  assert.equal(stepped(protocol, [stop("end_turn")], { afterTool: true }).reply.ok, true)
})

test("later counts replace earlier ones; a missing count changes nothing", () => {
  const started = {
    type: "message_start",
    message: {
      usage: { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3, cache_creation_input_tokens: 4 },
    },
  }
  const later = { ...stop("end_turn"), usage: { output_tokens: 9, output_tokens_details: { thinking_tokens: 5 } } }
  const { usage } = stepped(protocol, [started, begin(0, { type: "text", text: "a" }), later])
  assert.deepEqual(usage, { input: 1, output: 9, cacheRead: 3, cacheWrite: 4, reasoning: 5 })
  const none = stepped(protocol, [started, begin(0, { type: "text", text: "a" }), { ...stop("end_turn"), usage: 1 }])
  assert.deepEqual(none.usage, { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, reasoning: 0 })
})

test("two merged streams are not a reply", () => {
  const joined = "bad-reply: test sent two replies in one stream"
  const block = begin(0, { type: "text", text: "a" })
  assert.equal(stepped(protocol, [block, block]).failed, joined)
  assert.equal(stepped(protocol, [block, { type: "message_start", message: {} }]).failed, joined)
  assert.equal(stepped(protocol, [block, end(0), begin(0, { type: "text", text: "b" }), stop("end_turn")]).failed, null)
})

test("an error is recognized by its event type or by its form", () => {
  const error = { type: "overloaded_error", message: "Overloaded" }
  for (const chunk of [{ type: "error", error }, { error }])
    assert.match(stepped(protocol, [chunk]).failed ?? "", /^overloaded: test is overloaded/)
  assert.match(stepped(protocol, [{ type: "error" }]).failed ?? "", /^overloaded: test failed/)
})

test("a non-streamed reply equals its stream", () => {
  const content = [
    "no block",
    { type: "text", text: "a" },
    { type: "tool_use", id: "i", name: "ls", input: { p: 1 } },
    { type: "tool_use", id: "j", name: "ls" },
  ]
  const chunks = protocol.chunksOf({ content, stop_reason: "tool_use", usage: { input_tokens: 7 } }) ?? []
  const whole = stepped(protocol, chunks)
  assert.deepEqual(whole.content, [
    { type: "text", text: "a" },
    { type: "tool_call", id: "i", name: "ls", arguments: { p: 1 } },
    { type: "tool_call", id: "j", name: "ls", arguments: {} },
  ])
  assert.deepEqual([whole.usage?.input, whole.ended], [7, true])
  assert.deepEqual([protocol.chunksOf({ content: "a" }), protocol.chunksOf([])], [null, null])
})
