import assert from "node:assert/strict"
import { test } from "node:test"
import { checkArguments, englishOf, type JsonSchema } from "../../src/index.ts"

test("a problem names the allowed values, the limit or the unknown field, as values of a phrase", async () => {
  const cases: readonly (readonly [field: JsonSchema, given: unknown, id: string])[] = [
    [{ minimum: 2, maxProperties: 9 }, 1, "must be >= {0}"],
    [{ maximum: 2, maxProperties: 9 }, 3, "must be <= {0}"],
    [{ exclusiveMinimum: 2, maxProperties: 9 }, 2, "must be > {0}"],
    [{ exclusiveMaximum: 2 }, 2, "must be < {0}"],
    [{ minItems: 2 }, [1], "must not have fewer than {0} items"],
    [{ maxItems: 1 }, [1, 2], "must not have more than {0} items"],
    [{ minLength: 2 }, "a", "must not have fewer than {0} characters"],
    [{ maxLength: 2 }, "abc", "must not have more than {0} characters"],
    [{ pattern: "^a$" }, "b", 'must match pattern "{0}"'],
    [{ required: ["a", "b"] }, {}, "must have required properties {0}"],
    [{ type: ["string", "null"] }, 5, "must be either {0}"],
    [{ type: "string" }, 5, "must be string"],
    [{ enum: ["a", 1] }, "b", "must be one of {0}"],
    [{ const: 2 }, "b", "must be {0}"],
    [{ additionalProperties: false }, { z: 1 }, "is an unknown field"],
  ]
  for (const [field, given, id] of cases) {
    const checked = await checkArguments({ properties: { a: field } }, { a: given })
    assert.ok(!checked.ok, id)
    assert.deepEqual(
      checked.problems.map(({ path, text }) => [`${path} ${englishOf(text)}`, text.id]),
      checked.errors.map((error) => [error, id]),
    )
  }
})
