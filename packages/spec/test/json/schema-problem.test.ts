import assert from "node:assert/strict"
import { test } from "node:test"
import { checkArguments, englishOf, type JsonSchema } from "../../src/index.ts"

test("the English text of a problem is the validator's message, and its limits are values of the phrase", async () => {
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
    [{ enum: ["a"] }, "b", "must be equal to one of the allowed values"],
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
