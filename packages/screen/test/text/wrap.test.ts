import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { openEmulator } from "@gong/testing/emulator"
import {
  clustersOf,
  isUncertain,
  measureAmbiguousAsWide,
  widthOf,
  widthOfCluster,
  withoutTabs,
} from "../../src/text/cells.ts"
import { textOf } from "../../src/text/row.ts"
import { lineWidth, truncated, wrapCells, wrapEdited, wrapWords } from "../../src/text/wrap.ts"

const words = (text: string, columns: number, indent = "") =>
  wrapWords([{ text }], { columns, indent: [{ text: indent }] }).map(({ spans }) => textOf(spans))

test("lines are broken at words, and words that are longer than a row anywhere", () => {
  assert.deepEqual(words("one two three", 8), ["one two", "three"])
  assert.deepEqual(words("one two", 7), ["one two"])
  assert.deepEqual(words("one  two", 5), ["one", "two"])
  assert.deepEqual(words("a abcdefghij", 5), ["a", "abcde", "fghij"])
  assert.deepEqual(words("", 5), [""])
  assert.deepEqual(words("don’t break", 6), ["don’t", "break"])
})

test("Chinese is broken between characters, and no row begins with closing punctuation", () => {
  assert.deepEqual(words("原因是循环里，写错了", 8), ["原因是循", "环里，写", "错了"])
  assert.deepEqual(words("原因是循环，写错了", 10), ["原因是循", "环，写错了"])
  assert.deepEqual(words("用 npm test 运行", 8), ["用 npm", "test 运", "行"])
})

test("further rows have the indentation of the first", () => {
  assert.deepEqual(words("one two three", 9, "- "), ["- one two", "  three"])
  assert.deepEqual(words("abcdef", 3, "> > > "), ["abc", "def"])
})

test("styles hold over a break, and neighbours with one style are one span", () => {
  const rows = wrapWords([{ text: "one two", role: "bold" }, { text: " three" }], { columns: 5 })
  assert.deepEqual(
    rows.map(({ spans }) => spans),
    [[{ text: "one", role: "bold" }], [{ text: "two", role: "bold" }], [{ text: "three" }]],
  )
})

test("a cut line ends with an ellipsis", () => {
  const cut = (text: string, columns: number) => textOf(truncated([{ text }], columns))
  assert.deepEqual(
    [cut("abc", 3), cut("abcd", 3), cut("中文字", 4), cut("中文字", 5), cut("ab", 1), cut("ab", 0)],
    ["abc", "ab…", "中…", "中文…", "…", ""],
  )
})

test("tabs become spaces up to the next stop", () => {
  assert.equal(withoutTabs("a\tb\t中\t|"), `a${" ".repeat(7)}b${" ".repeat(7)}中${" ".repeat(6)}|`)
  assert.equal(withoutTabs("\tx", 3), "     x")
})

const piece = fc.constantFrom("a", "word", " ", "  ", "中文", "，", "👨‍👩‍👧", "e\u0301", "x".repeat(30), "（", "”")
const line = fc.array(fc.record({ text: piece, role: fc.constantFrom("a", "b") }), { maxLength: 12 })

test("no row is wider than the screen, and nothing but blanks at breaks is lost", () => {
  fc.assert(
    fc.property(line, fc.integer({ min: 2, max: 24 }), (spans, columns) => {
      const rows = wrapWords(spans, { columns })
      for (const row of rows) assert.ok(lineWidth(row.spans) <= columns)
      const letters = (text: string): string => text.replaceAll(" ", "")
      assert.equal(letters(rows.map((row) => textOf(row.spans)).join("")), letters(textOf(spans)))
      const cells = wrapCells(spans, columns)
      for (const row of cells) assert.ok(lineWidth(row.spans) <= columns)
      assert.equal(cells.map((row) => textOf(row.spans)).join(""), textOf(spans))
    }),
  )
})

/** Clusters that terminals and libraries measure differently. */
const hard = [
  "é",
  "e\u0301",
  "ﷺ",
  "ก็",
  "नि",
  "각",
  "ｶ",
  "Ａ",
  "中",
  "㊙️",
  "㊙",
  "☺",
  "☺️",
  "⚠️",
  "⚠",
  "✔",
  "✔️",
  "1️⃣",
  "#️⃣",
  "🇩🇪",
  "🇨",
  "👍",
  "👍🏽",
  "👨‍👩‍👧",
  "🏳️‍🌈",
  "👩🏽‍🚀",
  "❤️",
  "❤️‍🔥",
  "…",
  "—",
  "·",
  "“",
  "①",
  "Ⅷ",
  "░",
  "█",
  "│",
  "→",
  "℃",
  "🀄",
]

test("the hardest clusters have the width that the emulator gives them, or the column is set behind them", async () => {
  assert.equal(hard.length, 40)
  for (const cluster of hard) {
    const emulator = openEmulator(20, 3)
    await emulator.write(cluster)
    const { column } = emulator.cursor()
    assert.ok(column === widthOf(cluster) || isUncertain(cluster), `${cluster}: ${column}, not ${widthOf(cluster)}`)
    assert.deepEqual([...clustersOf(cluster)], [cluster])
    assert.equal(widthOfCluster(cluster), widthOf(cluster))
  }
})

test("edited text is broken behind blanks, and nothing of it is left out", () => {
  assert.deepEqual(wrapEdited("one two three", 7), ["one two ", "three"])
  assert.deepEqual(wrapEdited("one  two three", 8), ["one  two ", "three"])
  assert.deepEqual(wrapEdited("abcdefghij kl", 4), ["abcd", "efgh", "ij ", "kl"])
  assert.deepEqual(wrapEdited("中文字符", 5), ["中文", "字符"])
  assert.deepEqual(wrapEdited("", 5), [""])
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", "b", " ", "中", "👍🏽", "-")),
      fc.integer({ min: 2, max: 12 }),
      (parts, columns) => {
        const text = parts.join("")
        const rows = wrapEdited(text, columns)
        assert.equal(rows.join(""), text)
        for (const row of rows) assert.ok(widthOf(row.replace(/ $/, "")) <= columns, JSON.stringify(rows))
      },
    ),
  )
})

test("characters of ambiguous width take two columns where the terminal has them so", () => {
  const text = "a · b … c → d ┌ é"
  const narrow = widthOf(text)
  measureAmbiguousAsWide(true)
  try {
    assert.equal(widthOf(text), narrow + 5)
    for (let columns = 3; columns < 22; columns++)
      assert.ok(lineWidth(truncated([{ text }], columns)) <= columns, `${columns}`)
  } finally {
    measureAmbiguousAsWide(false)
  }
  assert.equal(widthOf(text), narrow)
})
