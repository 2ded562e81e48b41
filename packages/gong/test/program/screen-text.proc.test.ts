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

test("the output of a command has its colours, and a progress bar is one line", { skip }, async (t) => {
  const shown = await converse(t, { args: ["--yolo"] })
  const command = String.raw`w=word; printf "\033[1;31mred $w\033[0m plain\n 10%%\r100%% done\n"; sleep 1`
  shown.stage.server.begin([{ calls: [{ name: "bash", args: { command } }] }, { text: "The end." }])
  shown.terminal.type("go\r")
  await shown.shows(/^ {4}100% done$/m)
  assert.deepEqual(looksOf(await shown.screen(), "red word"), ["bold color1"], "while it runs")
  await shown.shows("The end.")
  await shown.rests()
  const rows = (await shown.screen()).rows().map(({ text }) => text)
  assert.ok(rows.includes("      red word plain") && rows.includes("      100% done"), rows.join("\n"))
  assert.deepEqual(looksOf(await shown.screen(), "red word"), ["bold color1"], "when it has ended")
  shown.terminal.type("\u000f")
  await shown.shows(/red word plain[^]*transcript · rows/)
  assert.deepEqual(looksOf(await shown.screen(), "red word"), ["bold color1"], "in the transcript")
  shown.terminal.type("q")
  await leave(shown)
})

test("thinking is shown while it streams, and its time afterwards; Ctrl+O shows all of it", { skip }, async (t) => {
  const shown = await converse(t)
  const thinking = `First ${"some more words ".repeat(40)}and the last words.\n`
  shown.stage.server.begin([{ thinking, text: "The answer.", delta: 20, delayMs: 15 }])
  shown.terminal.type("go\r")
  const rows = await shown.shows(/^ {2}thinking {2}\d s\n(?: {4}.*words.*\n){5}/m)
  assert.equal(rows.filter((row) => row.startsWith("    ")).length, 5, rows.join("\n"))
  await shown.shows("The answer.")
  await shown.rests()
  const after = (await shown.screen()).rows().map(({ text }) => text)
  assert.ok(
    after.some((row) => /^ {2}thought {2}[\d.]+ s$/.test(row)),
    after.join("\n"),
  )
  assert.ok(!after.some((row) => row.includes("last words")))
  shown.terminal.type("\u000f")
  await shown.shows("and the last words.")
  shown.terminal.type("q")
  await leave(shown)
})

test("a running task shows its last call", { skip }, async (t) => {
  const shown = await converse(t, { args: ["--yolo", "--tools", "+task"] })
  const calls = (name: string, args: object) => ({ calls: [{ name, args: { ...args } }] })
  shown.stage.server.begin([
    calls("task", { prompt: "Count.", title: "count" }),
    calls("bash", { command: "sleep 1; echo inside" }),
    { text: "One." },
    { text: "Done." },
  ])
  shown.terminal.type("go\r")
  await shown.shows(/^ {2}task count {2}\d s\n {4}bash sleep 1; echo inside$/m)
  await shown.shows("Done.")
  await leave(shown)
})

test("while a run works the open items of the to-do list are shown, the current one first", { skip }, async (t) => {
  const shown = await converse(t, { args: ["--yolo", "--tools", "+todo"] })
  const item = (content: string, status: string) => ({ content, status })
  const todos = [item("read", "completed"), item("write", "pending"), item("test", "in_progress")]
  shown.stage.server.begin([
    { calls: [{ name: "todo", args: { todos } }] },
    { calls: [{ name: "bash", args: { command: "sleep 1" } }] },
    { text: "Done." },
  ])
  shown.terminal.type("go\r")
  await shown.shows(/^ {2}working \d s .*\n {2}\[>\] test\n {2}\[ \] write$/m)
  await shown.shows("Done.")
  await shown.rests()
  const rows = (await shown.screen()).rows().map(({ text }) => text)
  assert.equal(rows.filter((row) => row.startsWith("  [")).length, 0, rows.join("\n"))
  await leave(shown)
})
