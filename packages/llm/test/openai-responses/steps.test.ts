import assert from "node:assert/strict"
import { test } from "node:test"
import * as protocol from "../../src/openai-responses/reply.ts"
import { stepped } from "../steps.ts"

const event = (name: string, more: object = {}) => ({ type: `response.${name}`, ...more })
const added = (at: number, item: object) => event("output_item.added", { output_index: at, item })
const done = (at: number, item: object) => event("output_item.done", { output_index: at, item })
const delta = (name: string, at: number, text: unknown) => event(`${name}.delta`, { output_index: at, delta: text })
const completed = event("completed", { response: {} })

test("each update of text, reasoning and arguments is a partial of its block, and nothing else is", () => {
  const { partials, content, ended } = stepped(protocol, [
    null,
    event("in_progress"),
    added(0, { type: "reasoning" }),
    event("reasoning_summary_part.added", { output_index: 0 }),
    delta("reasoning_summary_text", 0, "a"),
    event("reasoning_summary_part.added", { output_index: 0 }),
    delta("reasoning_text", 0, "b"),
    delta("reasoning_text", 0, 1),
    done(0, { type: "reasoning", id: "rs", encrypted_content: "e", summary: [{ text: "other" }] }),
    added(1, { type: "web_search" }),
    delta("output_text", 1, "lost"),
    added(2, { type: "message" }),
    event("reasoning_summary_part.added", { output_index: 2 }),
    delta("output_text", 2, "c"),
    delta("refusal", 2, "d"),
    event("reasoning_summary_part.added", { output_index: 2 }),
    delta("function_call_arguments", 2, "{}"),
    done(2, { type: "message", content: [{ text: "other" }] }),
    added(3, { type: "function_call", call_id: "c", id: "fc", name: "ls", arguments: "" }),
    delta("function_call_arguments", 3, '{"p"'),
    delta("output_text", 3, "lost"),
    event("function_call_arguments.done", { output_index: 3, arguments: '{"p":1}' }),
    done(3, { type: "function_call", arguments: "{}" }),
    added(4, { type: "function_call", name: "cat", arguments: '{"q":2}' }),
    completed,
  ])
  assert.deepEqual(partials, [
    { type: "thinking", index: 0, delta: "a" },
    { type: "thinking", index: 0, delta: "\n\n" },
    { type: "thinking", index: 0, delta: "b" },
    { type: "text", index: 1, delta: "c" },
    { type: "text", index: 1, delta: "d" },
    { type: "call", index: 2, id: "c|fc", name: "ls" },
    { type: "args", index: 2, delta: '{"p"' },
    { type: "args", index: 2, delta: ":1}" },
    { type: "call", index: 3, id: "call_d1_3", name: "cat" },
    { type: "args", index: 3, delta: '{"q":2}' },
  ])
  assert.deepEqual(content, [
    { type: "thinking", text: "a\n\nb", signature: "rs|e" },
    { type: "text", text: "cd" },
    { type: "tool_call", id: "c|fc", name: "ls", arguments: { p: 1 } },
    { type: "tool_call", id: "call_d1_3", name: "cat", arguments: { q: 2 } },
  ])
  assert.equal(ended, true)
})

test("content without deltas is taken from the final event of its item, or of the reply", () => {
  const items = [
    { type: "reasoning", summary: [{ text: "a" }, "no part", { text: "b" }], content: [{ text: "c" }] },
    { type: "reasoning", summary: [], content: [{ text: "d" }, { refusal: "e" }, { text: 1 }] },
    { type: "message", content: [{ text: "f" }] },
    { type: "function_call", call_id: "c", name: "ls", arguments: "{}" },
  ]
  const content = [
    { type: "thinking", text: "a\n\nb" },
    { type: "thinking", text: "de" },
    { type: "text", text: "f" },
    { type: "tool_call", id: "c", name: "ls", arguments: {} },
  ]
  assert.deepEqual(stepped(protocol, [...items.map((item, at) => done(at, item)), completed]).content, content)
  const atEnd = event("completed", { response: { output: ["no item", ...items] } })
  assert.deepEqual(stepped(protocol, [atEnd]).content, content)
  assert.deepEqual(stepped(protocol, [done(0, items[2] ?? {}), atEnd]).content, [content[2]])
  const chunks = protocol.chunksOf({ output: items }) ?? []
  assert.deepEqual(chunks, [{ type: "response.completed", response: { output: items } }])
  const cut = { output: items, status: "incomplete" }
  assert.deepEqual(protocol.chunksOf(cut), [{ type: "response.incomplete", response: cut }])
  assert.deepEqual([protocol.chunksOf({ output: 1 }), protocol.chunksOf(null)], [null, null])
})

test("how a reply ended", () => {
  const text = [added(0, { type: "message" }), delta("output_text", 0, "a")]
  const ends = (name: string, response: unknown) => stepped(protocol, [...text, event(name, { response })])
  const stopOf = ({ reply }: ReturnType<typeof ends>) => (reply.ok ? reply.message.stopReason : null)
  assert.equal(stopOf(ends("completed", {})), "stop")
  assert.equal(stopOf(ends("incomplete", { incomplete_details: { reason: "max_output_tokens" } })), "length")
  assert.equal(stopOf(ends("incomplete", {})), "length")
  const filtered = ends("incomplete", { incomplete_details: { reason: "content_filter" } })
  assert.equal(filtered.failed, "model-refused: test stopped the reply: content_filter")
  const failed = ends("failed", { error: { code: "server_error", message: "It broke" } })
  assert.match(failed.failed ?? "", /^overloaded: test failed \(It broke\)/)
  assert.equal(stepped(protocol, [{ type: "error", error: { a: 1 } }]).failed, "overloaded: test failed")
  assert.match(stepped(protocol, [{ type: "error", b: 1 }]).failed ?? "", /"b":1/)
  assert.deepEqual([ends("completed", null).ended, ends("completed", {}).ended], [false, true])
  assert.equal(stepped(protocol, [completed]).reply.ok, false)
  assert.equal(stepped(protocol, [completed], { afterTool: true }).reply.ok, true)
})

test("two merged streams are not a reply", () => {
  const joined = "bad-reply: test sent two replies in one stream"
  const message = added(0, { type: "message" })
  assert.equal(stepped(protocol, [message, message]).failed, joined)
  assert.equal(stepped(protocol, [message, event("created")]).failed, joined)
  const both = [event("created"), message, done(0, { type: "message", content: [{ text: "a" }] })]
  assert.equal(stepped(protocol, [...both, added(0, { type: "reasoning" }), completed]).failed, null)
})

test("counts with their details", () => {
  const usage = {
    input_tokens: 10,
    output_tokens: 5,
    total_tokens: 15,
    input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
    output_tokens_details: { reasoning_tokens: 3 },
  }
  const counted = (given: unknown) => {
    const end = event("completed", { response: { usage: given } })
    return stepped(protocol, [done(0, { type: "message", content: [{ text: "a" }] }), end]).usage
  }
  assert.deepEqual(counted(usage), { input: 4, output: 5, cacheRead: 4, cacheWrite: 2, reasoning: 3 })
  assert.deepEqual(counted({ input_tokens: 10 }), { input: 10, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 })
  assert.deepEqual(counted({}), { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 })
})
