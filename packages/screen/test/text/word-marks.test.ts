import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { type Line, textOf } from "@gong/screen/row"
import { withWordMarks } from "@gong/screen/word-marks"

const removed = (text: string): Line => [{ text, role: "removed" }]
const added = (text: string): Line => [{ text, role: "added" }]
const strong = (lines: readonly Line[]): readonly (readonly string[])[] =>
  withWordMarks(lines).map((line) => line.filter(({ role }) => role?.endsWith(" strong")).map(({ text }) => text))

test("words that differ are marked, signs and numbers of lines are not", () => {
  assert.deepEqual(strong([removed("-  9   return price - percent"), added("+  9   return price * percent")]), [
    ["-"],
    ["*"],
  ])
  assert.deepEqual(strong([removed("-1 const 名字 = 1"), added("+12 const 名称 = 1")]), [["名字"], ["名称"]])
})

test("pairs are those of neighbouring runs of one length; other lines stay as they are", () => {
  const same: Line = [{ text: "  same" }]
  assert.deepEqual(strong([removed("-a b c"), removed("-d e f"), added("+a x c"), added("+d e y"), same]), [
    ["b"],
    ["f"],
    ["x"],
    ["y"],
    [],
  ])
  assert.deepEqual(strong([removed("-a b"), added("+a x"), added("+a y")]), [[], [], []])
  assert.deepEqual(strong([removed("-a b"), same, added("+a x")]), [[], [], []])
})

test("lines with little in common, and very long ones, are not marked", () => {
  assert.deepEqual(strong([removed("-one two three"), added("+something else entirely different")]), [[], []])
  const long = "word ".repeat(300)
  assert.deepEqual(strong([removed(`-${long}`), added(`+${long}x`)]), [[], []])
})

test("a line of 400 parts is compared, a longer one is not, and 30 % in common are enough", () => {
  const parts = (count: number) => "a ".repeat(count / 2)
  assert.deepEqual(strong([removed(`-${parts(398)}b c`), added(`+${parts(398)}b d`)]), [[], []])
  assert.deepEqual(strong([removed(`-${parts(396)}b c`), added(`+${parts(396)}b d`)]), [["c"], ["d"]])
  assert.deepEqual(
    strong([removed("-a b c d e f g h i j"), added("+a b c 1 2 3 4 5 6 7")]).map((line) => line.length > 0),
    [true, true],
  )
  assert.deepEqual(strong([removed("-a b c d e f g h i j"), added("+a b 1 2 3 4 5 6 7 8")]), [[], []])
})

test("neighbouring parts with one style are one span, and several runs have their own pairs", () => {
  const line = withWordMarks([removed("-a (b) c d"), added("+a [b] c d")])
  assert.deepEqual(line[0], [
    { text: "-a ", role: "removed" },
    { text: "(", role: "removed strong" },
    { text: "b", role: "removed" },
    { text: ")", role: "removed strong" },
    { text: " c d", role: "removed" },
  ])
  const two = [removed("-a x"), added("+a y"), removed("-b x"), added("+b y")]
  assert.deepEqual(strong(two), [["x"], ["y"], ["x"], ["y"]])
  assert.deepEqual(strong([added("+a y"), removed("-a x")]), [[], []])
  assert.deepEqual(strong([removed("-a x")]), [[]])
  assert.deepEqual(strong([]), [])
  assert.deepEqual(withWordMarks([removed("-"), added("+")]).map(textOf), ["-", "+"])
})

test("the text of every line is unchanged", () => {
  const line = fc.oneof(
    fc.string().map(removed),
    fc.string().map(added),
    fc.lorem().map(removed),
    fc.lorem().map(added),
  )
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      assert.deepEqual(withWordMarks(lines).map(textOf), lines.map(textOf))
    }),
    { seed: 20 },
  )
})
