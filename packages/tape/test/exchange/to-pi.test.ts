import assert from "node:assert/strict"
import { test } from "node:test"
import type { Entry, TapeInfo } from "@gong/spec"
import { toPi } from "../../src/exchange/index.ts"

const info: TapeInfo = { format: 1, id: "s", created: "2025-01-01T00:00:00.000Z", cwd: "/p", workspace: "/w" }
const place = { id: "a", parentId: "b", timestamp: "2025-01-01T00:00:01.000Z" }
const time = Date.UTC(2025, 0, 1, 0, 0, 1)

/** The result of one entry. */
function lineOf(body: object): unknown {
  const [, line = ""] = [...toPi(info, [{ ...place, ...body } as Entry])]
  return JSON.parse(line)
}

const wrapped = (type: string, data: object) => ({ type: "custom", ...place, customType: `gong.${type}`, data })

test("the header has the workspace, and the session is the parent of the root", () => {
  const lines = [...toPi(info, [{ ...place, parentId: null, type: "label", targetId: "a", label: null }])]
  assert.deepEqual(
    lines.map((line) => JSON.parse(line) as unknown),
    [
      { type: "session", version: 3, id: "s", timestamp: info.created, cwd: "/p", gong: { workspace: "/w" } },
      { type: "label", id: "a", parentId: "s", timestamp: place.timestamp, targetId: "a", label: null },
    ],
  )
})

test("what Pi has a form for takes it; the rest is wrapped, and a change without the mark of an import", () => {
  for (const body of [
    { type: "thinking_level_change", thinkingLevel: "high" },
    { type: "model_change", provider: "p", modelId: "m" },
    { type: "branch_summary", fromId: "c", summary: "left" },
    { type: "custom_message", customType: "x", content: [], display: true, details: 1 },
    { type: "label", targetId: "c", label: "here" },
    { type: "session_info", name: "mine" },
    { type: "custom", customType: "x", data: 1 },
  ])
    assert.deepEqual(lineOf(body), { ...place, ...body })
  for (const { type, ...data } of [
    { type: "input", kind: "prompt", text: "go", source: "user" },
    { type: "anchor", name: "n", seq: 1 },
    { type: "future", a: 1 },
  ])
    assert.deepEqual(lineOf({ type, ...data }), wrapped(type, data))
  const change = { callId: "c", path: "/a", before: null, after: "0" }
  assert.deepEqual(lineOf({ type: "change", ...change, imported: true }), wrapped("change", change))
  const compaction = { summary: "s", firstKeptEntryId: "k", tokensBefore: 7 }
  assert.deepEqual(lineOf({ type: "compaction", ...compaction }), { type: "compaction", ...place, ...compaction })
  const more = { tokensAfter: 3, reason: "limit", carried: { read: [], changed: [], skills: [] }, callIds: ["c"] }
  const whole = { type: "compaction", ...place, ...compaction, gong: more }
  assert.deepEqual(lineOf({ type: "compaction", ...compaction, ...more }), whole)
})

test("state that came from Pi goes back in its form, but not where that would hide the place of the entry", () => {
  const custom = (customType: string, data: unknown) => lineOf({ type: "custom", customType, data })
  assert.deepEqual(custom("pi.usage", { tokens: 7 }), { type: "usage", ...place, tokens: 7 })
  for (const data of [7, null, [1], { id: "x" }, { parentId: "x" }, { type: "x" }, { timestamp: "x" }])
    assert.deepEqual(custom("pi.usage", data), wrapped("custom", { customType: "pi.usage", data }))
  for (const customType of ["gong.x", "gong.", "pi."])
    assert.deepEqual(custom(customType, 1), wrapped("custom", { customType, data: 1 }))
  for (const customType of ["gong", "pi", "x.gong.y", "x.pi.y"])
    for (const data of [1, { a: 1 }])
      assert.deepEqual(custom(customType, data), { type: "custom", ...place, customType, data })
  assert.deepEqual(custom("pi.a\nb", {}), wrapped("custom", { customType: "pi.a\nb", data: {} }))
})

const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, reasoning: 1 }
const model = { provider: "p", id: "m", api: "a" }

test("messages carry Gong's own fields beside them; those that Pi could not read are wrapped", () => {
  const message = (one: object, more: object = {}) => lineOf({ type: "message", message: one, ...more })
  const line = (one: object, more: object = {}) => ({ type: "message", ...place, message: one, ...more })
  const user = { role: "user", content: [{ type: "text", text: "go" }] }
  assert.deepEqual(message(user), line({ ...user, timestamp: time }))
  assert.deepEqual(
    message(user, { inputId: "i", draftId: "d" }),
    line({ ...user, timestamp: time }, { gong: { inputId: "i", draftId: "d" } }),
  )
  assert.deepEqual(lineOf({ type: "message", message: user, timestamp: "x" }), {
    ...line({ ...user, timestamp: 0 }),
    timestamp: "x",
  })
  for (const odd of [
    { role: "user", content: "go" },
    { role: "other", content: [] },
  ])
    assert.deepEqual(message(odd), wrapped("message", { message: odd }))
  const result = { role: "tool", toolCallId: "c", toolName: "read", content: [], details: null, isError: false }
  const { role: _, ...fields } = result
  assert.deepEqual(
    message({ ...result, status: "ok", durationMs: 3 }),
    line({ role: "toolResult", ...fields, timestamp: time, gong: { status: "ok", durationMs: 3 } }),
  )
})

test("a reply has its blocks, its price and how it failed as Pi writes them", () => {
  const reply = (more: object) => {
    const own = { role: "assistant", content: [], model, usage, cost: 0.5, stopReason: "tool_calls", ...more }
    return (lineOf({ type: "message", message: own }) as { message: object }).message
  }
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.5 }
  const plain = {
    role: "assistant",
    content: [],
    api: "a",
    provider: "p",
    model: "m",
    usage: { ...usage, totalTokens: 10, cost },
    stopReason: "toolUse",
    timestamp: time,
  }
  assert.deepEqual(reply({}), plain)
  assert.deepEqual(reply({ cost: null }), {
    ...plain,
    usage: { ...plain.usage, cost: { ...cost, total: 0 } },
    gong: { cost: null },
  })
  const failure = { kind: "network", message: "gone", retryable: true }
  assert.deepEqual(reply({ failure, durationMs: 3, firstTokenMs: 2, stopReason: "error" }), {
    ...plain,
    stopReason: "error",
    errorMessage: "gone",
    gong: { failure, durationMs: 3, firstTokenMs: 2 },
  })
  const call = { type: "tool_call", id: "c", name: "read", arguments: {} }
  const thought = { type: "thinking", text: "hm" }
  const text = { type: "text", text: "a" }
  const content = [text, thought, { ...thought, signature: "s", redacted: true }, call, { ...call, signature: "s" }]
  const theirs = { type: "thinking", thinking: "hm" }
  const calls = { ...call, type: "toolCall" }
  assert.deepEqual(reply({ content }), {
    ...plain,
    content: [
      text,
      theirs,
      { ...theirs, thinkingSignature: "s", redacted: true },
      calls,
      { ...calls, thoughtSignature: "s" },
    ],
  })
})
