import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { isDeeper, maxJsonDepth, parseJson, readJson, tooDeepAt } from "../../src/index.ts"

const arrays = (levels: number): string => "[".repeat(levels) + "]".repeat(levels)
const objects = (levels: number): string => '{"a":'.repeat(levels) + "1" + "}".repeat(levels)

test("JSON of 500 levels is parsed; with 501 it is rejected as too deep", () => {
  for (const nested of [arrays, objects]) {
    assert.equal(readJson(nested(maxJsonDepth)).ok, true)
    const refused = readJson(nested(maxJsonDepth + 1))
    assert.deepEqual(refused, { ok: false, tooDeep: true, problem: "nested more than 500 levels deep" })
    assert.equal(parseJson(nested(maxJsonDepth + 1)), undefined)
    assert.equal(readJson(nested(maxJsonDepth + 1), maxJsonDepth + 1).ok, true)
  }
  assert.equal(readJson(`{"wide": [${"[],".repeat(10_000)}1]}`).ok, true, "many values side by side are no depth")
})

test("a million levels are rejected without a stack overflow", () => {
  for (const text of [arrays(1_000_000), objects(1_000_000), "[".repeat(1_000_000)]) {
    assert.equal(readJson(text).ok, false)
    assert.equal(tooDeepAt(text), text.startsWith("[") ? maxJsonDepth : 5 * maxJsonDepth)
  }
})

test("invalid JSON is rejected with the parser's message", () => {
  const read = readJson('{"a" 1}')
  assert.ok(!read.ok && !read.tooDeep)
  assert.match(read.problem, /position 5/)
})

test("__proto__ and similar names are ordinary keys", () => {
  const value = parseJson('{"__proto__": {"polluted": true}, "constructor": {"prototype": 1}}')
  assert.deepEqual(Object.keys(value as object), ["__proto__", "constructor"])
  assert.equal(Object.getPrototypeOf(value), Object.prototype)
  assert.equal((value as { polluted?: unknown }).polluted, undefined)
  assert.equal(isDeeper(parseJson('{"__proto__": [[1]]}'), 2), true, "and they count as levels")
})

test("brackets in strings and comments do not count; an open string or comment ends with its line", () => {
  assert.equal(tooDeepAt('["[[[\\"[[", 1] // [[[\n/* [[[ */ [[]]', 1), 33)
  assert.equal(tooDeepAt('["[[[\\"[[", 1] // [[[\n/* [[[ */ []', 1), null)
  assert.equal(tooDeepAt('"[[[\n[[', 1), 6)
  assert.equal(tooDeepAt("/* [[[", 1), null)
  assert.equal(tooDeepAt("]]}}[[", 1), 5, "brackets too many on the right do not make room")
})

test("the text scan and the check of the value agree on the depth", () => {
  const options = { maxDepth: 12, depthIdentifier: "json" }
  fc.assert(
    fc.property(fc.jsonValue(options), fc.nat(8), (value, levels) => {
      const text = JSON.stringify(value, null, 1)
      assert.equal(tooDeepAt(text, levels) !== null, isDeeper(value, levels))
      assert.equal(readJson(`${" ".repeat(2 * levels)}${text}`, levels).ok, !isDeeper(value, levels))
    }),
  )
})
