import assert from "node:assert/strict"
import { test } from "node:test"
import { emptyEditor } from "@gong/screen/editor"
import { type Input, keyDecoder } from "@gong/screen/keys"
import { textOf } from "@gong/screen/row"
import { english } from "@gong/texts/translator"
import { defaultKeymap } from "../../../../src/modes/tui/input/keymap.ts"
import { openReader, type Passage, type Reader, takeReaderInput } from "../../../../src/modes/tui/reader/reader.ts"
import { readerView } from "../../../../src/modes/tui/reader/view.ts"

const size = { columns: 40, rows: 6 }

const passage = (isMessage: boolean, ...lines: readonly string[]): Passage => ({
  blocks: lines.map((text) => ({ line: [{ text }], whole: false })),
  isMessage,
})
const rows = (count: number) => Array.from({ length: count }, (_, at) => `row ${at}`)
const readerOf = (
  passages: readonly Passage[],
  opensAt: "start" | "end" = "start",
  keys: Reader["keys"] = [],
): Reader => ({
  ...openReader({ title: "title", keys, opensAt }),
  passages,
})
const ten = readerOf([passage(true, ...rows(10))])

function press(bytes: string, start = ten, more: readonly Input[] = []) {
  const decoder = keyDecoder()
  let reader = start
  for (const input of [...decoder.feed(bytes), ...decoder.flush(), ...more]) {
    const result = takeReaderInput(reader, input, { size, keymap: defaultKeymap })
    if (result.kind === "closed") return result
    reader = result.reader
  }
  return { kind: "open", reader } as const
}

function shown(bytes: string, start = ten, more: readonly Input[] = []): readonly string[] {
  const result = press(bytes, start, more)
  assert.ok(result.kind === "open")
  return readerView(english, result.reader, size).live.map(({ spans }) => textOf(spans))
}
const top = (bytes: string, start = ten) => shown(bytes, start)[0]

test("a text opens at its start or its end, and the last row has the position", () => {
  assert.deepEqual(shown(""), [...rows(4), "title · rows 1-4 of 10 · q back · / sea…"])
  assert.deepEqual(shown("", readerOf(ten.passages, "end")).slice(0, 4), rows(10).slice(6))
  assert.match(shown("", readerOf(ten.passages, "end"))[4] ?? "", /^title · rows 7-10 of 10 · /)
  assert.deepEqual(shown("", readerOf([passage(true, "one")])).slice(0, 4), ["one", "", "", ""])
  assert.match(shown("", readerOf([passage(true, "one")]))[4] ?? "", /^title · rows 1-1 of 1 · /)
  assert.match(shown("", readerOf([]))[4] ?? "", /^title · rows 0-0 of 0 · /)
  assert.equal(readerView(english, ten, { columns: 40, rows: 1 }).live.length, 2)
})

test("keys move by rows and pages, between the ends", () => {
  for (const [keys, row] of [
    ["j", 1],
    ["\u001b[B", 1],
    ["\r", 1],
    ["jjk", 1],
    ["jj\u001b[A", 1],
    ["k", 0],
    [" ", 4],
    ["\u001b[6~", 4],
    ["  ", 6],
    ["jjjjjjjjj", 6],
    ["Gb", 2],
    ["G\u001b[5~", 2],
    ["Gbb", 0],
    ["G", 6],
    ["\u001b[F", 6],
    ["Gg", 0],
    ["G\u001b[H", 0],
    ["x", 0],
    ["ｊ", 1],
  ] as const)
    assert.equal(top(keys), `row ${row}`, JSON.stringify(keys))
  assert.equal(shown("", ten, [{ kind: "text", text: "j j" }])[0], "row 6")
  assert.equal(shown("", ten, [{ kind: "paste", text: "j" }])[0], "row 0")
})

test("own keys and those that leave close the reader", () => {
  const own = readerOf(ten.passages, "start", [{ key: "u", about: "u undoes" }])
  assert.deepEqual(press("u", own), { kind: "closed", key: "u" })
  assert.deepEqual(press("ｕ", own), { kind: "closed", key: "u" })
  assert.equal(press("u").kind, "open")
  assert.deepEqual(press("\u0014"), { kind: "closed", key: null })
  assert.deepEqual(press("\u0004"), { kind: "closed", key: null })
  assert.deepEqual(press("", ten, [{ kind: "text", text: "jqj" }]), { kind: "closed", key: null })
  const line = readerView(english, own, { columns: 200, rows: 6 }).live.at(-1)
  assert.equal(
    textOf(line?.spans ?? []),
    "title · rows 1-4 of 10 · u undoes · q back · / searches, n next · y copies, v edits · [ ] messages · g G start and end",
  )
  assert.equal(
    textOf(readerView(english, own, size, "copied").live.at(-1)?.spans ?? []),
    "title · rows 1-4 of 10 · copied",
  )
})

const find = readerOf([passage(true, "none", "a Needle", "none", "needle needle", ...rows(8))])

test("a search begins in the first visible row, goes on with n and N, and around both ends", () => {
  assert.equal(top("/needle\r", find), "a Needle")
  assert.equal(top("/needle\rn", find), "needle needle")
  assert.equal(top("/needle\rnn", find), "a Needle")
  assert.equal(top("/needle\rN", find), "needle needle")
  assert.equal(top("/needle\rnN", find), "a Needle")
  assert.equal(top("j/needle\r", find), "a Needle", "the first visible row counts")
  assert.equal(top("n", find), "none")
  assert.equal(top("/\r", find), "none")
  assert.equal(press("/x\r", readerOf([])).kind, "open")
})

test("the line of a search is edited with its keys; Esc and other keys close it", () => {
  const search = (bytes: string, more: readonly Input[] = []) => {
    const result = press(bytes, ten, more)
    return result.kind === "open" ? result.reader.search?.text : "closed"
  }
  assert.equal(search("/ac\u001b[Db"), "abc")
  assert.equal(search("/abc\u0017"), "")
  assert.equal(search("/q"), "q")
  assert.equal(search("/q\u001b"), undefined)
  assert.equal(search("/q\u000c"), undefined)
  assert.equal(
    search("/", [
      { kind: "paste", text: "a\nb" },
      { kind: "focus", on: true },
    ]),
    "a b",
  )
  assert.equal(search("/", [{ kind: "text", text: "中文" }]), "中文")
  assert.equal(search("/\u001b[5;5~"), "")
  const caretOf = (reader: Reader, columns = 40) => readerView(english, reader, { columns, rows: 6 }).caret
  assert.equal(caretOf(ten), null)
  const open = { ...ten, search: { ...emptyEditor, text: "中b", caret: 1 } }
  assert.deepEqual(
    [caretOf(open), caretOf(open, 3)],
    [
      { row: 4, column: 3 },
      { row: 4, column: 2 },
    ],
  )
})

test("every match is marked, in any case, and the rest keeps its style", () => {
  const styled: Passage = {
    blocks: [{ line: [{ text: "ab", role: "strong" }, { text: "xABAB y" }], whole: false }],
    isMessage: false,
  }
  const { live } = readerView(english, { ...readerOf([styled]), query: "aB" }, size)
  assert.deepEqual(live[0]?.spans, [
    { text: "ab", role: "match strong" },
    { text: "x" },
    { text: "AB", role: "match strong" },
    { text: "AB", role: "match strong" },
    { text: " y" },
  ])
  assert.match(
    textOf(readerView(english, { ...ten, query: "zz" }, { columns: 80, rows: 6 }).live.at(-1)?.spans ?? []),
    /· "zz" is not found$/,
  )
})

const talk = readerOf([
  passage(false, "head"),
  passage(true, "one", "one"),
  passage(false, ...rows(4)),
  passage(true, "two"),
  passage(false, ...rows(5)),
])

function chosen(bytes: string, start = talk): unknown {
  const result = press(bytes.slice(0, -1), start)
  assert.ok(result.kind === "open")
  const [input] = keyDecoder().feed(bytes.slice(-1))
  assert.ok(input)
  const last = takeReaderInput(result.reader, input, { size, keymap: defaultKeymap })
  return last.kind === "open" ? last.action?.text : null
}

test("messages are selected from the first visible row on, and what is copied is the passage there", () => {
  assert.equal(top("]", talk), "one")
  assert.equal(top("]]", talk), "two")
  assert.equal(top("]]]", talk), "two")
  assert.equal(top("]][", talk), "one")
  assert.equal(top("]][[", talk), "one")
  assert.equal(top("[", talk), "head")
  assert.deepEqual(
    [chosen("y"), chosen("jy"), chosen("jjy"), chosen("jjjy")],
    ["head", "one\none", "one\none", rows(4).join("\n")],
  )
  assert.equal(chosen("]]y"), "two")
  assert.equal(chosen("Gy"), "two", "at the end it is the last message")
  assert.equal(chosen("y", readerOf([passage(false, "a"), passage(false, "b")], "end")), "b")
  assert.equal(chosen("y", readerOf([])), "")
  const selected = press("]", talk)
  assert.ok(selected.kind === "open")
  assert.deepEqual(
    readerView(english, selected.reader, size)
      .live.slice(0, 2)
      .map(({ spans }) => spans[0]?.role),
    ["inverse", undefined],
  )
})

test("rows are broken anew when the width changes", () => {
  const wide = readerOf([passage(true, "one two three")])
  const at = (columns: number) => readerView(english, wide, { columns, rows: 6 }).live.map(({ spans }) => textOf(spans))
  assert.equal(at(40)[0], "one two three")
  assert.deepEqual(at(8).slice(0, 2), ["one two", "three"])
  assert.equal(at(40)[0], "one two three")
})

test("a short text that opens at its end shows its first row, and matches in neighbouring rows are found one by one", () => {
  assert.equal(top("", readerOf([passage(true, "one")], "end")), "one")
  const three = readerOf([passage(true, "x a", "x b", "x c", ...rows(8))])
  for (const [keys, row] of [
    ["/x\r", "x a"],
    ["/x\rn", "x b"],
    ["/x\rnn", "x c"],
    ["/x\rnnn", "x a"],
    ["/x\rnnN", "x b"],
    ["/x\rnnNN", "x a"],
  ] as const)
    assert.equal(top(keys, three), row, JSON.stringify(keys))
})
