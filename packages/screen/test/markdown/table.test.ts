import assert from "node:assert/strict"
import { test } from "node:test"
import { markdownStream } from "@gong/screen/markdown"
import { type Block, textOf } from "@gong/screen/row"

function blocksOf(text: string, columns = 60): readonly Block[] {
  const stream = markdownStream({ columns, highlighter: () => null })
  return [...stream.feed(text), ...stream.end()]
}

function shown(text: string, columns = 60): string {
  return blocksOf(text, columns)
    .map(({ line, indent = [] }) => textOf(indent) + textOf(line))
    .join("\n")
}

test("a table ends before the next one, each with columns of its own, also in a quotation", () => {
  const two = ["| a | b |\n|---|---|\n| 1 | 2 |", "| c |\n|---|\n| three |"]
  const lines = ["a | b\n--+--\n1 | 2", "c\n-----\nthree"]
  assert.equal(shown(two.join("\n\n")), lines.join("\n\n"))
  const quoted = (text: string) => text.replaceAll(/^/gm, "> ").replaceAll(/ $/gm, "")
  const bars = (text: string) => text.replaceAll(/^/gm, "| ").replaceAll(/ $/gm, "")
  assert.equal(shown(quoted(two.join("\n\n"))), bars(lines.join("\n\n")))
})

test("the head is bold and the line below it muted; cells of the rows have only their own roles", () => {
  const [head, rule, row] = blocksOf("| a |\n|---|\n| **b** c |")
  assert.deepEqual(
    [head?.line, rule?.line, row?.line],
    [
      [{ text: "a", role: "strong" }],
      [{ text: "---", role: "muted" }],
      [{ text: "b", role: "strong" }, { text: " c" }],
    ],
  )
})

test("rows behind the twentieth do not widen the columns, but are broken to fit", () => {
  const rows = (count: number) => Array.from({ length: count }, () => "> | x |\n").join("")
  const widths = (before: number) => shown(`> | a |\n> |---|\n${rows(before)}> | long |\n`).split("\n")
  assert.equal(widths(19)[1], "| ----")
  assert.deepEqual([widths(20)[1], widths(20).at(-1)], ["| -", "| g"])
})

test("a centred cell has half of its blanks before it, one more behind it", () => {
  const centred = (text: string) => shown(`| abcdef | z |\n|:-:|---|\n| ${text} | z |`).split("\n")[2]
  assert.deepEqual(["x", "xx", "xxx", "xxxx", "xxxxx", "xxxxxx"].map(centred), [
    "  x    | z",
    "  xx   | z",
    " xxx   | z",
    " xxxx  | z",
    "xxxxx  | z",
    "xxxxxx | z",
  ])
})

test("on a screen that is too narrow the lines of a row may be broken, and are indented", () => {
  const list = blocksOf("| a | b |\n|---|---|\n| 1 | 2 |", 10)
  assert.deepEqual(
    list.map(({ line, indent, whole }) => [textOf(indent ?? []), textOf(line), whole]),
    [
      ["- ", "a: 1", false],
      ["  ", "b: 2", false],
    ],
  )
  assert.equal(blocksOf("| a | b |\n|---|---|\n| 1 | 2 |", 11).length, 3)
})
