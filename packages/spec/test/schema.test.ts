import assert from "node:assert/strict"
import { test } from "node:test"
import { checkArguments, convert } from "../src/index.ts"

const schema = {
  type: "object",
  properties: {
    path: { type: "string" },
    limit: { type: "integer" },
    ratio: { type: "number" },
    all: { type: "boolean" },
    edits: { type: "array", items: { type: "object", properties: { line: { type: "integer" } }, required: ["line"] } },
    more: { type: "object", properties: { depth: { type: "integer" } } },
  },
  required: ["path"],
} as const

for (const { what, given, becomes } of [
  { what: "text that is a number", given: { limit: "10", ratio: "-2.5" }, becomes: { limit: 10, ratio: -2.5 } },
  { what: "text that is a boolean", given: { all: "true" }, becomes: { all: true } },
  { what: "text that is a list", given: { edits: '[{"line":"3"}]' }, becomes: { edits: [{ line: 3 }] } },
  { what: "text that is an object", given: { more: '{"depth":"2"}' }, becomes: { more: { depth: 2 } } },
  {
    what: "values deep inside",
    given: { edits: [{ line: "1" }, { line: 2 }] },
    becomes: { edits: [{ line: 1 }, { line: 2 }] },
  },
  { what: "null for an optional field", given: { limit: null, more: { depth: null } }, becomes: { more: {} } },
]) {
  test(`[TOOLDEF-12] converted: ${what}`, async () => {
    assert.deepEqual(await checkArguments(schema, { path: "x", ...given }), {
      ok: true,
      value: { path: "x", ...becomes },
    })
  })
}

for (const { what, given, error } of [
  { what: "a number for text", given: { path: 5 }, error: "/path must be string" },
  { what: "null for a required field", given: { path: null }, error: "/path must be string" },
  { what: "a list for text", given: { path: ["a"] }, error: "/path must be string" },
  { what: "words for a number", given: { path: "x", limit: "ten" }, error: "/limit must be integer" },
  { what: "a fraction for an integer", given: { path: "x", limit: "1.5" }, error: "/limit must be integer" },
  { what: "yes for a boolean", given: { path: "x", all: "yes" }, error: "/all must be boolean" },
  { what: "an object in words for a list", given: { path: "x", edits: '{"line":1}' }, error: "/edits must be array" },
]) {
  test(`[TOOLDEF-12] not converted: ${what}`, async () => {
    const checked = await checkArguments(schema, given)
    assert.deepEqual(checked.ok ? [] : checked.errors, [error])
  })
}

test("a missing field is named", async () => {
  const checked = await checkArguments(schema, {})
  assert.match(checked.ok ? "" : checked.errors.join(), /path/)
})

test("what is converted is a copy; the model's own arguments stay as they came", () => {
  const given = Object.freeze({ limit: "10", edits: Object.freeze([Object.freeze({ line: "1" })]) })
  assert.deepEqual(convert(schema, given), { limit: 10, edits: [{ line: 1 }] })
  assert.deepEqual(given, { limit: "10", edits: [{ line: "1" }] })
})

test("fields that the schema does not know pass as they are", () => {
  assert.deepEqual(convert(schema, { other: "10", none: null }), { other: "10", none: null })
})
