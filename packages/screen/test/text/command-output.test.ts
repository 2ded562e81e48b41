import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { outputReader } from "@gong/screen/command-output"

const lineOf = (text: string) => outputReader().line(text)

test("colours and emphasis of a command become names of styles, also into the next line [RENDER-4]", () => {
  const output = outputReader()
  assert.deepEqual(output.line("a \u001b[31mred\u001b[0m b", "muted"), [
    { text: "a ", role: "muted" },
    { text: "red", role: "fg:1" },
    { text: " b", role: "muted" },
  ])
  assert.deepEqual(output.line("\u001b[1;92mgreen"), [{ text: "green", role: "bold fg:10" }])
  assert.deepEqual(output.line("still\u001b[22m thin\u001b[m"), [
    { text: "still", role: "bold fg:10" },
    { text: " thin", role: "fg:10" },
  ])
  assert.deepEqual(output.line("plain"), [{ text: "plain" }])
  assert.deepEqual(lineOf("\u001b[38;5;208ma\u001b[38;2;1;2;255mb\u001b[38:5:9mc\u001b[48;5;1;4md"), [
    { text: "a", role: "fg:208" },
    { text: "b", role: "fg:#0102ff" },
    { text: "c", role: "fg:9" },
    { text: "d", role: "underline fg:9" },
  ])
})

test("movements, erasing and hidden text leave nothing, and what holds text stays to be seen", () => {
  assert.deepEqual(lineOf("\u001b[2K\u001b[1A\u001b[?25l\u001b[8mshown\u001b[40;30m!"), [
    { text: "shown" },
    { text: "!", role: "fg:0" },
  ])
  assert.deepEqual(lineOf("\u001b]0;title\u0007x"), [{ text: "\u001b]0;title\u0007x" }])
  assert.deepEqual(lineOf("\u001b[31"), [{ text: "\u001b[31" }])
})

test("a carriage return begins the line anew", () => {
  assert.deepEqual(lineOf("10 %\r50 %\r\u001b[32m100 %\u001b[0m\r\n".trimEnd()), [{ text: "100 %", role: "fg:2" }])
  assert.deepEqual(lineOf("\u001b[31mold\u001b[0m\rnew"), [{ text: "new" }])
})

test("the text is what stands outside of control sequences", () => {
  const piece = fc.oneof(
    fc.constantFrom("\u001b[1m", "\u001b[0K", "\u001b[38;5m", "\u001b[;;m", "\u001b[999999999999m"),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join("").replaceAll("\r", "")
      // oxlint-disable-next-line no-control-regex
      const expected = text.replaceAll(/\u001b\[[0-?]*[ -/]*[@-~]/g, "")
      const line = lineOf(text)
      assert.equal(line.map((span) => span.text).join(""), expected)
    }),
  )
})

test("hostile lines of 200 KB are read in linear time", () => {
  for (const mark of ["\r", "\u001b[", "\u001b[38;", "38;", "\u001b[31m", "\u001b[1;"])
    lineOf(`${mark.repeat(50_000)}x`)
  lineOf(`\u001b[${"38;".repeat(50_000)}m`)
})

const rolesOf = (...codes: readonly string[]) =>
  codes.map((code) => outputReader().line(`\u001b[${code}mx`)[0]?.role ?? "")

test("each code has its style, and its end", () => {
  assert.deepEqual(rolesOf("1", "2", "3", "4", "7", "9"), ["bold", "dim", "emphasis", "underline", "inverse", "struck"])
  assert.deepEqual(rolesOf("30", "37", "90", "97", "29", "38", "39", "98", "89"), [
    "fg:0",
    "fg:7",
    "fg:8",
    "fg:15",
    "",
    "",
    "",
    "",
    "",
  ])
  assert.deepEqual(
    rolesOf("1;2;3;22", "3;4;23", "4;3;24", "7;3;27", "9;3;29", "1;31;39", "1;31;0", "1;31;", "1;5;31"),
    ["emphasis", "underline", "emphasis", "emphasis", "emphasis", "bold", "", "", "bold fg:1"],
  )
  assert.deepEqual(rolesOf("1;1;4"), ["bold underline"])
})

test("colours of the palette and of three channels, with what follows them", () => {
  assert.deepEqual(
    rolesOf(
      "38;5;0",
      "38;5;255",
      "38;5;256",
      "38;5",
      "38;5;3;1",
      "38;2;0;16;255",
      "38;2;256;0;0",
      "38;2;1;2",
      "38;2;1;2;3;4",
    ),
    ["fg:0", "fg:255", "fg:0", "fg:0", "bold fg:3", "fg:#0010ff", "fg:#000000", "", "underline fg:#010203"],
  )
  assert.deepEqual(rolesOf("38;9;1", "38", "48;5;1", "48;2;1;2;3;1", "31;48;5;2", "31;38;9"), [
    "bold",
    "",
    "",
    "bold",
    "fg:1",
    "fg:1",
  ])
})

test("only `m` selects a style; private and intermediate ones do not", () => {
  for (const text of ["\u001b[1Kx", "\u001b[1 mx", "\u001b[1;31Hx"])
    assert.deepEqual(lineOf(text), [{ text: "x" }], JSON.stringify(text))
  assert.deepEqual(lineOf(""), [])
  assert.deepEqual(lineOf("\u001b[1m"), [])
})

test("a carriage return at the end changes nothing; one in the middle drops what stands before it", () => {
  assert.deepEqual(lineOf("done\r\r"), [{ text: "done" }])
  assert.deepEqual(lineOf("a\u001b[31mb\rc\u001b[0md"), [{ text: "c", role: "fg:1" }, { text: "d" }])
  assert.deepEqual(lineOf("a\r"), [{ text: "a" }])
  assert.deepEqual(lineOf("a\rb\rc"), [{ text: "c" }])
})
