import assert from "node:assert/strict"
import { test } from "node:test"
import { colorCode, depthOf, isColor } from "../src/colors.ts"

test("a colour is one of sixteen names or a hex number", () => {
  for (const color of ["red", "gray", "brightWhite", "#f80", "#FF8800"]) assert.ok(isColor(color), color)
  for (const text of ["", "Red", "orange", "#ff88", "ff8800", "#ff88001", "\u001b[31m", "38;5;1"]) {
    assert.equal(isColor(text), false, text)
  }
})

test("each terminal gets the nearest supported colour", () => {
  const shown = (color: string) => ([16, 256, 16_777_216] as const).map((depth) => colorCode(color, depth))
  assert.deepEqual(shown("#f80"), ["33", "38;5;208", "38;2;255;136;0"])
  assert.deepEqual(shown("#ff00fe"), ["95", "38;5;201", "38;2;255;0;254"])
  assert.deepEqual(shown("#101010"), ["30", "38;5;233", "38;2;16;16;16"])
  assert.deepEqual(shown("black"), ["30", "30", "30"])
  assert.deepEqual(shown("gray"), ["90", "90", "90"])
  assert.deepEqual(shown("brightWhite"), ["97", "97", "97"])
  assert.equal(depthOf({ COLORTERM: "truecolor", TERM: "xterm" }), 16_777_216)
  assert.equal(depthOf({ TERM: "xterm-256color" }), 256)
  assert.equal(depthOf({}), 16)
})
