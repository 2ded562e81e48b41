import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import {
  englishOf,
  isDeeper,
  maxJsonDepth,
  maxWrappedDepth,
  parseJson,
  readJson,
  tooDeep,
  tooDeepAt,
} from "../../src/index.ts"

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

test("the limits are 500 levels, and 520 with the fields around a value", () => {
  assert.deepEqual([readJson(arrays(500)).ok, readJson(arrays(501)).ok], [true, false])
  assert.deepEqual([isDeeper(parseJson(arrays(500))), isDeeper(JSON.parse(arrays(501)))], [false, true])
  assert.deepEqual([tooDeepAt(arrays(500)), tooDeepAt(arrays(501))], [null, 500])
  assert.deepEqual(
    [readJson(arrays(520), maxWrappedDepth).ok, readJson(arrays(521), maxWrappedDepth).ok],
    [true, false],
  )
  assert.equal(englishOf(tooDeep()), "nested more than 500 levels deep")
})

test("a text of one bracket too many is checked however short it is", () => {
  for (const [text, levels, ok] of [
    ["1", 0, true],
    ['""', 0, true],
    ["[]", 1, true],
    ["[1]", 0, false],
    ["[[]]", 1, false],
    ["[[]]", 2, true],
    ["null", 0, true],
  ] as const)
    assert.equal(readJson(text, levels).ok, ok, text)
})

test("closing brackets and braces end their level; comments end where they end", () => {
  for (const [text, levels, at] of [
    ["[{},{},[],[]]", 2, null],
    ["[{},{},[],[{}]]", 2, 11],
    ["/*/ [[ */[]", 1, null],
    ["/*/ [[ */[[", 1, 10],
    ["// [[", 1, null],
    ["//[[\n[[", 1, 6],
    ["/[[", 1, 2],
    ["/**/[[", 1, 5],
    ['"a\\"[["[', 1, null],
    ['"[["[[', 1, 5],
    ['"\\\\"[[', 1, 5],
    ["[", 0, 0],
    ["{", 0, 0],
    ["", 0, null],
  ] as const)
    assert.equal(tooDeepAt(text, levels), at, text)
})
