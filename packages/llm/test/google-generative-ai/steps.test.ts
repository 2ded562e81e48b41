import assert from "node:assert/strict"
import { test } from "node:test"
import * as protocol from "../../src/google-generative-ai/reply.ts"
import { stepped } from "../steps.ts"

const parts = (...list: unknown[]) => ({ candidates: [{ content: { parts: list } }] })
const stop = (finishReason: unknown, finishMessage?: string) => ({ candidates: [{ finishReason, finishMessage }] })

test("each part is a block of its kind, with its signature", () => {
  const { partials, content } = stepped(protocol, [
    null,
    parts({ thought: true, text: "a" }, { thought: true, text: "b", thoughtSignature: "s" }),
    parts({ thought: true, text: "" }, { thought: true, text: "c" }, "no part", {
      thought: true,
      thoughtSignature: "u",
    }),
    parts({ text: "d" }, { text: "e", thoughtSignature: "t" }, { text: "" }, { text: 1 }),
    parts({ functionCall: { id: "i", name: "ls", args: { p: 1 } }, thoughtSignature: "v" }, { functionCall: {} }),
    stop("STOP"),
  ])
  assert.deepEqual(partials, [
    { type: "thinking", index: 0, delta: "a" },
    { type: "thinking", index: 0, delta: "b" },
    { type: "thinking", index: 1, delta: "c" },
    { type: "text", index: 2, delta: "d" },
    { type: "text", index: 2, delta: "e" },
    { type: "call", index: 4, id: "i", name: "ls" },
    { type: "args", index: 4, delta: '{"p":1}' },
    { type: "call", index: 5, id: "call_d1_5", name: "" },
    { type: "args", index: 5, delta: "{}" },
  ])
  assert.deepEqual(content, [
    { type: "thinking", text: "ab", signature: "s" },
    { type: "thinking", text: "c", signature: "u" },
    { type: "text", text: "de" },
    { type: "thinking", text: "", signature: "t" },
    { type: "tool_call", id: "i", name: "ls", arguments: { p: 1 }, signature: "v" },
    { type: "tool_call", id: "call_d1_5", name: "unknown", arguments: {} },
  ])
})

test("stop reasons: complete, too long, refused, or unexpected", () => {
  const rows = [
    ["STOP", undefined, null],
    ["MAX_TOKENS", undefined, null],
    ["", undefined, "network: the reply of test ended before it was complete"],
    ["OTHER", undefined, "bad-reply: test could not end the reply: OTHER"],
    ["MALFORMED_FUNCTION_CALL", "so", "bad-reply: test could not end the reply: MALFORMED_FUNCTION_CALL, so"],
    ["MISSING_THOUGHT_SIGNATURE", "so", "bad-request: test refused the thinking blocks (400 so)"],
  ] as const
  for (const [reason, printed, failed] of rows)
    assert.equal(stepped(protocol, [parts({ text: "a" }), stop(reason, printed)]).failed, failed, reason)
  const long = stepped(protocol, [parts({ text: "a" }), stop("MAX_TOKENS")]).reply
  assert.equal(long.ok && long.message.stopReason, "length")
  const refusals = `SAFETY RECITATION LANGUAGE BLOCKLIST PROHIBITED_CONTENT SPII MODEL_ARMOR IMAGE_SAFETY
    IMAGE_PROHIBITED_CONTENT IMAGE_RECITATION`
  for (const reason of refusals.split(/\s+/))
    assert.equal(stepped(protocol, [stop(reason)]).failed, `model-refused: test stopped the reply: ${reason}`)
})

test("a refused prompt has a reason; an error is recognized; reasoning alone is not a reply", () => {
  const blocked = stepped(protocol, [{ promptFeedback: { blockReason: "SAFETY" } }])
  assert.deepEqual([blocked.failed, blocked.ended], ["model-refused: test refused the prompt: SAFETY", true])
  assert.equal(stepped(protocol, [{ promptFeedback: 1 }, parts({ text: "a" }), stop("STOP")]).failed, null)
  const answered = { ...parts({ text: "a" }), promptFeedback: { blockReason: "SAFETY" } }
  assert.equal(stepped(protocol, [answered, stop("STOP")]).failed, null)
  const error = { error: { code: 503, message: "The model is overloaded", status: "UNAVAILABLE" } }
  assert.match(stepped(protocol, [error, parts({ text: "a" }), stop("STOP")]).failed ?? "", /^overloaded: /)
  const empty = "bad-reply: test sent an empty reply"
  assert.equal(stepped(protocol, [parts({ thought: true, text: "a" }), stop("STOP")]).failed, empty)
  assert.equal(stepped(protocol, [stop("STOP")]).failed, empty)
  assert.equal(stepped(protocol, [parts({ thought: true, text: "a" }), stop("MAX_TOKENS")]).failed, null)
})

test("counts under both names; cached tokens are part of the prompt, reasoning is separate", () => {
  const counted = (usageMetadata: object) =>
    stepped(protocol, [{ usageMetadata, ...parts({ text: "a" }) }, stop("STOP")]).usage
  const usage = {
    promptTokenCount: 10,
    toolUsePromptTokenCount: 2,
    candidatesTokenCount: 5,
    cachedContentTokenCount: 4,
    thoughtsTokenCount: 3,
    totalTokenCount: 20,
  }
  assert.deepEqual(counted(usage), { input: 8, output: 8, cacheRead: 4, cacheWrite: 0, reasoning: 3 })
  const other = { inputTokenCount: 10, outputTokenCount: 5 }
  assert.deepEqual(counted(other), { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0 })
  assert.deepEqual(counted({}), { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 })
})

test("a non-streamed reply is one chunk, or a list of chunks", () => {
  const whole = parts({ text: "a" })
  const blocked = { promptFeedback: {} }
  assert.deepEqual([whole, blocked, {}, null].map(protocol.chunksOf), [[whole], [blocked], null, null])
  assert.deepEqual(protocol.chunksOf([whole]), [whole])
})
