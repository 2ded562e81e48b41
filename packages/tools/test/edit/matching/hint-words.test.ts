import assert from "node:assert/strict"
import { test } from "node:test"
import { noMatchText, severalText } from "../../../src/edit/matching/hint.ts"
import { nearestLine } from "../../../src/edit/matching/nearest.ts"
import { viewOf } from "../../../src/edit/view.ts"

const view = (text: string) => viewOf(Buffer.from(text))

/** The message below its first line. */
function printed(file: string, old: string, now = "x"): readonly string[] {
  return noMatchText(view(file), old, now, "a").split("\n").slice(1)
}

const same = (count: string, where: string) =>
  `The nearest text is at ${where}; ${count} the same (> marks what differs):`

test("the difference of a line is described in words", () => {
  const rows = [
    ["  total", "\ttotal", "Line 1 differs in its indentation: 2 spaces in the file, 1 tab in oldText."],
    ["\t\t total", "x total", 'Line 1 differs from column 1 on: "\\t\\t total" in the file, "x total" in oldText.'],
    ["a  total", "a\ttotal", 'Line 1 differs in blanks: "a  total" in the file, "a\\ttotal" in oldText.'],
    ["one total", "total sum", 'Line 1 differs from column 10 on: "" in the file, " sum" in oldText.'],
    ["total one", "total two", 'Line 1 differs from column 7 on: "one" in the file, "two" in oldText.'],
  ] as const
  for (const [file, old, words] of rows) assert.equal(printed(file, old).at(-1), words, old)
  assert.deepEqual(printed("first\n \ttotal\nlast\n", "first\n  total\nlast"), [
    same("2 of 3 lines are", "lines 1-3"),
    "  1 first",
    "> 2  \ttotal",
    "  3 last",
    "Line 2 differs in its indentation: 1 tab and 1 space in the file, 2 spaces in oldText.",
  ])
  assert.deepEqual(
    printed("first\ntotal\nlast\n", "first\n  total\nlast").at(-1),
    "Line 2 differs in its indentation: nothing in the file, 2 spaces in oldText.",
  )
})

test("surrounding newlines are ignored, and the last line may be incomplete", () => {
  assert.deepEqual(printed("one\ntwo three\n", "\n\nones\ntwo\n\n"), [
    same("1 of 2 lines are", "lines 1-2"),
    "> 1 one",
    "  2 two three",
    'Line 1 differs from column 4 on: "" in the file, "s" in oldText.',
  ])
  assert.deepEqual(printed("alpha beta\n", "alpha gamma beta\n")[0], same("0 of 1 line is", "line 1"))
})

test("of a long text the part around the difference is shown", () => {
  const rows = Array.from({ length: 60 }, (_, at) => `row${at}`)
  const other = (at: number) => rows.with(at, `row${at}b`).join("\n")
  const shown = (at: number) =>
    printed(rows.join("\n"), other(at))
      .slice(1, -1)
      .map((row) => row.slice(2).trim())
  assert.deepEqual([shown(19)[0], shown(19).at(-1), shown(19).length], ["1 row0", "...", 21])
  assert.deepEqual([shown(20).slice(0, 2), shown(20).at(-1)], [["...", "11 row10"], "..."])
  assert.deepEqual([shown(50)[1], shown(50).at(-1), shown(50).length], ["41 row40", "60 row59", 21])
  assert.deepEqual([shown(49).at(-2), shown(49).at(-1)], ["59 row58", "..."])
})

test("a newText that is already present is reported from eight characters on", () => {
  const already = (now: string) => printed(`${now}\n`, "missing", now).some((row) => row.startsWith("newText is there"))
  assert.deepEqual([already("12345678"), already("1234567"), already(" 1234567 ")], [true, false, false])
  assert.equal(
    printed("a\n12345678\n", "missing", "12345678")[0],
    "newText is there already, at line 2: was this changed before?",
  )
})

test("at most ten matches are listed", () => {
  const file = view("x\n".repeat(12))
  const places = Array.from({ length: 12 }, (_, at) => ({ start: 2 * at, end: 2 * at + 1 }))
  const listed = (count: number) => severalText(file, places.slice(0, count), "a").split("\n")
  assert.match(listed(2)[0] ?? "", /^Found 2 occurrences of the text in a\. /)
  assert.equal(
    listed(10)[1],
    "They begin at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10. To replace all of them set replaceAll.",
  )
  assert.equal(
    listed(12)[1],
    "They begin at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, and 2 more. To replace all of them set replaceAll.",
  )
})

test("the best line is where most rare words of the text occur, inside the file", () => {
  const near = (file: string, ...wanted: string[]) => nearestLine(view(file), wanted)
  assert.equal(near("alpha\nbeta\ngamma\nbeta delta\n", "beta", "other"), 1)
  assert.equal(near("alpha\nbeta\ngamma\nbeta delta\n", "beta delta"), 3)
  assert.equal(near("alpha\nbeta\n", "missing", "missing", "alpha"), 0)
  assert.equal(near("alpha\nbeta\ngamma\n", "x", "gamma"), 1)
  assert.equal(near("alpha\n", "a"), null)
  assert.equal(near("ab\n", "ab"), 0)
  assert.equal(near("ab cdefghij\n", "ab somethingelse"), null)
  assert.equal(near("abcd efghij\n", "abcd klmnop"), 0)
  assert.equal(near("word\n".repeat(500), "word"), 0)
  assert.equal(near("word\n".repeat(501), "word"), null)
  assert.equal(near("none\nhello world\n", "hexlo worldly"), 1)
})
