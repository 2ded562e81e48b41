import assert from "node:assert/strict"
import { test } from "node:test"
import { createRng, type Rng } from "@gong/testing/sim/rng"
import { Compile } from "typebox/schema"
import { checkArguments, convert, plainlyFits } from "../../src/json/schema.ts"

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
    what: "nested values",
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
  { what: "a word for a number", given: { path: "x", limit: "ten" }, error: "/limit must be integer" },
  { what: "a fraction for an integer", given: { path: "x", limit: "1.5" }, error: "/limit must be integer" },
  { what: "yes for a boolean", given: { path: "x", all: "yes" }, error: "/all must be boolean" },
  { what: "an object as text for a list", given: { path: "x", edits: '{"line":1}' }, error: "/edits must be array" },
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

test("conversion copies; the model's own arguments stay unchanged", () => {
  const given = Object.freeze({ limit: "10", edits: Object.freeze([Object.freeze({ line: "1" })]) })
  assert.deepEqual(convert(schema, given), { limit: 10, edits: [{ line: 1 }] })
  assert.deepEqual(given, { limit: "10", edits: [{ line: "1" }] })
})

test("a key named like a member of Object.prototype is an ordinary key", async () => {
  const args = JSON.parse('{"__proto__": {"path": "/etc"}, "constructor": null, "limit": "1"}') as Record<
    string,
    unknown
  >
  const missing = await checkArguments(schema, args)
  assert.equal(missing.ok, false)
  const checked = await checkArguments(schema, { ...args, path: "x" })
  assert.ok(checked.ok)
  assert.equal(JSON.stringify(checked.value), '{"__proto__":{"path":"/etc"},"constructor":null,"limit":1,"path":"x"}')
  assert.equal(Object.getPrototypeOf(checked.value), Object.prototype)
})

test("unknown fields are kept", () => {
  assert.deepEqual(convert(schema, { other: "10", none: null }), { other: "10", none: null })
})

for (const { what, plain, value, fits } of [
  { what: "a schema of simple keywords", plain: schema, value: { path: "x", edits: [{ line: 1 }] }, fits: true },
  { what: "unknown fields", plain: schema, value: { path: "x", other: [null] }, fits: true },
  { what: "a missing field", plain: schema, value: {}, fits: false },
  {
    what: "a required field that is only inherited",
    plain: schema,
    value: Object.create({ path: "x" }),
    fits: false,
  },
  { what: "a list for an object", plain: { type: "object" }, value: [], fits: false },
  { what: "NaN for a number", plain: { type: "number" }, value: Number.NaN, fits: false },
  { what: "a fraction for an integer", plain: { type: "integer" }, value: 1.5, fits: false },
  { what: "the minimum", plain: { type: "integer", minimum: 1 }, value: 1, fits: true },
  { what: "less than the minimum", plain: { type: "integer", minimum: 1 }, value: 0, fits: false },
  { what: "the exclusive minimum", plain: { type: "number", exclusiveMinimum: 0 }, value: 0, fits: false },
  { what: "too few items", plain: { type: "array", minItems: 1 }, value: [], fits: false },
  { what: "an unsupported keyword", plain: { type: "string", pattern: "a" }, value: "a", fits: false },
  { what: "a schema without a type", plain: { enum: ["a"] }, value: "a", fits: false },
]) {
  test(`arguments checked without the validator: ${what}`, () => {
    assert.equal(plainlyFits(plain, value), fits)
  })
}

test("the quick check and the validator agree for schemas of simple keywords", () => {
  const rng = createRng(1)
  let fitting = 0
  for (let made = 0; made < 5000; made++) {
    const plain = randomSchema(rng, 3)
    const value = randomValue(rng, plain)
    const fits = Compile(plain).Check(value)
    assert.equal(plainlyFits(plain, value), fits, JSON.stringify({ plain, value }))
    if (fits) fitting++
  }
  assert.ok(fitting > 1000 && fitting < 4000, `${fitting} of 5,000 fit`)
})

function randomSchema(rng: Rng, depth: number): Record<string, unknown> {
  const type = rng.pick(["string", "boolean", "integer", "number", ...(depth > 0 ? ["array", "object", "object"] : [])])
  const limit = rng.int(3)
  if (type === "array") {
    return {
      type,
      ...(rng.chance(0.5) && { items: randomSchema(rng, depth - 1) }),
      ...(rng.chance(0.5) && { minItems: limit }),
    }
  }
  if (type === "object") {
    const keys = ["a", "b", "c"].filter(() => rng.chance(0.6))
    return {
      type,
      properties: Object.fromEntries(keys.map((key) => [key, randomSchema(rng, depth - 1)])),
      ...(rng.chance(0.6) && { required: keys.filter(() => rng.chance(0.7)) }),
    }
  }
  if (type === "string" || type === "boolean") return { type, description: "any" }
  return { type, ...(rng.chance(0.3) && { minimum: limit }), ...(rng.chance(0.3) && { exclusiveMinimum: limit }) }
}

/** A mostly valid value: one part in ten is wrong. */
function randomValue(rng: Rng, schema: Readonly<Record<string, unknown>>): unknown {
  if (rng.chance(0.1)) return rng.pick([null, "text", 0, 2.5, -1, true, [], {}, [1], { a: 1 }])
  switch (schema["type"]) {
    case "string":
      return rng.pick(["", "text", "5"])
    case "boolean":
      return rng.chance(0.5)
    case "integer":
      return rng.int(6)
    case "number":
      return rng.next() * 6
    case "array":
      return Array.from({ length: rng.int(4) }, () =>
        randomValue(rng, (schema["items"] ?? { type: "string" }) as Record<string, unknown>),
      )
    default:
      return Object.fromEntries(
        Object.entries(schema["properties"] as Record<string, Record<string, unknown>>)
          .filter(() => rng.chance(0.9))
          .map(([key, field]) => [key, randomValue(rng, field)]),
      )
  }
}

test("[TOOLDEF-12] text around a number is no part of it, within blanks only; other texts stay", () => {
  for (const [type, given, becomes] of [
    ["integer", " 10 ", 10],
    ["number", "-0.5", -0.5],
    ["number", "x1", "x1"],
    ["number", "1x", "1x"],
    ["number", "1.", "1."],
    ["number", "", ""],
    ["integer", "true", "true"],
    ["boolean", "false", false],
    ["boolean", "1", "1"],
    ["array", "[1]", [1]],
    ["array", "{}", "{}"],
    ["object", "{}", {}],
    ["object", "[]", "[]"],
    ["object", "null", "null"],
    ["string", "1", "1"],
    ["string", 1, 1],
    ["array", 1, 1],
    ["object", null, null],
  ] as const)
    assert.deepEqual(convert({ type }, given), becomes, `${type} ${String(given)}`)
  assert.equal(convert(null, "1"), "1")
  assert.equal(convert({}, "1"), "1")
})

test("values that plainly fit need no validator: each keyword at its limit", () => {
  for (const [schema, value, fits] of [
    [{ type: "string" }, "", true],
    [{ type: "string" }, 1, false],
    [{ type: "boolean" }, false, true],
    [{ type: "boolean" }, "false", false],
    [{ type: "integer", minimum: 2 }, 2, true],
    [{ type: "integer", minimum: 2 }, 1, false],
    [{ type: "integer" }, 1.5, false],
    [{ type: "number", exclusiveMinimum: 2 }, 2, false],
    [{ type: "number", exclusiveMinimum: 2 }, 2.5, true],
    [{ type: "number", minimum: "2" }, 5, false],
    [{ type: "number", exclusiveMinimum: "2" }, 5, false],
    [{ type: "number" }, Infinity, false],
    [{ type: "array", minItems: 2 }, [1, 2], true],
    [{ type: "array", minItems: 2 }, [1], false],
    [{ type: "array", minItems: "0" }, [], false],
    [{ type: "array", items: { type: "integer" } }, [1, "2"], false],
    [{ type: "array", items: { type: "integer" } }, [1, 2], true],
    [{ type: "array" }, {}, false],
    [{ type: "object" }, {}, true],
    [{ type: "object" }, [], false],
    [{ type: "object", required: ["a"] }, {}, false],
    [{ type: "object", required: ["a"] }, { a: 1 }, true],
    [{ type: "object", required: "a" }, { a: 1 }, false],
    [{ type: "object", properties: [] }, {}, false],
    [{ type: "object", properties: { a: { type: "string" } } }, {}, true],
    [{ type: "object", properties: { a: { type: "string" } } }, { a: 1 }, false],
    [{ type: "object", properties: { a: { type: "string" } } }, { a: "", b: 1 }, true],
    [{ type: "null" }, null, false],
    [{ type: "string", pattern: "a" }, "a", false],
    [null, "a", false],
  ] as const)
    assert.equal(plainlyFits(schema, value), fits, `${JSON.stringify(schema)} ${JSON.stringify(value)}`)
})

test("what the validator accepts is valid, also by keywords that need it", async () => {
  const enumerated = { type: "object", properties: { a: { enum: ["x", "y"] } } }
  assert.deepEqual(await checkArguments(enumerated, { a: "x" }), { ok: true, value: { a: "x" } })
  const checked = await checkArguments(enumerated, { a: "z" })
  assert.deepEqual(checked.ok ? [] : checked.errors, ["/a must be one of x, y"])
})
