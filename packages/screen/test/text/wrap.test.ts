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

const spansOf = (rows: ReturnType<typeof wrapWords>) => rows.map(({ spans }) => spans.map(({ text }) => text))

test("the indentation takes its columns, further rows have their own marks, and too wide ones are left out", () => {
  const quote = [{ text: "| ", role: "quote" }]
  const rows = wrapWords([{ text: "one two three" }], { columns: 9, indent: quote, hanging: quote })
  assert.deepEqual(
    rows.map(({ spans }) => spans),
    [
      [{ text: "| ", role: "quote" }, { text: "one two" }],
      [{ text: "| ", role: "quote" }, { text: "three" }],
    ],
  )
  const shown = (columns: number, indent: string, hanging?: string) =>
    wrapWords([{ text: "ab cd" }], {
      columns,
      indent: [{ text: indent }],
      ...(hanging !== undefined && { hanging: [{ text: hanging }] }),
    }).map(({ spans }) => textOf(spans))
  assert.deepEqual(shown(4, "- "), ["- ab", "  cd"])
  assert.deepEqual(shown(3, "- "), ["- a", "  b", "  c", "  d"])
  assert.deepEqual(shown(2, "- "), ["ab", "cd"])
  assert.deepEqual(shown(2, "> ", "> "), ["ab", "cd"])
  assert.deepEqual(shown(9, "", "> "), ["ab cd"])
  assert.deepEqual(shown(4, "", "> "), ["ab", "cd"])
})

test("blanks stay in a row, keep their style, and are left out at a break", () => {
  assert.deepEqual(words("a  b", 4), ["a  b"])
  assert.deepEqual(words("a   b", 4), ["a", "b"])
  assert.deepEqual(words("  a", 4), ["  a"])
  assert.deepEqual(words("a  ", 4), ["a  "])
  assert.deepEqual(words("abcd  ", 4), ["abcd", ""])
  assert.deepEqual(words("      a", 4), ["    ", "a"])
  assert.deepEqual(words("   abcd", 4), ["   ", "abcd"])
  assert.deepEqual(words("   abcde", 4), ["   a", "bcde"])
  assert.deepEqual(words(" abc", 4), [" abc"])
  assert.deepEqual(words("ab abcdef", 4), ["ab", "abcd", "ef"])
  assert.deepEqual(spansOf(wrapWords([{ text: "a ", role: "x" }, { text: " b" }], { columns: 9 })), [["a", "  b"]])
  assert.deepEqual(
    wrapWords(
      [
        { text: "a", role: "x" },
        { text: " ", role: "y" },
        { text: "b", role: "x" },
      ],
      { columns: 9 },
    ),
    [
      {
        spans: [
          { text: "a", role: "x" },
          { text: " ", role: "y" },
          { text: "b", role: "x" },
        ],
      },
    ],
  )
})

test("a word may change its style, and links are styles too", () => {
  const line: Parameters<typeof wrapWords>[0] = [{ text: "ab" }, { text: "cd", role: "x" }, { text: "ef gh" }]
  assert.deepEqual(spansOf(wrapWords(line, { columns: 6 })), [["ab", "cd", "ef"], ["gh"]])
  assert.deepEqual(spansOf(wrapWords(line, { columns: 5 })), [["ab", "cd", "e"], ["f gh"]])
  const linked = [
    { text: "a", link: "x" },
    { text: "b", link: "x" },
    { text: "c", link: "y" },
  ]
  assert.deepEqual(wrapWords(linked, { columns: 9 })[0]?.spans, [
    { text: "ab", link: "x" },
    { text: "c", link: "y" },
  ])
})

test("Chinese and Japanese are broken around every character that may begin a row", () => {
  assert.deepEqual(words("ab中", 3), ["ab", "中"])
  assert.deepEqual(words("中ab", 3), ["中", "ab"])
  assert.deepEqual(words("a，b", 3), ["a，", "b"])
  assert.deepEqual(words("（中", 2), ["（", "中"])
  assert.deepEqual(words("かカ", 2), ["か", "カ"])
  assert.deepEqual(words("中…字", 4), ["中…", "字"])
  assert.deepEqual(words("a…b", 2), ["a…", "b"])
  assert.deepEqual(words("中’字", 3), ["中’", "字"])
})

test("rows of whole lines are full, and all but the first continue", () => {
  assert.deepEqual(wrapCells([{ text: "abcdef" }], 3), [
    { spans: [{ text: "abc" }] },
    { spans: [{ text: "def" }], continues: true },
  ])
  assert.deepEqual(wrapCells([{ text: "abc" }], 3), [{ spans: [{ text: "abc" }] }])
  assert.deepEqual(wrapCells([], 3), [{ spans: [] }])
  assert.deepEqual(wrapCells([{ text: "" }], 3), [{ spans: [] }])
  assert.deepEqual(spansOf(wrapCells([{ text: "ab", role: "x" }, { text: "cd" }], 3)), [["ab", "c"], ["d"]])
  assert.deepEqual(spansOf(wrapCells([{ text: "ab" }, { text: "cd" }], 4)), [["abcd"]])
  assert.deepEqual(spansOf(wrapCells([{ text: "a中b" }], 2)), [["a"], ["中"], ["b"]])
})

test("edited text: a blank may stand beyond the row, words that are longer are broken anywhere", () => {
  for (const [text, columns, rows] of [
    ["abc", 3, ["abc"]],
    ["abcd", 3, ["abc", "d"]],
    ["abc ", 3, ["abc "]],
    ["abc  ", 3, ["abc ", " "]],
    ["abc d", 3, ["abc ", "d"]],
    ["a b", 3, ["a b"]],
    ["a bc", 3, ["a ", "bc"]],
    ["a bcde", 3, ["a ", "bcd", "e"]],
    ["ab cd ef", 5, ["ab cd ", "ef"]],
    ["a b c d", 3, ["a b ", "c d"]],
    ["中文", 3, ["中", "文"]],
    ["中", 1, ["中"]],
    [" ", 1, [" "]],
    ["   ", 1, ["  ", " "]],
  ] as const)
    assert.deepEqual(wrapEdited(text, columns), rows, JSON.stringify([text, columns]))
})

test("a line is cut in the span where it is full, and the ellipsis has its style", () => {
  const line = [{ text: "ab", role: "x" }, { text: "cd", role: "y" }, { text: "e" }]
  assert.deepEqual(truncated(line, 5), line)
  assert.deepEqual(truncated(line, 4), [
    { text: "ab", role: "x" },
    { text: "c…", role: "y" },
  ])
  assert.deepEqual(truncated(line, 3), [
    { text: "ab", role: "x" },
    { text: "…", role: "y" },
  ])
  assert.deepEqual(truncated(line, 2), [{ text: "a…", role: "x" }])
  assert.deepEqual(truncated(line, 0), [])
  assert.equal(lineWidth(line), 5)
  assert.equal(lineWidth([{ text: "中" }, { text: "a" }]), 3)
})

test("widths of clusters: 0 for what is invisible, 1 or 2 for others; tabs go to the next stop from any column", () => {
  for (const [cluster, width] of [
    ["a", 1],
    ["\u0301", 0],
    ["\u200b", 0],
    ["\u0007", 0],
    ["中", 2],
    ["👍", 2],
    ["🇩🇪", 2],
    ["☺️", 2],
    ["☺", 1],
    ["👨‍👩‍👧", 2],
    ["", 0],
  ] as const)
    assert.equal(widthOf(cluster), width, JSON.stringify(cluster))
  assert.deepEqual(["a", "中", "é", "e\u0301", "👍🏽", "🇩🇪", "☺️", "👨‍👩‍👧"].map(isUncertain), [
    false,
    false,
    false,
    true,
    true,
    true,
    true,
    true,
  ])
  for (const [column, spaces] of [
    [0, 8],
    [1, 7],
    [7, 1],
    [8, 8],
    [15, 1],
  ] as const)
    assert.equal(withoutTabs("\t", column), " ".repeat(spaces), String(column))
  assert.equal(withoutTabs("ab", 3), "ab")
  assert.equal(withoutTabs("e\u0301\tx"), `e\u0301${" ".repeat(7)}x`)
  assert.deepEqual([...clustersOf("aé中")], ["a", "é", "中"])
  assert.deepEqual([...clustersOf("a\r\nb")], ["a", "\r\n", "b"])
  assert.deepEqual([...clustersOf("각")].length, 1)
})
