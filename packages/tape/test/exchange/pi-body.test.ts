import assert from "node:assert/strict"
import { test } from "node:test"
import { bodyFromPi } from "../../src/exchange/pi-body.ts"

const ours = (id: unknown): string | null => (id === "theirs" ? "ours" : null)
const bodyOf = (record: Readonly<Record<string, unknown>>) => bodyFromPi(record, ours)
const place = { id: "a", parentId: "b", timestamp: "t" }

test("a line without a type, or with one that is invalid in the head of a line, is no entry", () => {
  for (const type of [undefined, 7, "", 'a"b', "a\\b"])
    assert.equal(bodyOf({ ...place, type }), "an entry without a type")
})

test("each kind of record becomes the body of its entry, with ids of ours where the file has them", () => {
  const foreign = (type: string, data: object = {}) => ({ type: "custom", customType: `pi.${type}`, data })
  for (const [record, expected] of [
    [{ type: "usage", tokens: 7 }, foreign("usage", { tokens: 7 })],
    [
      { type: "thinking_level_change", thinkingLevel: "high" },
      { type: "thinking_level_change", thinkingLevel: "high" },
    ],
    [
      { type: "thinking_level_change", thinkingLevel: "most" },
      foreign("thinking_level_change", { thinkingLevel: "most" }),
    ],
    [
      { type: "model_change", provider: "p", modelId: "m", more: 1 },
      { type: "model_change", provider: "p", modelId: "m" },
    ],
    [{ type: "model_change", provider: "p" }, "model_change without a model"],
    [{ type: "model_change", modelId: "m" }, "model_change without a model"],
    [{ type: "compaction" }, "compaction without a summary"],
    [
      { type: "compaction", summary: "s", firstKeptEntryId: "theirs", tokensBefore: 7, gong: { tokensAfter: 3 } },
      { type: "compaction", summary: "s", firstKeptEntryId: "ours", tokensBefore: 7, tokensAfter: 3 },
    ],
    [
      { type: "compaction", summary: "s", firstKeptEntryId: 7, tokensBefore: "7", gong: 7 },
      { type: "compaction", summary: "s", firstKeptEntryId: "", tokensBefore: 0 },
    ],
    [
      { type: "branch_summary", fromId: "theirs", summary: "left" },
      { type: "branch_summary", fromId: "ours", summary: "left" },
    ],
    [
      { type: "branch_summary", fromId: "other", summary: 7 },
      { type: "branch_summary", fromId: "other", summary: "" },
    ],
    [
      { type: "label", targetId: "theirs", label: "here" },
      { type: "label", targetId: "ours", label: "here" },
    ],
    [
      { type: "label", targetId: "other", label: 7 },
      { type: "label", targetId: "other", label: null },
    ],
    [
      { type: "session_info", name: "mine" },
      { type: "session_info", name: "mine" },
    ],
    [{ type: "session_info" }, { type: "session_info", name: "" }],
    [{ type: "custom_message" }, "custom_message without a customType"],
    [
      { type: "custom_message", customType: "x", content: "a", display: true, details: null },
      { type: "custom_message", customType: "x", content: [{ type: "text", text: "a" }], display: true, details: null },
    ],
    [
      { type: "custom_message", customType: "x", display: "yes" },
      { type: "custom_message", customType: "x", content: [], display: false },
    ],
    [{ type: "message" }, "a message without content"],
    [{ type: "message", message: { role: "system" } }, foreign("message", { message: { role: "system" } })],
    [
      { type: "message", message: { role: "custom", customType: "x" }, gong: { inputId: "theirs" } },
      { type: "custom_message", customType: "x", content: [], display: false },
    ],
  ] as const)
    assert.deepEqual(bodyOf({ ...place, ...record }), expected, JSON.stringify(record))
})

test("a message keeps the input and the partial that Gong knows of it", () => {
  const message = { role: "user", content: [] }
  for (const [gong, expected] of [
    [7, {}],
    [{ inputId: 7, draftId: 7 }, {}],
    [
      { inputId: "theirs", draftId: "theirs" },
      { inputId: "ours", draftId: "theirs" },
    ],
    [{ inputId: "other" }, { inputId: "other" }],
  ] as const)
    assert.deepEqual(bodyOf({ ...place, type: "message", message, gong }), { type: "message", message, ...expected })
})

test("state of extensions is kept unchanged; entries that Gong wrapped are unwrapped", () => {
  const wrapped = (customType: unknown, data: unknown) => bodyOf({ ...place, type: "custom", customType, data })
  const kept = (customType: string, data: unknown) => ({ type: "custom", customType, data })
  assert.equal(wrapped(7, {}), "custom without a customType")
  assert.deepEqual(wrapped("memo", undefined), kept("memo", null))
  assert.deepEqual(wrapped("my.gong.future", { a: 1 }), kept("my.gong.future", { a: 1 }))
  assert.deepEqual(wrapped("gong.future", [1]), kept("gong.future", [1]))
  const longest = "x".repeat(64)
  assert.deepEqual(wrapped(`gong.${longest}`, {}), { type: longest })
  for (const other of [`gong.${longest}x`, "gong.", 'gong.a"b', "gong.a\\b"])
    assert.deepEqual(wrapped(other, {}), kept(other, {}))
  assert.deepEqual(wrapped("gong.future", { ...place, type: "message", inputId: "theirs", upTo: "theirs", a: 1 }), {
    type: "future",
    inputId: "ours",
    upTo: "ours",
    a: 1,
  })
  const others = { inputId: "other", upTo: "other" }
  assert.deepEqual(wrapped("gong.future", others), { type: "future", ...others })
  assert.deepEqual(wrapped("gong.future", { inputId: 7, upTo: 7 }), { type: "future" })
  assert.equal(wrapped("gong.prompt", {}), "gong.prompt without the fields of one")
})
