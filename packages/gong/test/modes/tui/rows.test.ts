import assert from "node:assert/strict"
import { test } from "node:test"
import stringWidth from "string-width"
import { type Line, textOf } from "@gong/screen/row"
import { truncated } from "@gong/screen/wrap"
import { createStyle } from "@gong/texts/style"
import { oneRow } from "../../../src/modes/tui/text/rows.ts"

// Where these rows ask for padding or for `...`, docs/decisions/rows-end-at-their-text.md decides.

const shown = (line: Line, columns: number): string => textOf(oneRow(line, columns).spans)
const text = (all: string, columns: number): string => shown([{ text: all }], columns)
const long = "This is a long text that does not fit into the row of the screen"

test("[TUI-T.1] [TUI-T.2] [TUI-T.6] [TUI-T.7] a text that fits is one row, which ends at its last character", () => {
  assert.equal(text("Hello world", 50), "Hello world")
  assert.equal(text("Hello world", 40), "Hello world")
  assert.equal(text("x".repeat(30), 30), "x".repeat(30))
  assert.equal(text("", 30), "")
})

test("[TUI-T.3] a long text is one row of the width, and its last character is the mark", () => {
  assert.equal(text(long, 30), `${long.slice(0, 29)}…`)
  assert.equal(stringWidth(text(long, 30)), 30)
})

test("[TUI-T.4] [TUI-T.5] a style stays, and ends behind the mark", () => {
  const style = createStyle({ terminal: true, env: { TERM: "xterm" } })
  const paint = (line: Line, columns: number): string =>
    oneRow(line, columns)
      .spans.map((span) => style.styled(span.text, span.role ?? ""))
      .join("")
  const line: Line = [
    { text: "name ", role: "strong" },
    { text: long, role: "error" },
  ]
  assert.equal(paint(line, 20), `\u001b[1mname \u001b[22m\u001b[31m${long.slice(0, 14)}…\u001b[39m`)
  assert.equal(paint([{ text: "short", role: "error" }], 40), "\u001b[31mshort\u001b[39m")
})

test("[TUI-T.8] [TUI-T.9] several lines become one row, with blanks in place of line breaks", () => {
  assert.equal(text("one\ntwo\nthree", 40), "one two three")
  assert.equal(text(`${long}\nsecond`, 25), `${long.slice(0, 24)}…`)
})

test("[TUI-W.1] [TUI-W.2] [TUI-W.3] [TUI-W.5] [TUI-W.6] no row is wider than asked for, whatever it consists of", () => {
  const texts = [
    "✔ step one › step two ✔ step three › ".repeat(4),
    "🎉 done 👍🏽 thanks 👨‍👩‍👧 family ⚠️ careful ".repeat(3),
    "mixed 中文 and English 日本語 words ".repeat(3),
    long,
  ]
  for (const one of texts)
    for (let columns = 1; columns <= 70; columns++) {
      const row = text(one, columns)
      assert.ok(stringWidth(row) <= columns, `${columns}: ${row}`)
      if (columns >= 2 && stringWidth(one) > columns) assert.ok(row.endsWith("…"), row)
    }
  // A cursor of two columns before it in a terminal of 67.
  assert.ok(2 + stringWidth(text(texts[0] ?? "", 65)) <= 67)
})

test("[TUI-W.4] a text that fits is unchanged", () => {
  const line: Line = [{ text: "a text with " }, { text: "中文", role: "strong" }, { text: " that fits" }]
  assert.equal(truncated(line, 48), line)
})
