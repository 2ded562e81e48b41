import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf } from "@gong/spec"
import { bodyDifference, firstDifference } from "../../../../src/commands/sessions/replay/difference.ts"

/** Path and values of the first difference; null: there is none. */
function found(recorded: unknown, replayed: unknown) {
  const difference = firstDifference(recorded, replayed)
  return difference && [difference.path, englishOf(difference.recorded), englishOf(difference.replayed)]
}

test("the first difference in the order of the recorded value, with its path", () => {
  for (const [recorded, replayed, expected] of [
    [1, 1, null],
    [NaN, NaN, null],
    [{ a: [1, { b: "x" }] }, { a: [1, { b: "x" }] }, null],
    [{}, {}, null],
    [[], [], null],
    [1, 2, ["", "1", "2"]],
    [0, -0, ["", "0", "0"]],
    ["a", "b", ["", '"a"', '"b"']],
    [{ a: 1 }, { a: 2 }, ["a", "1", "2"]],
    [{ a: { b: 1 } }, { a: { b: 2 } }, ["a.b", "1", "2"]],
    [
      [1, 2],
      [1, 3],
      ["[1]", "2", "3"],
    ],
    [{ a: [0, { b: true }] }, { a: [0, { b: false }] }, ["a[1].b", "true", "false"]],
    [[1], [1, 2], ["[1]", "nothing", "2"]],
    [[1, 2], [1], ["[1]", "2", "nothing"]],
    [{ a: 1 }, {}, ["a", "1", "nothing"]],
    [{}, { a: 1 }, ["a", "nothing", "1"]],
    [{ b: 1, a: 1 }, { a: 2, b: 2 }, ["b", "1", "2"]],
    [{ a: 1 }, [1], ["", '{"a":1}', "[1]"]],
    [[1], "1", ["", "[1]", '"1"']],
    [null, {}, ["", "null", "{}"]],
  ] as const)
    assert.deepEqual(found(recorded, replayed), expected, JSON.stringify([recorded, replayed]))
})

test("a difference in a long text shows 60 characters before and after it", () => {
  const text = (length: number) => Array.from({ length }, (_, at) => at % 10).join("")
  const cut = (before: number, behind: number) => {
    const [, recorded] = found(`${text(before)}x${text(behind)}`, `${text(before)}y${text(behind)}`) ?? []
    return JSON.parse(recorded ?? "")
  }
  assert.equal(cut(60, 59), `${text(60)}x${text(59)}`)
  assert.equal(cut(61, 0), `...${text(61).slice(1)}x`)
  assert.equal(cut(0, 60), `x${text(59)}...`)
  assert.equal(cut(100, 100), `...${text(100).slice(40)}x${text(59)}...`)
  assert.deepEqual(found("ab", "abc"), ["", '"ab"', '"abc"'])
  assert.deepEqual(found("abc", "ab"), ["", '"abc"', '"ab"'])
})

test("other values are truncated to 120 characters", () => {
  const list = (count: number) => Array.from({ length: count }, () => 1)
  const [, exact, longer] = found({ a: list(59) }, { a: { b: "x".repeat(120) } }) ?? []
  assert.equal(exact?.length, 119)
  assert.equal(longer, `{"b":"${"x".repeat(114)}...`)
  const [, most] = found(["x".repeat(116)], 1) ?? []
  assert.equal(most, JSON.stringify(["x".repeat(116)]))
})

test("bodies are compared byte by byte; a redacted byte matches any byte", () => {
  const difference = (recorded: string, replayed: string) => {
    const one = bodyDifference(Buffer.from(recorded), Buffer.from(replayed))
    return one && [one.path, one.recorded, one.replayed]
  }
  assert.equal(difference("", ""), null)
  assert.equal(difference('{"a":1}', '{"a":1}'), null)
  assert.equal(difference('{"a":"\x18\x18"}', '{"a":"xy"}'), null)
  assert.deepEqual(difference('{"a":"xy"}', '{"a":"\x18\x18"}'), ["a", '"xy"', '"**"'])
  assert.deepEqual(difference('{"a":"\x18"}', '{"a":"xy"}'), ["a", '"*"', '"xy"'])
  assert.deepEqual(difference('{"a":"\x18","b":1}', '{"a":"x","b":2}'), ["a", '"*"', '"x"'])
  assert.deepEqual(difference('{"a":1}', '{"a":2}'), ["a", "1", "2"])
  assert.deepEqual(difference('{"a":1}', '{"a": 1}'), ["", '"{\\"a\\":1}"', '"{\\"a\\": 1}"'])
  assert.deepEqual(difference("{", "{}"), ["", '"{"', '"{}"'])
  assert.deepEqual(difference("{}", "{"), ["", '"{}"', '"{"'])
})
