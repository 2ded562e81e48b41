import assert from "node:assert/strict"
import { test } from "node:test"
import { gongBody, gongFieldsOfCompaction } from "../../src/exchange/gong-body.ts"

const failure = { kind: "network", message: "gone", retryable: true }
const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, reasoning: 5 }
const file = { path: "/a", change: "modified", added: 1, removed: 2 }
const image = { type: "image", mimeType: "image/png", data: "AA" }
const carried = { read: ["a"], changed: [], skills: ["s"] }

/** Of each type: the required and the optional fields. */
const shapes: Readonly<Record<string, readonly [required: object, optional: object]>> = {
  input: [
    { kind: "prompt", text: "go", source: "user" },
    { images: [image], seen: [{ path: "/a" }] },
  ],
  input_drop: [{ inputId: "a", reason: "no" }, {}],
  tool_start: [{ callId: "c", name: "read", title: "t" }, { arguments: { path: "a" } }],
  run_end: [
    { status: "failed", turns: 1 },
    { failure, limit: "turns" },
  ],
  change: [
    { callId: "c", path: "/a" },
    { before: "0", after: "1", beforeText: "x", file },
  ],
  prompt: [{ artifact: "sha256-0" }, {}],
  model_call: [
    { purpose: "summary", usage },
    { cost: 1, costCny: 7, model: "a/m", failure },
  ],
  prune: [
    { chars: 1, tokensBefore: 2, tokensAfter: 1 },
    { upTo: "a", whole: ["a"], skills: [{ id: "a", line: "x" }] },
  ],
  anchor: [{ name: "n", seq: 1 }, { summary: "s" }],
  custom: [{ customType: "x" }, {}],
}

const imported = (type: string): object => (type === "change" ? { imported: true } : {})

for (const [type, [required, optional]] of Object.entries(shapes))
  test(`an entry of Gong's own is taken out of its wrapping with the fields that it must have: ${type}`, () => {
    const whole = { ...required, ...optional, more: [1] }
    assert.deepEqual(gongBody(type, whole), { type, ...whole, ...imported(type) })
    assert.deepEqual(gongBody(type, { ...required }), { type, ...required, ...imported(type) })
    for (const key of Object.keys(required)) {
      assert.equal(gongBody(type, { ...whole, [key]: undefined }), null, `no ${key}`)
      assert.equal(gongBody(type, { ...whole, [key]: null }), null, `${key} null`)
    }
    for (const key of Object.keys({ ...required, ...optional }))
      assert.equal(gongBody(type, { ...whole, [key]: [[]] }), null, `wrong ${key}`)
  })

test("only a few fields may be null", () => {
  const nullable = { change: ["before", "after"], model_call: ["cost"], prune: ["upTo"] }
  for (const [type, [required, optional]] of Object.entries(shapes))
    for (const key of Object.keys(optional)) {
      const body = { ...required, [key]: null }
      const may = (nullable as Record<string, readonly string[]>)[type]?.includes(key) === true
      assert.deepEqual(gongBody(type, body), may ? { type, ...body, ...imported(type) } : null, `${type} ${key}`)
    }
})

test("a type with a form in Pi is never wrapped; an unknown type is kept unchanged", () => {
  const own = "message compaction thinking_level_change model_change branch_summary custom_message label session_info"
  for (const type of own.split(" ")) assert.equal(gongBody(type, { a: 1 }), null, type)
  for (const type of ["future", "toString", "__proto__"]) assert.deepEqual(gongBody(type, { a: 1 }), { type, a: 1 })
})

test("of a compaction only fields that Gong writes, as Gong writes them", () => {
  const whole = { tokensAfter: 1, reason: "limit", carried: { ...carried, todo: "t", request: "r" }, callIds: ["c"] }
  assert.deepEqual(gongFieldsOfCompaction({ ...whole, toString: "x", summary: "y" }), whole)
  const nulls = { carried: { ...carried, todo: null, request: null } }
  assert.deepEqual(gongFieldsOfCompaction(nulls), nulls)
  const wrong = { tokensAfter: "1", reason: 1, callIds: [1] }
  assert.deepEqual(gongFieldsOfCompaction({ ...wrong, carried: { ...carried, read: null } }), {})
  for (const key of Object.keys(carried))
    assert.deepEqual(gongFieldsOfCompaction({ carried: { ...carried, [key]: [1] } }), {})
})
