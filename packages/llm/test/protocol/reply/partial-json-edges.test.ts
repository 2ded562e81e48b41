import assert from "node:assert/strict"
import { test } from "node:test"
import { accumulator, finalArguments, isComplete, parse } from "../../../src/protocol/reply/partial-json.ts"

const nested = (levels: number) => "[".repeat(levels)

test("what can be read of truncated or invalid JSON, in one piece or by characters", () => {
  for (const [text, status, value] of [
    ["", "ok", {}],
    [" \n\t\r", "ok", {}],
    ['{"a"\n:\t1,\r"b" : "x', "partial", { a: 1, b: "x" }],
    ["{", "partial", {}],
    ['{"a', "partial", {}],
    ['{"a"', "partial", {}],
    ['{"a":', "partial", {}],
    ['{"a":1', "partial", { a: 1 }],
    ['{"a":1,', "partial", { a: 1 }],
    ['{"a":1,}', "partial", { a: 1 }],
    ['{"a":1,"a":2,', "partial", { a: 2 }],
    ['{"a":{"b":[', "partial", { a: { b: [] } }],
    ['{"a":{},"b":[],"c', "partial", { a: {}, b: [] }],
    ["[1,", "partial", [1]],
    ["[1,]", "partial", [1]],
    ["[1,2", "partial", [1, 2]],
    ['["a","b', "partial", ["a", "b"]],
    ["[[1],[2", "partial", [[1], [2]]],
    ["[true,false,null,-", "partial", [true, false, null]],
    ["[-1.", "partial", [-1]],
    ["[1e", "partial", [1]],
    ["[2.5E+", "partial", [2.5]],
    ["[1e2,", "partial", [100]],
    ["[tru", "partial", []],
    ['["\\"\\\\\\/\\b\\f\\n\\r\\t', "partial", ['"\\/\b\f\n\r\t']],
    ['["a\\', "partial", ["a"]],
    ['["a\\u00e', "partial", ["a"]],
    ['["a\\u00e9', "partial", ["a\u00e9"]],
    ['["\\uD83d\\uDe00', "partial", ["\u{1f600}"]],
    ['["a\nb"]', "partial", ["a\nb"]],
    ['["a\u001fb"]', "partial", ["a\u001fb"]],
    ['["a\u0020b",', "partial", ["a b"]],
    ['{"a":1} ', "ok", { a: 1 }],
    ["true", "ok", true],
    ["tru", "partial", {}],
    ["12", "ok", 12],
    ["[", "partial", []],
    ["[}", "error", []],
    ["{]", "error", {}],
    ["[,", "error", []],
    ["{,", "error", {}],
    ["[1 2", "error", [1]],
    ["[1,,", "error", [1]],
    ['{"a" 1', "error", {}],
    ['{"a":}', "error", {}],
    ['{"a":,', "error", {}],
    ["{a", "error", {}],
    ["{1", "error", {}],
    ['["a"]]', "error", ["a"]],
    ['{"a":1}x', "error", { a: 1 }],
    ["[truex,", "error", []],
    ["[01,", "error", []],
    ["[1.,", "error", [1]],
    ["[+1", "error", []],
    ["[x", "error", []],
    ['["a\\x', "error", ["a"]],
    ['["a\\u00g', "error", ["a"]],
    ["]", "error", {}],
    ["}", "error", {}],
    [":", "error", {}],
    [",", "error", {}],
    ["[:", "error", []],
    ["[toString,", "error", []],
  ] as const) {
    assert.deepEqual(parse(text), { status, value }, text)
    const reader = accumulator()
    let last = reader.add("")
    for (const character of text) last = reader.add(character)
    assert.equal(last.status === "error", status === "error", text)
    if (status !== "error") assert.deepEqual(last.value, value, text)
  }
})

test("a key of the name __proto__ is one of the value's own", () => {
  const { value } = parse('{"__proto__":{"a":1},"b":')
  assert.deepEqual(Object.keys(value as object), ["__proto__"])
  assert.equal((value as { readonly a?: unknown }).a, undefined)
})

test("500 levels are read; the next one is an error", () => {
  assert.equal(parse(nested(500)).status, "partial")
  assert.equal(parse(nested(501)).status, "error")
})

test("arguments are final if only closing brackets are missing or a comma is too many", () => {
  for (const [text, expected] of [
    ['{"a":1}', { ok: true, value: { a: 1 }, repaired: false }],
    ["", { ok: true, value: {}, repaired: false }],
    [" ", { ok: true, value: {}, repaired: false }],
    ["{", { ok: true, value: {}, repaired: true }],
    ['{"a":"x"', { ok: true, value: { a: "x" }, repaired: true }],
    ['{"a":1 ', { ok: true, value: { a: 1 }, repaired: true }],
    ['{"a":[1,]}', { ok: true, value: { a: [1] }, repaired: true }],
    ['{"a":{"b":[', { ok: true, value: { a: { b: [] } }, repaired: true }],
    ['{"a":"x\ny"}', { ok: true, value: { a: "x\ny" }, repaired: true }],
    ['{"a":1', { ok: false }],
    ['{"a":true', { ok: false }],
    ['{"a":"x', { ok: false }],
    ['{"a":1,', { ok: false }],
    ['{"a":', { ok: false }],
    ['{"a"', { ok: false }],
    ['{"a":1}x', { ok: false }],
    ["[1]", { ok: false }],
    ["[1", { ok: false }],
    ["[{}", { ok: false }],
    ["null", { ok: false }],
    ["1", { ok: false }],
    ['"a\nb"', { ok: false }],
  ] as const)
    assert.deepEqual(finalArguments(text), expected, text)
})

test("only a whole value that is not empty is complete", () => {
  for (const [text, expected] of [
    ["{}", true],
    ["1", true],
    [" [] ", true],
    ["null", true],
    ["", false],
    [" \n", false],
    ["{", false],
    ['{"a":1,}', false],
  ] as const)
    assert.equal(isComplete(text), expected, text)
})
