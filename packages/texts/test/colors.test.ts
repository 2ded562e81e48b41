import assert from "node:assert/strict"
import { test } from "node:test"
import { createStyle } from "../src/style.ts"
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

test("colours of the xterm palette are their own nearest ones", () => {
  const hex = (...channels: readonly number[]) =>
    `#${channels.map((one) => one.toString(16).padStart(2, "0")).join("")}`
  const level = (at: number) => (at === 0 ? 0 : 55 + 40 * at)
  for (let at = 0; at < 216; at++) {
    const color = hex(level(Math.floor(at / 36)), level(Math.floor(at / 6) % 6), level(at % 6))
    assert.equal(colorCode(color, 256), `38;5;${16 + at}`, color)
  }
  for (let at = 0; at < 24; at++) {
    const grey = 8 + 10 * at
    assert.equal(colorCode(hex(grey, grey, grey), 256), `38;5;${232 + at}`)
  }
})

test("the sixteen colours of xterm are their own nearest ones", () => {
  const usual =
    "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff"
  for (const [at, digits] of usual.split(" ").entries())
    assert.equal(colorCode(`#${digits}`, 16), String(at < 8 ? 30 + at : 82 + at), digits)
})

test("colours of a command's output are those of the palette, as near as the terminal can show them", () => {
  const styled = (names: string, env: Record<string, string>): string =>
    createStyle({ terminal: true, env }).styled("x", names)
  const deep = { TERM: "xterm-256color" }
  assert.equal(styled("bold fg:1", deep), "\u001b[1;31mx\u001b[22;39m")
  assert.equal(styled("fg:208", deep), "\u001b[38;5;208mx\u001b[39m")
  assert.equal(styled("fg:#ff0000", deep), "\u001b[38;5;196mx\u001b[39m")
  assert.equal(styled("fg:#ff0000", { ...deep, COLORTERM: "truecolor" }), "\u001b[38;2;255;0;0mx\u001b[39m")
  assert.equal(styled("fg:196", { TERM: "xterm" }), "\u001b[91mx\u001b[39m")
  assert.equal(styled("fg:300 fg:1;5 other", deep), "x")
  assert.equal(styled("fg:1", { ...deep, NO_COLOR: "1" }), "x")
})
