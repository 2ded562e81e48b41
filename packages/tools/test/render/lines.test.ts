import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf, phrase } from "@gong/spec"
import { collapsed, line, linesOf, phraseSpan, rendered, span } from "../../src/render/lines.ts"
import { counted, lineCount, numberIn } from "../../src/render/phrases.ts"

const texts = (lines: ReturnType<typeof collapsed>) => lines.map((one) => one.map(({ text }) => text).join(""))
const numbers = (count: number) => Array.from({ length: count }, (_, at) => line(`${at}`))

test("the lines of a text: a final newline ends the last one", () => {
  for (const [text, lines] of [
    ["", []],
    ["a", ["a"]],
    ["a\n", ["a"]],
    ["a\n\n", ["a", ""]],
    ["\n", [""]],
    ["\na", ["", "a"]],
  ] as const)
    assert.deepEqual(linesOf(text), lines)
})

test("ten lines are shown, and the number of hidden ones with the key that shows them", () => {
  assert.deepEqual(texts(collapsed(numbers(10), {})), texts(numbers(10)))
  assert.equal(texts(collapsed(numbers(11), {}))[10], "... (1 more line, ctrl+e to expand)")
  assert.equal(texts(collapsed(numbers(12), { expandKey: "f1" }))[10], "... (2 more lines, f1 to expand)")
  assert.deepEqual(texts(collapsed(numbers(12), { expanded: true })), texts(numbers(12)))
  assert.deepEqual(texts(collapsed(numbers(3), { expandKey: null }, { max: 2 })), ["0", "1", "... (1 more line)"])
  assert.deepEqual(texts(collapsed(numbers(4), { expandKey: null }, { max: 2 })), ["0", "1", "... (2 more lines)"])
  const last = { max: 2, keep: "last" } as const
  assert.deepEqual(texts(collapsed(numbers(3), {}, last)), ["... (1 earlier line, ctrl+e to expand)", "1", "2"])
  assert.deepEqual(texts(collapsed(numbers(4), { expandKey: null }, last)), ["... (2 earlier lines)", "2", "3"])
  assert.equal(collapsed(numbers(11), {})[10]?.[0]?.style, "dim")
})

test("unchanged lines of the last component are reused, and the whole component if nothing has changed", () => {
  const before = rendered([line("a"), line("b", "dim")], {})
  assert.deepEqual(before, { lines: [line("a"), line("b", "dim")], streaming: false })
  const again = (lines: Parameters<typeof rendered>[0], isPartial = false) =>
    rendered(lines, { lastComponent: before, isPartial })
  assert.equal(again([line("a"), line("b", "dim")]), before)
  for (const lines of [
    [line("a")],
    [line("a"), line("b")],
    [line("a"), line("c", "dim")],
    [line("a"), [span("b", "dim"), span("")]],
    [line("a"), line("b", "dim"), line("c")],
  ]) {
    const next = again(lines)
    assert.notEqual(next, before)
    assert.deepEqual(next, { lines, streaming: false })
    assert.equal(next.lines[0], before.lines[0])
  }
  const streaming = again([line("a"), line("b", "dim")], true)
  assert.deepEqual(
    [streaming === before, streaming.streaming, streaming.lines[1] === before.lines[1]],
    [false, true, true],
  )
})

test("spans of Gong's own texts can be translated", () => {
  assert.deepEqual(phraseSpan(phrase`a ${1}`), { text: "a 1", style: "plain", phrase: { id: "a {0}", values: [1] } })
  assert.deepEqual(span("x", "dim"), { text: "x", style: "dim" })
})

test("numbers of things are in singular or plural", () => {
  assert.deepEqual(
    [0, 1, 2].map((count) => lineCount(count).text),
    ["0 lines", "1 line", "2 lines"],
  )
  assert.equal(englishOf(counted(1, "{0} a", "{0} b").phrase ?? ""), "1 a")
  assert.deepEqual(
    [numberIn({ a: 3 }, "a"), numberIn({}, "a"), numberIn(null, "a"), numberIn({ a: "4" }, "a")],
    [3, 0, 0, 4],
  )
})
