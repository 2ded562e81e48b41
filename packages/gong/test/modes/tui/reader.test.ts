import assert from "node:assert/strict"
import { test } from "node:test"
import { english } from "@gong/texts/translator"
import { keyDecoder } from "@gong/screen/keys"
import {
  openReader,
  type Passage,
  type Reader,
  type ReaderResult,
  takeReaderInput,
} from "../../../src/modes/tui/reader/reader.ts"
import { defaultKeymap } from "../../../src/modes/tui/input/keymap.ts"
import { readerView } from "../../../src/modes/tui/reader/view.ts"

const size = { columns: 60, rows: 7 }

const passage = (isMessage: boolean, ...lines: readonly string[]): Passage => ({
  blocks: lines.map((text) => ({ line: [{ text }], whole: false })),
  isMessage,
})

/** 24 rows: six messages, each with a call of three rows. */
const passages = Array.from({ length: 6 }, (_, at) => [
  passage(true, `message ${at}`),
  passage(false, `call ${at}`, `  output ${at}`, `  needle ${at % 3}`),
]).flat()

const text: Reader = { ...openReader({ title: "transcript", keys: [], opensAt: "end" }), passages }

function after(bytes: string, start = text): Reader | null {
  const decoder = keyDecoder()
  let reader: Reader | null = start
  for (const input of [...decoder.feed(bytes), ...decoder.flush()]) {
    if (reader === null) break
    const result: ReaderResult = takeReaderInput(reader, input, { size, keymap: defaultKeymap })
    reader = result.kind === "open" ? result.reader : null
  }
  return reader
}

const shown = (reader: Reader | null): readonly string[] =>
  reader === null
    ? []
    : readerView(english, reader, size).live.map(({ spans }) =>
        spans
          .map((span) => span.text)
          .join("")
          .trim(),
      )

test("the reader begins at the end, and moves by rows, pages, messages and to both ends", () => {
  assert.deepEqual(shown(text).slice(0, 5), ["needle 1", "message 5", "call 5", "output 5", "needle 2"])
  assert.match(shown(text)[5] ?? "", /^transcript · rows 20-24 of 24 · /)
  assert.equal(shown(after("k"))[0], "output 4")
  assert.equal(shown(after("\u001b[A"))[0], "output 4")
  assert.equal(shown(after("\u001b[5~"))[0], "output 3")
  assert.equal(shown(after("b "))[0], "needle 1")
  assert.equal(shown(after("g"))[0], "message 0")
  assert.equal(shown(after("gG"))[0], "needle 1")
  assert.equal(shown(after("["))[0], "message 4")
  assert.equal(shown(after("[[]"))[0], "message 4")
})

test("a search wraps around, matches are highlighted, and a missing text is reported", () => {
  assert.equal(shown(after("g/NEEDLE 1\r"))[0], "needle 1")
  const found = after("g/needle 2\rn")
  assert.equal(shown(found)[0], "needle 1", "the last page")
  assert.equal(shown(after("g/needle 2\rN"))[0], "needle 1")
  assert.deepEqual(
    found &&
      readerView(english, found, size).live.flatMap(({ spans }) => spans.filter(({ role }) => role === "match strong")),
    [{ text: "needle 2", role: "match strong" }],
  )
  assert.match(shown(after("/nothing\r"))[5] ?? "", /"nothing" is not found$/)
  assert.equal(shown(after("/needle"))[5], "/needle")
  assert.equal(after("/q\u001b")?.search, null, "Esc closes the search, q is text of it")
})

test("q, Esc, Ctrl+C and Ctrl+O leave; earlier passages move nothing", () => {
  for (const key of ["q", "ｑ", "\u001b", "\u0003", "\u000f"]) assert.equal(after(key), null)
  const more = { ...text, passages: [passage(true, "earlier"), ...text.passages] }
  assert.deepEqual(shown(more).slice(0, 5), shown(text).slice(0, 5))
})

/** The text that the last of these keys copies or edits. */
function chosen(bytes: string): unknown {
  const reader = after(bytes.slice(0, -1))
  assert.ok(reader)
  const [input] = keyDecoder().feed(bytes.slice(-1))
  assert.ok(input)
  const result = takeReaderInput(reader, input, { size, keymap: defaultKeymap })
  return result.kind === "open" ? result.action : null
}

test("y copies and v edits a message: the last one at the end, the selected one, or the part at the top", () => {
  assert.deepEqual(chosen("y"), { kind: "copy-text", text: "message 5" })
  assert.deepEqual(chosen("[v"), { kind: "edit-text", text: "message 4" })
  assert.deepEqual(chosen("[[]y"), { kind: "copy-text", text: "message 4" })
  assert.deepEqual(chosen("gjy"), { kind: "copy-text", text: "call 0\n  output 0\n  needle 0" })
  const [selected] = readerView(english, after("[") ?? text, size).live
  assert.deepEqual(selected?.spans, [{ text: "message 4", role: "inverse" }])
  const source = { ...passage(true, "shown"), source: "**written**" }
  const reader = { ...text, passages: [source] }
  const [key] = keyDecoder().feed("y")
  assert.ok(key)
  const result = takeReaderInput(reader, key, { size, keymap: defaultKeymap })
  assert.deepEqual(result.kind === "open" && result.action, { kind: "copy-text", text: "**written**" })
})

test("messages are selected one after the other, also where all of them are visible", () => {
  const all = { columns: 60, rows: 40 }
  const press = (keys: string) => {
    let reader: Reader = text
    for (const input of keyDecoder().feed(keys)) {
      const result = takeReaderInput(reader, input, { size: all, keymap: defaultKeymap })
      if (result.kind === "open") reader = result.reader
    }
    return reader.selected?.blocks[0]?.line[0]?.text
  }
  assert.equal(press("]"), "message 1")
  assert.equal(press("]]]"), "message 3")
  assert.equal(press("]]]["), "message 2")
  assert.equal(press("]]]j"), undefined)
})
