import assert from "node:assert/strict"
import { test } from "node:test"
import { textOf } from "@gong/screen/row"
import { english } from "@gong/texts/translator"
import { imageBlock } from "../../../../src/modes/tui/text/images.ts"
import { printedBlocks } from "../../../../src/modes/tui/text/printed.ts"
import { roleOf } from "../../../../src/modes/tui/text/roles.ts"
import { blockRows } from "../../../../src/modes/tui/text/rows.ts"

/** The first 32 bytes of a PNG. */
function png(width: number, height: number): string {
  const bytes = Buffer.alloc(32)
  bytes.write("\x89PNG\r\n\x1a\n", 0, "latin1")
  bytes.writeUInt32BE(13, 8)
  bytes.write("IHDR", 12, "latin1")
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes.toString("base64")
}

test("an image is drawn where the terminal can, elsewhere its size is written, or else its type", () => {
  const options = { t: english, images: "kitty", size: () => ({ columns: 80, rows: 24 }) } as const
  const image = { mimeType: "image/png", data: png(100, 40) }
  assert.deepEqual(imageBlock(image, options), {
    line: [],
    whole: false,
    indent: [{ text: "    " }],
    image: { protocol: "kitty", data: image.data, columns: 10, rows: 2 },
  })
  const text = (given: typeof image, images: "kitty" | "iterm" | null) =>
    textOf(imageBlock(given, { ...options, images }).line)
  assert.equal(text(image, null), "    [image 100x40]")
  assert.equal(text({ mimeType: "image/webp", data: "AAAA" }, "kitty"), "    [image image/webp]")
  assert.equal(text({ mimeType: "image/png", data: `${image.data}\u001b` }, "kitty"), "    [image image/png]")
  assert.equal(text({ mimeType: "image/png", data: `\n${image.data}` }, "kitty"), "    [image image/png]")
  const gif = {
    mimeType: "image/gif",
    data: Buffer.from("GIF89a\x0a\x00\x14\x00\x00\x00\x00", "latin1").toString("base64"),
  }
  assert.equal(text(gif, "kitty"), "    [image 10x20]", "kitty takes PNG only")
  assert.equal(text(gif, "iterm"), "")
})

const printed = (text: string, more = {}) =>
  printedBlocks(text, more).map(({ line, indent }) => [textOf(indent ?? []), textOf(line)])

test("further rows of a printed line begin below its text or its second column", () => {
  assert.deepEqual(printed("one\n  two\n"), [
    ["", "one"],
    ["  ", "two"],
  ])
  assert.deepEqual(printed("name    what it does"), [["name    ", "what it does"]])
  assert.deepEqual(printed("  name  a  b"), [["  name  ", "a  b"]])
  assert.deepEqual(printed(`${"x".repeat(38)}  y`), [[`${"x".repeat(38)}  `, "y"]])
  assert.deepEqual(printed(`${"x".repeat(39)}  y`), [["", `${"x".repeat(39)}  y`]])
  assert.deepEqual(printed(" a  "), [[" ", "a  "]])
  assert.deepEqual(printed(""), [["", ""]])
  assert.deepEqual(printed("a\n\n\n"), [
    ["", "a"],
    ["", ""],
    ["", ""],
  ])
})

test("reports of the program are errors, also in Chinese, and an own indentation stays", () => {
  const roles = (text: string) => printedBlocks(text).map(({ line }) => line[0]?.role)
  assert.deepEqual(roles("gong: no\n  gong：错误\nthe gong: no"), ["error", "error", undefined])
  assert.deepEqual(printed("  a  b", { indent: [{ text: "> " }] }), [["> ", "  a  b"]])
  assert.deepEqual(printedBlocks("\u001b[31mred")[0]?.line, [{ text: "red", role: "fg:1" }])
})

test("styles of rendered calls have roles of the theme", () => {
  const roles = ["added", "removed", "error", "dim", "number", "name", "title"].map((style) => roleOf(style).role)
  assert.deepEqual(roles, ["added", "removed", "removed", "muted", "muted", "strong", "strong"])
  assert.deepEqual(roleOf("text"), {})
})

test("an image takes its rows, tabs in later spans go to their stops, and controls are shown", () => {
  const image = { protocol: "kitty", data: "AA", columns: 3, rows: 3 } as const
  const rows = blockRows({ line: [], whole: false, indent: [{ text: "  " }], image }, 20)
  assert.deepEqual(rows, [{ spans: [] }, { spans: [] }, { spans: [{ text: "  " }], image }])
  assert.deepEqual(blockRows({ line: [{ text: "ab" }, { text: "\tc\u001b" }], whole: true }, 20), [
    { spans: [{ text: "ab      c␛" }] },
  ])
  const whole = blockRows({ line: [{ text: "abcdef" }], whole: true, indent: [{ text: "  " }] }, 5)
  assert.deepEqual(whole, [{ spans: [{ text: "  abc" }] }, { spans: [{ text: "def" }], continues: true }])
})
