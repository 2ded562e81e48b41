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
