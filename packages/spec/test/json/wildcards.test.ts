import assert from "node:assert/strict"
import { test } from "node:test"
import { literalWild, type Wild, wildTest } from "../../src/json/wildcards.ts"

const any: Wild = { one: () => true }
const digit: Wild = { one: (char) => char >= "0" && char <= "9" }

test("a pattern matches whole texts: single characters, repetition, and alternatives", () => {
  for (const [pattern, fits, others] of [
    [[], [""], ["a"]],
    [literalWild("ab"), ["ab"], ["", "a", "abc", "ba", "AB"]],
    [literalWild("🐻é"), ["🐻é"], ["🐻", "é🐻"]],
    [[{ many: [any] }], ["", "a", "ab\n"], []],
    [
      [...literalWild("a"), { many: [any] }, ...literalWild("z")],
      ["az", "abz", "azz", "azaz"],
      ["a", "z", "azb", "baz"],
    ],
    [[{ many: literalWild("ab") }], ["", "ab", "abab"], ["a", "aba", "ba"]],
    [
      [{ many: [{ many: [digit] }] }, ...literalWild(".")],
      [".", "1.", "123."],
      ["", "1", "1..", "x."],
    ],
    [
      [{ either: [literalWild("a"), literalWild("bc"), []] }, digit],
      ["a1", "bc2", "3"],
      ["a", "b1", "abc1", ""],
    ],
    [[{ either: [] }], [], ["", "a"]],
  ] as const) {
    const test = wildTest(pattern)
    for (const text of fits) assert.equal(test(text), true, `${JSON.stringify(pattern)} ${text}`)
    for (const text of others) assert.equal(test(text), false, `${JSON.stringify(pattern)} ${text}`)
  }
})

test("cached transitions of one text are valid for another, also after the cache was cleared", () => {
  const test = wildTest([{ many: [any] }, ...literalWild("end")])
  for (let at = 0; at < 12_000; at++) {
    const char = String.fromCodePoint(0x4e00 + at)
    if (test(char) || !test(`${char}end`)) assert.fail(char)
  }
  assert.deepEqual([test("end"), test("en"), test("")], [true, false, false])
})

test("a transition is computed once", () => {
  let asked = 0
  const test = wildTest([{ many: [{ one: () => ((asked += 1), true) }] }])
  test("aaaa")
  const first = asked
  test("aaaa")
  assert.deepEqual([first <= 2, asked], [true, first])
})
