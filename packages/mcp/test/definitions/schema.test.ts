import assert from "node:assert/strict"
import { test } from "node:test"
import { checkSchema, problemKey } from "../../src/definitions/schema.ts"

const withProperty = (a: unknown) => checkSchema({ type: "object", properties: { a } })
const problemOf = (checked: ReturnType<typeof checkSchema>): string | null => (checked.ok ? null : checked.problem)

/** A list with a text in it, of which the schema has as many characters as the limit and `more`. */
function sized(more: number): unknown {
  // The object and "type": 5 + 8, "object": 9, "enum": 8, the list: 5; each text takes three more than its length.
  return { type: "object", enum: ["x".repeat(32_768 - 35 - 3 + more)] }
}

test("a schema of exactly 32,768 characters is accepted, one of a character more is refused", () => {
  assert.equal(problemOf(checkSchema(sized(0))), null)
  assert.equal(problemOf(checkSchema(sized(1))), "its schema is larger than 32768 characters")
})

test("each value and each name counts towards the size of a schema", () => {
  const numbers = (count: number) => withProperty({ enum: Array.from({ length: count }, () => 1) })
  assert.equal(problemOf(numbers(6_500)), null)
  assert.match(problemOf(numbers(6_560)) ?? "", /larger/)
  const names = (count: number) =>
    checkSchema({
      type: "object",
      properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}`.padStart(7, "n"), true])),
    })
  assert.equal(problemOf(names(2_040)), null)
  assert.match(problemOf(names(2_050)) ?? "", /larger/)
})

test("a schema of exactly 32 levels is accepted, one of a level more is refused", () => {
  const nested = (levels: number): unknown => {
    let inner: unknown = true
    for (let level = 1; level < levels; level++) inner = { not: inner }
    return { type: "object", not: inner }
  }
  assert.equal(problemOf(checkSchema(nested(32))), null)
  assert.equal(problemOf(checkSchema(nested(33))), "its schema is nested more than 32 levels deep")
  const lists = (levels: number): unknown => {
    let inner: unknown = 1
    for (let level = 0; level < levels; level++) inner = [inner]
    return { type: "object", enum: inner }
  }
  assert.equal(problemOf(checkSchema(lists(31))), null)
  assert.match(problemOf(checkSchema(lists(32))) ?? "", /32 levels/)
})

test("the reasons of a refusal", () => {
  const prototype = JSON.parse('{"type":"object","properties":{"__proto__":{}}}') as unknown
  for (const [schema, problem] of [
    [null, "its schema is not one of an object"],
    [[], "its schema is not one of an object"],
    [{ type: "array" }, "its schema is not one of an object"],
    [{ type: "object", [problemKey]: "too\u200b large" }, "too large"],
    [{ type: "object", [problemKey]: "x".repeat(300) }, "x".repeat(200)],
    [prototype, "its schema has a field named __proto__"],
    [{ type: "object", properties: { constructor: {} } }, "its schema has a field named constructor"],
    [{ type: "object", default: { prototype: 1 } }, "its schema has a field named prototype"],
    [{ type: "object", "a\u200b": 1 }, "its schema hides characters"],
    [{ type: "object", properties: { a: { const: "a\u200b" } } }, "its schema hides characters"],
    [{ type: "object", properties: { a: { $ref: 1 } } }, "its schema refers to another document"],
    [{ type: "object", properties: { a: { $dynamicRef: "x#a" } } }, "its schema refers to another document"],
    [{ type: "object", properties: { a: { $recursiveRef: "x" } } }, "its schema refers to another document"],
    // The first problem is reported.
    [{ type: "object", "a\u200b": 1, constructor: 1 }, "its schema hides characters"],
  ] as const)
    assert.equal(problemOf(checkSchema(schema)), problem, JSON.stringify(schema))
})

test("a problem that is no text is a field of the schema", () => {
  assert.deepEqual(checkSchema({ type: "object", [problemKey]: 1 }), {
    ok: true,
    schema: { type: "object", [problemKey]: 1 },
  })
})

test("names of properties and data are kept; the same words as keywords are dropped, checked or cleaned", () => {
  const given = {
    type: "object",
    $comment: "c",
    title: "T\u200b",
    description: "x".repeat(3_000),
    properties: {
      $comment: { type: "string", description: "d\u200b", pattern: "p" },
      $ref: { type: "number" },
      description: { title: 1 },
    },
    $defs: { pattern: { pattern: "a" } },
    definitions: { $id: { $id: "a" } },
    dependentSchemas: { patternProperties: { patternProperties: {} } },
    default: { $id: 1, $ref: "x", pattern: ["p", { pattern: "q" }] },
    const: { pattern: 1 },
    enum: [{ $comment: null }],
    examples: [{ $ref: "y" }],
    required: ["$ref"],
    items: [{ pattern: "z", $ref: "#/a" }],
  }
  const checked = checkSchema(given)
  assert.deepEqual(checked, {
    ok: true,
    schema: {
      type: "object",
      title: "T",
      description: "x".repeat(2_048),
      properties: {
        $comment: { type: "string", description: "d" },
        $ref: { type: "number" },
        description: { title: 1 },
      },
      $defs: { pattern: {} },
      definitions: { $id: {} },
      dependentSchemas: { patternProperties: {} },
      default: given.default,
      const: given.const,
      enum: given.enum,
      examples: given.examples,
      required: given.required,
      items: [{ $ref: "#/a" }],
    },
  })
})
