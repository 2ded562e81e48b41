import assert from "node:assert/strict"
import { test } from "node:test"
import type { Emulator } from "@gong/testing/emulator"
import { converse, leave } from "./screen.ts"
import { skip } from "./terminal.ts"

/** The cells of a text that stands in one row: bold, dim, italic, underlined, and the colour of the palette. */
function looksOf({ terminal }: Emulator, text: string): readonly string[] {
  const { active } = terminal.buffer
  for (let row = 0; row < active.length; row++) {
    const line = active.getLine(row)
    const at = line?.translateToString(true).indexOf(text) ?? -1
    if (line === undefined || at < 0) continue
    const looks = Array.from(text, (_, index) => {
      const cell = line.getCell(at + index)
      const names = [
        cell?.isBold() && "bold",
        cell?.isDim() && "dim",
        cell?.isItalic() && "italic",
        cell?.isUnderline() && "underline",
        cell?.isFgPalette() && `color${cell.getFgColor()}`,
      ]
      return names.filter(Boolean).join(" ") || "plain"
    })
    return [...new Set(looks)]
  }
  return ["missing"]
}

const answer = [
  "# Result\n\nThe **bold** word, *soft* and `code` and [docs](https://example.com/docs).\n",
  '```ts\nconst value = "text" // note\n```\n',
  "| name | size |\n| --- | ---: |\n| a.ts | 12 |\n",
  "1. first\n2. second\n   - nested\n",
  "> quoted\n\nThe end.",
].join("\n")

test("a reply in Markdown is shown with its looks, in whatever pieces it arrives", { skip }, async (t) => {
  const shown = await converse(t)
  for (const delta of [1, 1_000]) {
    shown.stage.server.begin([{ text: answer, delta }])
    shown.terminal.type("go\r")
    await shown.shows("The end.")
    await shown.rests()
    const emulator = await shown.screen()
    const rows = emulator.rows().map(({ text }) => text)
    const from = rows.lastIndexOf("Result")
    assert.deepEqual(rows.slice(from, rows.lastIndexOf("The end.") + 1), [
      "Result",
      "",
      "The bold word, soft and code and docs (https://example.com/docs).",
      "",
      'const value = "text" // note',
      "",
      "name | size",
      "-----+-----",
      "a.ts |   12",
      "",
      "1. first",
      "2. second",
      "   - nested",
      "",
      "| quoted",
      "",
      "The end.",
    ])
    assert.deepEqual(looksOf(emulator, "Result"), ["bold"])
    assert.deepEqual(looksOf(emulator, "bold"), ["bold"])
    assert.deepEqual(looksOf(emulator, "soft"), ["italic"])
    assert.deepEqual(looksOf(emulator, "code"), ["color6"])
    assert.deepEqual(looksOf(emulator, "docs"), ["underline color4"])
    assert.ok(shown.terminal.text.includes("\u001b]8;;https://example.com/docs\u001b\\\u001b[4;34mdocs"))
    assert.deepEqual(looksOf(emulator, "const"), ["color5"])
    assert.deepEqual(looksOf(emulator, '"text"'), ["color2"])
    assert.deepEqual(looksOf(emulator, "// note"), ["dim"])
    assert.deepEqual(looksOf(emulator, "value"), ["plain"])
    shown.terminal.type("\u000c")
  }
  await leave(shown)
})

test("a call is shown while its arguments arrive", { skip }, async (t) => {
  const shown = await converse(t)
  const args = { path: "a.txt", content: "x".repeat(400) }
  shown.stage.server.begin([{ calls: [{ name: "write", args }], argDelta: 4, delayMs: 10 }, { text: "Done." }])
  shown.terminal.type("go\r")
  await shown.shows(/^ {2}write \.\.\. +0 s$/m)
  await shown.shows("[y]es")
  const rows = (await shown.screen()).rows().map(({ text }) => text)
  assert.equal(rows.filter((row) => row.includes("write ...")).length, 0, "the question shows the call")
  shown.terminal.type("n")
  await shown.shows("Done.")
  await leave(shown)
})

test("a reply that is discarded after it was shown is marked, and the next one begins anew", { skip }, async (t) => {
  const shown = await converse(t)
  shown.stage.server.begin([
    { text: "The first attempt **is", delta: 4, delayMs: 10, fault: { kind: "drop", after: { chunks: 5 } } },
    { text: "The second attempt." },
  ])
  shown.terminal.type("go\r")
  await shown.shows("The second attempt.")
  const rows = (await shown.screen()).rows().map(({ text }) => text)
  const at = rows.findIndex((row) => row.includes("(this reply was discarded; the model begins again)"))
  assert.ok(at > 0, rows.join("\n"))
  assert.ok(rows.findIndex((row) => row.startsWith("The first")) < at)
  assert.ok(rows.findIndex((row) => row.startsWith("The second attempt.")) > at)
  await leave(shown)
})
