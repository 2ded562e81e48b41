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
