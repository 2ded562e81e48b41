import assert from "node:assert/strict"
import { test } from "node:test"
import { depthOf, hasLightBackground, paletteCode } from "../src/colors.ts"
import { createStyle, roleNames, type StyleQuery } from "../src/style.ts"
import { padTo, truncate } from "../src/table.ts"

const styleOf = (more: Partial<StyleQuery> = {}) => createStyle({ terminal: true, env: {}, ...more })
const styled = (names: string, more: Partial<StyleQuery> = {}) => styleOf(more).styled("x", names)

test("each role has its look and its colour, which the text ends with", () => {
  for (const [role, on, off] of [
    ["strong", "1", "22"],
    ["muted", "2", "22"],
    ["accent", "36", "39"],
    ["added", "32", "39"],
    ["removed", "31", "39"],
    ["match", "33", "39"],
    ["warn", "33", "39"],
    ["error", "31", "39"],
    ["heading", "1", "22"],
    ["link", "4;34", "24;39"],
    ["code", "36", "39"],
    ["quote", "2", "22"],
    ["keyword", "35", "39"],
    ["string", "32", "39"],
    ["number", "36", "39"],
    ["comment", "2", "22"],
    ["emphasis", "3", "23"],
    ["struck", "9", "29"],
    ["bold", "1", "22"],
    ["dim", "2", "22"],
    ["underline", "4", "24"],
    ["inverse", "7", "27"],
  ] as const)
    assert.equal(styled(role), `\u001b[${on}mx\u001b[${off}m`, role)
  for (const role of roleNames) assert.equal(styleOf()[role]("x"), styled(role))
})

test("several roles are joined, and unknown ones have no effect", () => {
  assert.equal(styled("strong link"), "\u001b[1;4;34mx\u001b[22;24;39m")
  assert.equal(styled("other strong toString"), "\u001b[1mx\u001b[22m")
  for (const names of ["", "other", "fg:", "fg:256", "fg:1000", "fg:#12345", "xfg:1", "fg:1x", "fg:#1234567"])
    assert.equal(styled(names), "x", names)
  assert.equal(styled("fg:255", { env: { TERM: "xterm-256color" } }), "\u001b[38;5;255mx\u001b[39m")
})

test("a colour of the theme replaces that of the role and its dim look, no other look", () => {
  const colors = { muted: "90", heading: "35", error: "95" } as const
  assert.equal(styled("muted", { colors }), "\u001b[90mx\u001b[39m")
  assert.equal(styled("heading", { colors }), "\u001b[1;35mx\u001b[22;39m")
  assert.equal(styled("error", { colors }), "\u001b[95mx\u001b[39m")
  assert.equal(styled("quote dim", { colors }), "\u001b[2;2mx\u001b[22;22m")
})

test("nothing is styled with NO_COLOR or at a dumb terminal, and an empty text never", () => {
  const unsafe = "a\u001b[2J\nb"
  for (const env of [{ NO_COLOR: "1" }, { TERM: "dumb" }]) {
    assert.equal(styled("strong", { env }), "x")
    assert.equal(styleOf({ env }).error(unsafe), "a␛[2J\nb")
  }
  assert.equal(styled("strong", { env: { NO_COLOR: "" } }), "\u001b[1mx\u001b[22m")
  assert.equal(styleOf().strong(""), "")
  assert.equal(styleOf().strong(unsafe), "\u001b[1ma␛[2J\nb\u001b[22m")
  assert.deepEqual([styleOf().text(unsafe), styleOf().line(unsafe)], ["a␛[2J\nb", "a␛[2J b"])
})

test("what is written to a pipe stays unchanged", () => {
  const { text, line, error, styled: inRoles } = styleOf({ terminal: false })
  for (const same of [text, line, error, (one: string) => inRoles(one, "strong")])
    assert.equal(same("a\u001b[2J\nb"), "a\u001b[2J\nb")
})

test("the number of colours is told by COLORTERM, then by TERM", () => {
  for (const [env, depth] of [
    [{ COLORTERM: "24bit" }, 16_777_216],
    [{ COLORTERM: "TrueColor" }, 16_777_216],
    [{ COLORTERM: "xtruecolor" }, 16],
    [{ COLORTERM: "24bits", TERM: "xterm" }, 16],
    [{ TERM: "xterm-direct" }, 256],
    [{ TERM: "screen.256color" }, 256],
  ] as const)
    assert.equal(depthOf(env), depth, JSON.stringify(env))
})

test("a background is light by the last colour of COLORFGBG", () => {
  const light = ["0;7", "0;default;15", "0;9", "12;10"]
  const dark = ["15;0", "0;8", "0;6", "7", "0;7x", "0;100", "", "0;default"]
  for (const COLORFGBG of [...light, ...dark])
    assert.equal(hasLightBackground({ COLORFGBG }), light.includes(COLORFGBG), COLORFGBG)
  assert.equal(hasLightBackground({}), false)
})

test("a colour of the palette has its own code, or that of the nearest of the sixteen", () => {
  assert.deepEqual(
    [0, 7, 8, 15].map((index) => paletteCode(index, 256)),
    ["30", "37", "90", "97"],
  )
  assert.deepEqual([paletteCode(16, 256), paletteCode(255, 16_777_216)], ["38;5;16", "38;5;255"])
  assert.deepEqual(
    [15, 16, 21, 196, 231, 232, 244, 255].map((index) => paletteCode(index, 16)),
    ["97", "30", "34", "91", "97", "30", "90", "37"],
  )
})

test("a text is padded to its columns, with one blank at least, and truncated with an ellipsis", () => {
  assert.deepEqual(
    [padTo("ab", 4), padTo("ab", 3), padTo("ab", 2), padTo("ab", 0), padTo("修", 4)],
    ["ab  ", "ab ", "ab ", "ab ", "修  "],
  )
  assert.deepEqual([truncate("abc", 1), truncate("abc", 2), truncate("修复", 2), truncate("", 1)], ["…", "a…", "…", ""])
})
