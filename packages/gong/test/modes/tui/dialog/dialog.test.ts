import assert from "node:assert/strict"
import { test } from "node:test"
import { emptyEditor } from "@gong/screen/editor"
import { type Input, keyDecoder } from "@gong/screen/keys"
import { createAsks } from "../../../../src/modes/tui/dialog/asks.ts"
import {
  answerDialog,
  type Dialog,
  type DialogForm,
  emptyPick,
  type PickForm,
  selectedRow,
  shownRows,
} from "../../../../src/modes/tui/dialog/dialog.ts"
import { previewActions, scrolled, withPreview } from "../../../../src/modes/tui/dialog/visible.ts"
import { defaultKeymap } from "../../../../src/modes/tui/input/keymap.ts"
import type { Message } from "../../../../src/modes/tui/messages.ts"

const dialogOf = (form: DialogForm, rows = 0): Dialog => ({
  id: "d",
  body: Array.from({ length: rows }, (_, at) => [{ text: `row ${at}` }]),
  form,
  offset: 0,
  isRead: false,
})

/** What these keys do: the value, the rows to scroll by, or the dialog that stays open. */
function after(dialog: Dialog, bytes: string, more: readonly Input[] = []) {
  const decoder = keyDecoder()
  let open = dialog
  for (const input of [...decoder.feed(bytes), ...decoder.flush(), ...more]) {
    const result = answerDialog(open, input, 10, defaultKeymap)
    if (result.kind !== "open") return result
    open = result.dialog
  }
  return { kind: "open", dialog: open } as const
}

function formAfter(dialog: Dialog, bytes: string, more: readonly Input[] = []) {
  const result = after(dialog, bytes, more)
  assert.ok(result.kind === "open", JSON.stringify(result))
  return result.dialog.form
}

const keys: DialogForm = {
  kind: "keys",
  prompt: "?",
  keys: [
    { key: "y", label: "[y]es", needsReading: true },
    { key: "n", label: "[n]o", needsReading: false },
  ],
}
const pick: PickForm = { ...emptyPick, kind: "pick", rows: ["alpha one", "beta two", "beta one"] }
const line: DialogForm = { kind: "line", prompt: "Name: ", editor: emptyEditor, isSecret: false }
const [up, down, pageUp, pageDown] = ["\u001b[A", "\u001b[B", "\u001b[5~", "\u001b[6~"]

test("keys scroll: pages everywhere, single rows where the question is answered by keys", () => {
  for (const form of [keys, pick, line]) {
    assert.deepEqual(after(dialogOf(form), pageUp), { kind: "scroll", rows: -10 })
    assert.deepEqual(after(dialogOf(form), pageDown), { kind: "scroll", rows: 10 })
  }
  assert.deepEqual(after(dialogOf(keys), up), { kind: "scroll", rows: -1 })
  assert.deepEqual(after(dialogOf(keys), down), { kind: "scroll", rows: 1 })
  assert.equal(after(dialogOf(line), up).kind, "open")
})

test("Esc, Ctrl+C and Ctrl+D leave every dialog", () => {
  for (const form of [keys, pick, line])
    for (const key of ["\u001b", "\u0003", "\u0004"])
      assert.deepEqual(after(dialogOf(form), key), { kind: "closed", value: null })
})

test("a key counts in capitals and in full width, but not with Ctrl, and not before it was read", () => {
  const read = { ...dialogOf(keys), isRead: true }
  for (const key of ["y", "Y", "ｙ"]) assert.deepEqual(after(read, key), { kind: "closed", value: { key: "y" } }, key)
  assert.equal(after(dialogOf(keys), "y").kind, "open")
  assert.deepEqual(after(dialogOf(keys), "N"), { kind: "closed", value: { key: "n" } })
  assert.equal(after(read, "x\u0019\r").kind, "open")
  assert.equal(
    after(read, "", [
      { kind: "text", text: "y" },
      { kind: "paste", text: "y" },
    ]).kind,
    "open",
  )
})

test("a row is selected with the keys for up and down, which stop at both ends", () => {
  const at = (bytes: string) => {
    const form = formAfter(dialogOf(pick), bytes)
    return form.kind === "pick" ? form.at : null
  }
  assert.deepEqual([at(""), at(down), at("\t"), at("\u000e"), at(down.repeat(9))], [0, 1, 1, 1, 2])
  assert.deepEqual([at(down + down + up), at(down + down + "\u0010"), at(up)], [1, 1, 0])
  assert.deepEqual(after(dialogOf(pick), `${down}\r`), { kind: "closed", value: { at: 1 } })
  const filtered = formAfter(dialogOf(pick), `${down}n`)
  assert.deepEqual(filtered.kind === "pick" && [filtered.filter.text, filtered.at], ["n", 0])
  assert.equal(after(dialogOf(pick), "zzz\r").kind, "open")
  assert.deepEqual(after(dialogOf(pick), `zzz${down}`).kind, "open")
  assert.deepEqual(after(dialogOf(pick), "onex\u007f\r"), { kind: "closed", value: { at: 0 } }, "the filter is edited")
})

test("rows match if they contain all words, in any case and width", () => {
  const matching = (text: string) =>
    shownRows({ ...pick, filter: { ...emptyEditor, text, caret: 0 } }).map(([at]) => at)
  assert.deepEqual(matching(""), [0, 1, 2])
  assert.deepEqual(matching("  ONE  beta "), [2])
  assert.deepEqual(matching("ｏｎｅ"), [0, 2])
  assert.deepEqual(matching("x"), [])
  assert.equal(selectedRow({ ...pick, filter: { ...emptyEditor, text: "beta", caret: 0 }, at: 1 }), 2)
  assert.equal(selectedRow({ ...pick, filter: { ...emptyEditor, text: "none", caret: 0 } }), null)
})

test("the actions of a list belong to its selected row", () => {
  const actions = [
    { key: "ctrl+d", name: "remove", label: "" },
    { key: "ctrl+r", name: "rename", label: "" },
  ] as const
  const form: PickForm = { ...pick, actions }
  assert.deepEqual(after(dialogOf(form), `${down}\u0004`), { kind: "closed", value: { at: 1, action: "remove" } })
  assert.deepEqual(after(dialogOf(form), "\u0012"), { kind: "closed", value: { at: 0, action: "rename" } })
  assert.deepEqual(after(dialogOf(form), "zzz\u0004"), { kind: "closed", value: null }, "no row is selected")
  assert.equal(after(dialogOf(pick), "\u0012").kind, "open")
})

test("a line is edited with its keys; pasted line breaks become blanks; Enter sends it, empty too", () => {
  assert.deepEqual(after(dialogOf(line), "ac\u001b[Db\r"), { kind: "closed", value: { line: "abc" } })
  assert.deepEqual(after(dialogOf(line), "\r"), { kind: "closed", value: { line: "" } })
  for (const kind of ["paste", "text"] as const) {
    const form = formAfter(dialogOf(line), "x", [
      { kind, text: "a\nb" },
      { kind: "focus", on: true },
    ])
    assert.equal(form.kind === "line" && form.editor.text, "xa b")
  }
})

test("a body scrolls between its ends, and is read when its end was visible", () => {
  const size = { columns: 40, rows: 12 }
  const dialog = dialogOf(keys, 20)
  const at = (rows: number, of = dialog) => {
    const { offset, isRead } = scrolled(of, { size }, rows)
    return [offset, isRead]
  }
  assert.deepEqual(
    [at(0), at(12), at(13), at(99), at(-5)],
    [
      [0, false],
      [12, false],
      [13, true],
      [13, true],
      [0, false],
    ],
  )
  assert.deepEqual(at(-99, { ...dialog, offset: 13, isRead: true }), [0, true])
  assert.deepEqual(scrolled(dialogOf(keys, 7), { size }).isRead, true)
  assert.deepEqual(scrolled(dialogOf(keys, 8), { size }).isRead, false)
})

test("lines about a row are asked for when another row is selected, and shown if it still is", () => {
  const preview = { of: 0, lines: ["about 0"] }
  const dialog = dialogOf({ ...pick, preview })
  const none = dialogOf(pick)
  assert.deepEqual([previewActions(dialog), previewActions(none), previewActions(dialogOf(keys))], [[], [], []])
  const moved = dialogOf({ ...pick, preview, at: 1 })
  assert.deepEqual(previewActions(moved), [{ kind: "preview", id: "d", of: 1 }])
  const filter = { ...emptyEditor, text: "zzz", caret: 3 }
  assert.deepEqual(previewActions(dialogOf({ ...pick, preview, filter })), [])
  const shown = (id: string, of: number, to = moved) => {
    const { form } = withPreview(to, { kind: "preview", id, of, lines: ["new"] })
    return form.kind === "pick" ? form.preview?.lines : null
  }
  assert.deepEqual(shown("d", 1), ["new"])
  assert.deepEqual(shown("d", 0), ["about 0"], "another row is selected")
  assert.deepEqual(shown("other", 1), ["about 0"])
  assert.equal(shown("d", 0, dialogOf(keys)), null)
})

function asking() {
  const messages: Message[] = []
  const urgent: Message["kind"][] = []
  const asks = createAsks((message, isUrgent = false) => {
    messages.push(message)
    if (isUrgent) urgent.push(message.kind)
  })
  return { asks, messages, urgent }
}

test("a question is shown, and resolves with its answer", async () => {
  const { asks, messages, urgent } = asking()
  const [first, second] = [asks.ask({ body: [], form: keys }), asks.ask({ body: [], form: line })]
  const [one, two] = messages
  assert.deepEqual(
    [one, two].map(
      (message) => message?.kind === "ask" && [message.dialog.form, message.dialog.offset, message.dialog.isRead],
    ),
    [
      [keys, 0, false],
      [line, 0, false],
    ],
  )
  const [a, b] = [one, two].map((message) => (message?.kind === "ask" ? message.dialog.id : ""))
  assert.notEqual(a, b)
  asks.answer(b ?? "", { line: "x" })
  asks.answer(a ?? "", { key: "y" })
  asks.answer(a ?? "", { key: "n" })
  asks.answer("unknown", null)
  assert.deepEqual([await first, await second], [{ key: "y" }, { line: "x" }])
  assert.deepEqual([messages.length, urgent], [2, ["ask", "ask"]])
})

test("a question is closed by its signal, and by the end of all", async () => {
  const { asks, messages } = asking()
  assert.equal(await asks.ask({ body: [], form: keys }, { signal: AbortSignal.abort() }), null)
  assert.deepEqual(messages, [])
  const stop = new AbortController()
  const asked = asks.ask({ body: [], form: keys }, { signal: stop.signal })
  stop.abort()
  assert.equal(await asked, null)
  assert.deepEqual(messages.at(-1), { kind: "close", id: "question 1" })
  const answered = new AbortController()
  const early = asks.ask({ body: [], form: keys }, { signal: answered.signal })
  asks.answer("question 2", { key: "y" })
  await early
  answered.abort()
  assert.equal(messages.filter(({ kind }) => kind === "close").length, 1, "an answered question is not closed")
  const open = [asks.ask({ body: [], form: keys }), asks.ask({ body: [], form: line })]
  asks.close()
  assert.deepEqual(await Promise.all(open), [null, null])
})

test("lines about a row are looked up once they are asked for; a failure gives none", async () => {
  const { asks, messages } = asking()
  const preview = async (at: number) => {
    if (at === 1) throw new Error("no")
    return [`about ${at}`]
  }
  const asked = [asks.ask({ body: [], form: pick }, { preview }), asks.ask({ body: [], form: pick })]
  for (const [id, of] of [
    ["question 1", 0],
    ["question 1", 1],
    ["question 2", 0],
    ["other", 0],
  ] as const)
    asks.preview(id, of)
  await new Promise(setImmediate)
  assert.deepEqual(
    messages.slice(2).toSorted((a, b) => (a.kind === "preview" && b.kind === "preview" ? a.of - b.of : 0)),
    [
      { kind: "preview", id: "question 1", of: 0, lines: ["about 0"] },
      { kind: "preview", id: "question 1", of: 1, lines: [] },
    ],
  )
  asks.close()
  await Promise.all(asked)
})
