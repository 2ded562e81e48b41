import assert from "node:assert/strict"
import { test } from "node:test"
import { mayBeCommand, plainSlash, slashLine } from "../src/slash-line.ts"

const cases: readonly (readonly [string, ReturnType<typeof slashLine>])[] = [
  ["/undo", { name: "undo", rest: "" }],
  ["/undo  compaction ", { name: "undo", rest: "compaction" }],
  ["/compact keep\nthe tests", { name: "compact", rest: "keep\nthe tests" }],
  ["/skill:review src", { name: "skill:review", rest: "src" }],
  ["／undo", { name: "undo", rest: "" }],
  ["、ｎａｍｅ 工", { name: "name", rest: "工" }],
  ["/model\u3000deepseek", { name: "model", rest: "deepseek" }],
  ["/Undo", { name: "Undo", rest: "" }],
  ["／审查 src/购物车.ts", { name: "审查", rest: "src/购物车.ts" }],
  [" /undo", null],
  ["/usr/bin is full", null],
  ["/", null],
  ["// a comment", null],
  ["/ undo", null],
  ["/?", null],
  ["hello /undo", null],
]

test("a slash and a name of any width become plain ones, and the rest of the line stays", () => {
  const pairs = [
    ["／ｎａｍｅ　工  x\nbelow", "/name　工  x\nbelow"],
    ["、skill：deploy", "/skill:deploy"],
    ["/undo  compaction ", "/undo  compaction "],
    ["、usr/bin 满了", "、usr/bin 满了"],
    [" ／undo", " ／undo"],
  ] as const
  for (const [text, plain] of pairs) assert.equal(plainSlash(text), plain)
})

test("a line is a command or a message", () => {
  for (const [text, expected] of cases) {
    assert.deepEqual(slashLine(text), expected, JSON.stringify(text))
    if (expected !== null) assert.ok(mayBeCommand(text), JSON.stringify(text))
  }
})
