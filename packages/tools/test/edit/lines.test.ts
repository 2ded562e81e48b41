import assert from "node:assert/strict"
import { test } from "node:test"
import { type Body, lineNumbersOf } from "../../src/edit/line-numbers.ts"
import { linesOf } from "../../src/edit/lines.ts"
import { anchorsOf, columnsOf, normalizeInside, normalizeText } from "../../src/edit/matching/normalize.ts"
import { countNewlines } from "../../src/files/newlines.ts"

test("start and end of each line of a text, and the line at an offset", () => {
  for (const text of ["", "a", "a\n", "\n\n", "ab\nc\n\ndef"]) {
    const lines = linesOf(text)
    let begin = 0
    for (const [line, words] of text.split("\n").entries()) {
      const end = begin + words.length
      assert.deepEqual([lines.start(line), lines.end(line)], [begin, end], `${JSON.stringify(text)} ${line}`)
      for (let place = begin; place <= end; place++)
        assert.equal(lines.at(place), line, `${JSON.stringify(text)} ${place}`)
      begin = end + 1
    }
    assert.equal(lines.start(99), text.length)
  }
})

function bodyOf(text: string, encoding: "latin1" | "utf16le" | "utf16be", mark = 0): Body {
  const bytes = Buffer.from(" ".repeat(mark) + text, encoding === "utf16be" ? "utf16le" : encoding)
  if (encoding === "utf16be") bytes.swap16()
  const unit = encoding === "latin1" ? 1 : 2
  return { bytes, start: mark * unit, end: bytes.length, unit, bigEndian: encoding === "utf16be" }
}

test("lines of a file are counted for every line ending and code unit width", () => {
  const texts = ["", "a", "a\nb", "a\n", "a\r\nb\rc\n\r\n", "\r", `${"x".repeat(4094)}\n\ny\n${"z\n".repeat(3000)}end`]
  for (const text of texts)
    for (const encoding of ["latin1", "utf16le", "utf16be"] as const)
      for (const mark of [0, 3]) {
        const body = bodyOf(text, encoding, mark)
        const begins = [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), ({ 0: end, index }) => index + end.length)]
        const numbers = lineNumbersOf(body)
        const what = `${JSON.stringify(text.slice(0, 20))} ${encoding} ${mark}`
        assert.equal(numbers.count(), begins.length, what)
        for (const line of [0, 1, 2, 3, begins.length - 1])
          if (begins[line] !== undefined) {
            const place = body.start + begins[line] * body.unit
            assert.equal(numbers.start(line), place, `${what} ${line}`)
            assert.equal(lineNumbersOf(body).at(place), line, `${what} ${line}`)
          }
        assert.equal(numbers.start(begins.length), body.end, what)
      }
})

test("newlines are counted at any alignment, beside similar bytes", () => {
  const bytes = Buffer.from(
    Array.from({ length: 300 }, (_, at) => [10, 11, 9, 138, 10, 0, 255, 26][(at * 5 + (at >> 3)) % 8] ?? 0),
  )
  for (let from = 0; from < 20; from++)
    for (const to of [from, from + 1, from + 7, from + 64, 299, 300]) {
      const part = bytes.subarray(from, to)
      assert.equal(countNewlines(part), part.filter((byte) => byte === 10).length, `${from} ${to}`)
    }
})

test("quotes, dashes and blanks are normalized, and trailing blanks removed", () => {
  const rows = [
    ["\u2018\u2019\u201A\u201B", "''''"],
    ["\u201C\u201D\u201E\u201F", '""""'],
    ["\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-------"],
    ["a\u00A0b\u2002c\u200Ad\u202Fe\u205Ff\u3000g", "a b c d e f g"],
    ["\u2017\u2020\u2009x\u200B", "\u2017\u2020 x\u200B"],
    ["e\u0301", "\u00e9"],
    ["a \t\v\f\r\nb \n \n", "a\nb\n\n"],
    ["a\x08\nb\x0e\n", "a\x08\nb\x0e\n"],
    ["a\u1680\n\ufeff", "a\n"],
    [" a  b", " a  b"],
    ["a ", "a"],
    ["", ""],
  ] as const
  for (const [text, plain] of rows) assert.equal(normalizeText(text), plain, JSON.stringify(text))
  assert.equal(normalizeInside("\u2018a\u2019 \n"), "'a' \n")
  assert.equal(normalizeInside("a \n"), "a \n")
})

test("a column of a normalized line maps back to the original line", () => {
  const line = "e\u0301a\u1112\u1161\u11abz"
  const columnOf = columnsOf(line)
  assert.equal(line.normalize("NFC").length, 4)
  assert.deepEqual([0, 1, 2, 3, 4].map(columnOf), [0, 2, 3, 6, 7])
  assert.equal(columnsOf("\u0301")(1), 1)
  const doubled = columnsOf("\u0958x")
  assert.deepEqual([0, 1, 2, 3].map(doubled), [0, -1, 1, 2])
  assert.deepEqual([0, 3].map(columnsOf("abc")), [0, 3])
})

test("the parts of a text that no other text normalizes to, longest first", () => {
  assert.deepEqual(anchorsOf("ab-cdeKf ghij"), [
    { text: "ghij", index: 9 },
    { text: "cde", index: 3 },
    { text: "ab", index: 0 },
    { text: "f", index: 7 },
  ])
  assert.deepEqual(anchorsOf("- '"), [])
  assert.deepEqual(anchorsOf("a\u4e2d\u6587-\u8c48x"), [
    { text: "a\u4e2d\u6587", index: 0 },
    { text: "x", index: 5 },
  ])
  assert.deepEqual(anchorsOf("\u00e9J_9Z"), [{ text: "J_9Z", index: 1 }])
})
