import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, type Failure, noUsage, type StopReason, type Usage } from "@gong/spec"
import { classify, redactKey, oneLine, type Refusal } from "../../../src/protocol/errors/classify.ts"
import { assembleReply, type StreamResult, type OpenBlock } from "../../../src/protocol/reply/assemble-reply.ts"
import { LiveArguments } from "../../../src/protocol/reply/live-arguments.ts"
import { modelOf } from "../../helpers.ts"

const context = { model: modelOf({ contextWindow: 1000 }), credential: { key: "sk-0123456789", from: "TEST_KEY" } }

test("each status has its kind, unless the message says another", () => {
  const rows: readonly (readonly [Partial<Refusal>, Failure["kind"]])[] = [
    ...[400, 405, 422, 499].map((status) => [{ status }, "bad-request"] as const),
    ...[401, 403].map((status) => [{ status }, "auth"] as const),
    [{ status: 402 }, "quota"],
    [{ status: 404 }, "bad-request"],
    ...[408, 409, 425, 500, 502, 503, 529, 599].map((status) => [{ status }, "overloaded"] as const),
    [{ status: 429 }, "rate-limit"],
    [{ status: 429, exhausted: "quota" }, "quota"],
    [{ status: 429, message: "insufficient_quota" }, "quota"],
    [{ status: 429, message: "insufficient_quota", exhausted: "rate" }, "rate-limit"],
    [{ message: "rate limit" }, "rate-limit"],
    [{ message: "invalid_request_error" }, "bad-request"],
    [{ message: "anything" }, "overloaded"],
    [{ status: 413, message: "large" }, "context-overflow"],
    [{ status: 400, message: "thinking blocks cannot be modified" }, "bad-request"],
  ]
  for (const [refusal, kind] of rows)
    assert.equal(classify({ message: "m", code: "", ...refusal }, context).kind, kind, JSON.stringify(refusal))
  const far = (promptTokens: number) =>
    classify({ status: 400, message: "m", code: "" }, { ...context, promptTokens: () => promptTokens })
  assert.deepEqual([far(1500).kind, far(1501).kind], ["bad-request", "context-overflow"])
})

test("the message appears once, on one line, without the key, and with a hint", () => {
  const printed = (refusal: Partial<Refusal>, more: object = {}) => {
    const { message, hint, status, retryAfterMs } = classify(
      { message: "", code: "", ...refusal },
      { ...context, ...more },
    )
    return { message, hint, status, retryAfterMs }
  }
  const nothing = { hint: undefined, status: undefined, retryAfterMs: undefined }
  assert.deepEqual(printed({}), { ...nothing, message: "test failed" })
  assert.deepEqual(printed({ message: " a\n b " }), { ...nothing, message: "test failed (a b)" })
  assert.deepEqual(printed({ status: 500, code: "c", retryAfterMs: 5 }), {
    message: "test failed (500 c)",
    hint: undefined,
    status: 500,
    retryAfterMs: 5,
  })
  assert.equal(printed({ status: 500, message: "500 it broke" }).message, "test failed (500 it broke)")
  assert.equal(printed({ message: "key sk-0123456789 is bad" }).message, "test failed (key *** is bad)")
  const unknown = printed({ status: 404, message: "no" })
  assert.equal(unknown.message, "test does not know m or this address (404 no)")
  assert.equal(unknown.hint, "Check the model (m) and the base URL (http://model.test/v1).")
  const none = printed({ status: 401 }, { credential: null })
  assert.deepEqual(
    [none.message, none.hint],
    ["test wants a key and none was given (401)", "gong login test takes one."],
  )
  const flag = printed({ status: 401 }, { credential: { key: "k", from: "--api-key" } })
  assert.equal(flag.hint, "Check the key in --api-key.")
  const custom = printed({ status: 401 }, { model: modelOf({ provider: "custom" }) })
  assert.equal(custom.hint, "gong login --base-url http://model.test/v1 replaces it.")
})

test("a line has at most three hundred characters, and a placeholder key is not redacted", () => {
  const line = (length: number) => oneLine("x".repeat(length), { credential: null })
  assert.deepEqual([line(300).length, line(301)], [300, `${"x".repeat(297)}...`])
  assert.equal(redactKey("a 1234567 b", "1234567").includes("***"), false)
  assert.equal(redactKey("a 0123456789abcdef b", "0123456789abcdef"), "a *** b")
})

function call(id: string, name: string, args: string): OpenBlock {
  const live = new LiveArguments()
  live.add(0, args)
  return { type: "call", id, name, live }
}

function closed(
  blocks: readonly OpenBlock[],
  stop: StopReason | null,
  more: Partial<StreamResult> = {},
  broken: Failure | null = null,
) {
  const reply = assembleReply({ context, draftId: "d", blocks, stop, usage: noUsage, failure: null, ...more }, broken)
  const message = reply.ok ? reply.message : reply.partial
  return {
    ok: reply.ok,
    content: message?.content,
    stop: message?.stopReason,
    failed: reply.ok ? null : reply.failure.kind,
  }
}

test("content of a reply: blocks with content, calls with unique ids, no cut calls", () => {
  const blocks: readonly OpenBlock[] = [
    { type: "text", text: "" },
    { type: "thinking", text: "" },
    { type: "thinking", text: "", signature: "s" },
    call("i", "ls", '{"a":1}'),
    call("i", "", ""),
    call("", "cat", '{"a":'),
  ]
  const signed = { type: "thinking", text: "", signature: "s" }
  const first = { type: "tool_call", id: "i", name: "ls", arguments: { a: 1 } }
  assert.deepEqual(closed(blocks, "stop").content, [
    signed,
    first,
    { type: "tool_call", id: "call_d_4", name: "unknown", arguments: {} },
    { type: "tool_call", id: "call_d_5", name: "cat", arguments: {}, broken: '{"a":' },
  ])
  assert.deepEqual(closed(blocks, "length").content, [signed, first])
  assert.deepEqual(closed(blocks, null).content, [signed, first])
})

test("how a reply ends, by its content and its stop reason", () => {
  const text: readonly OpenBlock[] = [{ type: "text", text: "a" }]
  const blank: readonly OpenBlock[] = [{ type: "text", text: " \n" }]
  const calls = [call("i", "ls", "{}")]
  const network = failure("network", "gone")
  const aborted = failure("aborted", "stop")
  const rows: readonly (readonly [
    ReturnType<typeof closed>,
    readonly [ok: boolean, stop: unknown, failed: unknown],
  ])[] = [
    [closed(text, "stop"), [true, "stop", null]],
    [closed(text, "tool_calls"), [true, "stop", null]],
    [closed(calls, "stop"), [true, "tool_calls", null]],
    [closed(calls, "length"), [true, "length", null]],
    [closed([], "length"), [true, "length", null]],
    [closed([], "stop"), [false, undefined, "bad-reply"]],
    [closed(blank, "stop"), [false, "error", "bad-reply"]],
    [closed(blank, "stop", { mayBeEmpty: true }), [true, "stop", null]],
    [closed(text, null), [false, "error", "network"]],
    [closed([], null), [false, undefined, "bad-reply"]],
    [closed(text, null, {}, aborted), [false, "aborted", "aborted"]],
    [closed(text, "stop", {}, network), [true, "stop", null]],
    [closed(text, "stop", { failure: network }), [false, "error", "network"]],
  ]
  for (const [{ ok, stop, failed }, ended] of rows) assert.deepEqual([ok, stop, failed], ended)
  const usage: Usage = { ...noUsage, input: 1 }
  assert.deepEqual(closed([], null, { usage }).content, [], "it was paid for")
})
