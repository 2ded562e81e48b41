import assert from "node:assert/strict"
import { test } from "node:test"
import { emptyEditor } from "@gong/screen/editor"
import { textOf } from "@gong/screen/row"
import { english } from "@gong/texts/translator"
import { type Dialog, type DialogForm, emptyPick } from "../../../src/modes/tui/dialog/dialog.ts"
import { initialState, type RunningCall, type State } from "../../../src/modes/tui/state.ts"
import { dialogBody, view } from "../../../src/modes/tui/view.ts"

const start: State = initialState({ columns: 30, rows: 20 }, 10_000)

/** The texts of the live rows and the caret. */
function shown(changes: Partial<State>) {
  const { live, caret } = view(english, { ...start, ...changes })
  return { rows: live.map(({ spans }) => textOf(spans)), live, caret }
}

const withInput = (text: string, caret = text.length) => ({ editor: { ...emptyEditor, text, caret } })
const numbered = (count: number, name = "row") => Array.from({ length: count }, (_, at) => `${name} ${at}`)

test("an empty conversation is a blank row and the prompt, with the caret behind it", () => {
  assert.deepEqual(shown({}).rows, ["", "> "])
  assert.deepEqual(shown({}).caret, { row: 1, column: 2 })
})

test("a running call has its seconds and the last five rows of its output, cut to the width", () => {
  const call = (tail: readonly string[], isProse: boolean): RunningCall => ({
    id: "1",
    title: "bash npm test",
    startedAt: 7_001,
    tail: tail.map((text) => [{ text }]),
    isProse,
  })
  const long = "a word that is longer than the row is"
  assert.deepEqual(shown({ calls: [call([...numbered(5), long], false)] }).rows, [
    "  bash npm test  2 s",
    ...numbered(5)
      .slice(1)
      .map((row) => `    ${row}`),
    "    a word that is longer tha…",
    "",
    "> ",
  ])
  assert.deepEqual(shown({ calls: [call([...numbered(3), long], true)] }).rows.slice(1, -2), [
    ...numbered(3).map((row) => `    ${row}`),
    "    a word that is longer than",
    "    the row is",
  ])
})

test("a run is reported with its seconds unless a question is open, and while watching without its key", () => {
  const running = { isRunning: true, runningSince: 9_000, now: 10_000 }
  assert.equal(shown(running).rows[0], "  working 1 s · Esc stops")
  assert.deepEqual(shown({ ...running, isWatching: true }).rows, [
    "  working 1 s",
    "",
    "watching, read-only · Esc lea…",
  ])
  assert.equal(shown({ ...running, isWatching: true }).caret, null)
  assert.deepEqual(shown({ ...running, dialogs: [dialog({ kind: "keys", prompt: "Go?", keys: [] })] }).rows, [
    "",
    "Go?  ",
  ])
  assert.deepEqual(shown({ now: 20_000 }).rows, ["", "> "])
})

test("five waiting messages and five items of the list are shown, further ones are counted", () => {
  const waiting = [...numbered(4, "line"), "two\nlines"]
  assert.deepEqual(shown({ waiting }).rows.slice(0, -2), [
    ...numbered(4, "line").map((row) => `  queued: ${row}`),
    "  queued: two lines",
  ])
  assert.deepEqual(shown({ waiting: [...waiting, "more", "more"] }).rows.slice(4, -2), [
    "  queued: two lines",
    "  and 2 more",
  ])
  const todos = numbered(6, "item")
  assert.deepEqual(shown({ todos }).rows, ["", "> "], "between runs they stand in the transcript")
  assert.deepEqual(shown({ todos, isRunning: true }).rows.slice(1, -2), [
    ...numbered(5, "item").map((row) => `  ${row}`),
    "  and 1 more",
  ])
})

test("rows above the input are cut from the top, and the first one left continues none", () => {
  const line = "x".repeat(45)
  const reply = () => [{ line: [{ text: line }], whole: true }]
  const size = { columns: 30, rows: 4 }
  const { live } = view(english, { ...start, size, reply })
  assert.deepEqual(live.slice(0, 2), [{ spans: [{ text: "x".repeat(15) }] }, { spans: [] }])
  assert.deepEqual(shown({ size, reply }).rows, ["x".repeat(15), "", "> "])
  assert.deepEqual(shown({ size: { columns: 30, rows: 3 }, reply }).rows, ["", "> "])
  assert.deepEqual(shown({ size: { columns: 30, rows: 2 }, reply }).rows, ["> "])
  assert.deepEqual(shown({ size: { columns: 30, rows: 1 }, reply }).rows, ["> "])
})

test("a list of completions has eight rows around the selected one, with descriptions from column 20 on", () => {
  const target = { kind: "command", from: 1, to: 1, typed: "", command: "" } as const
  const items = numbered(20, "c").map((value, at) => ({ value, about: at % 2 === 0 ? `about ${at}` : "" }))
  const list = (at: number, of = items) =>
    shown({ completion: { target, items: of, at, isMoved: false } }).rows.slice(2)
  assert.deepEqual(list(0).slice(0, 2), [`> c 0${" ".repeat(15)}about 0`, "  c 1"])
  assert.equal(list(0).length, 8)
  assert.equal(list(4)[0], `  c 0${" ".repeat(15)}about 0`)
  assert.equal(list(5)[0], "  c 1")
  assert.equal(list(5)[4], "> c 5")
  assert.deepEqual([list(19)[0]?.trim().slice(0, 4), list(19)[7]], ["c 12", "> c 19"])
  assert.deepEqual(list(0, [{ value: "x".repeat(17), about: "y" }]), [`> ${"x".repeat(17)}  y`])
  assert.deepEqual(list(1, items.slice(0, 3)).length, 3)
  const { live } = shown({ completion: { target, items, at: 0, isMoved: false } })
  assert.deepEqual(
    live[2]?.spans.map(({ role }) => role),
    ["accent", "muted"],
  )
  assert.deepEqual(
    live[3]?.spans.map(({ role }) => role),
    [undefined],
  )
})

test("the status row leaves out its last parts first, and gives way to a hint", () => {
  const status = ["provider/model", "ask", "context 12 %"]
  assert.equal(shown({ status }).rows.at(-1), "provider/model · ask")
  assert.equal(shown({ status, size: { columns: 35, rows: 20 } }).rows.at(-1), status.join(" · "))
  assert.equal(shown({ status, size: { columns: 34, rows: 20 } }).rows.at(-1), "provider/model · ask")
  assert.equal(shown({ status, size: { columns: 8, rows: 20 } }).rows.at(-1), "provide…")
  assert.equal(shown({ status, hint: "a hint" }).rows.at(-1), "a hint")
  assert.equal(shown({ status: [] }).rows.length, 2)
  const { live } = shown({ status: ["\u001b[31mred\u001b[0m plain"] })
  assert.deepEqual(live.at(-1)?.spans, [
    { text: "red", role: "fg:1" },
    { text: " plain", role: "muted" },
  ])
})

test("the input is broken behind blanks, further rows are indented, and the caret is where the text is edited", () => {
  const text = "one two three four five six seven"
  assert.deepEqual(shown(withInput(text)).rows, ["", "> one two three four five six ", "  seven"])
  for (const [caret, row, column] of [
    [0, 1, 2],
    [3, 1, 5],
    [27, 1, 29],
    [28, 2, 2],
    [33, 2, 7],
  ] as const)
    assert.deepEqual(shown(withInput(text, caret)).caret, { row, column }, String(caret))
  assert.deepEqual(shown(withInput("中文\n\nb", 1)).caret, { row: 1, column: 4 })
  assert.deepEqual(shown(withInput("中文\n\nb", 2)).caret, { row: 1, column: 6 })
  assert.deepEqual(shown(withInput("中文\n\nb", 3)).caret, { row: 2, column: 2 })
  assert.deepEqual(shown(withInput("中文\n\nb", 4)).caret, { row: 3, column: 2 })
  assert.deepEqual(shown(withInput("中文\n\nb", 5)).caret, { row: 3, column: 3 })
  assert.deepEqual(shown(withInput("中文\n\nb")).rows, ["", "> 中文", "  ", "  b"])
  assert.deepEqual(shown(withInput("a\tb", 2)).caret, { row: 1, column: 10 })
})

test("of a long input a third of the screen is visible, around the caret", () => {
  const text = numbered(30, "r").join("\n")
  const at = (caret: number) => shown({ ...withInput(text, caret), size: { columns: 30, rows: 18 } })
  const offsetOf = (row: number) => text.indexOf(`r ${row}`)
  assert.deepEqual(at(0).rows, [
    "",
    "> r 0",
    ...numbered(6, "r")
      .slice(1)
      .map((row) => `  ${row}`),
  ])
  assert.deepEqual(at(offsetOf(3)).rows[1], "> r 0")
  assert.deepEqual(at(offsetOf(4)).rows[1], "  r 1")
  assert.deepEqual(at(offsetOf(4)).caret, { row: 4, column: 2 })
  assert.deepEqual([at(text.length).rows[1], at(text.length).caret], ["  r 24", { row: 6, column: 6 }])
  assert.equal(shown({ ...withInput(text), size: { columns: 30, rows: 8 } }).rows.length, 4, "three rows at least")
})

test("a screen of few columns keeps the caret on it", () => {
  for (const columns of [1, 2, 3, 4]) {
    const { caret, rows } = shown({ ...withInput("abc"), size: { columns, rows: 20 } })
    assert.ok(caret !== null && caret.column < columns, String(columns))
    assert.ok(
      rows.every((row) => row.length <= columns),
      String(columns),
    )
  }
  assert.deepEqual(shown({ ...withInput("abcd"), size: { columns: 5, rows: 20 } }).rows, ["", "> ab", "  cd"])
})

function dialog(form: DialogForm, body: readonly string[] = [], offset = 0): Dialog {
  return { id: "d", body: body.map((text) => [{ text }]), form, offset, isRead: false }
}

const keys: DialogForm = {
  kind: "keys",
  prompt: "Run it?",
  keys: [
    { key: "y", label: "[y]es", needsReading: false },
    { key: "n", label: "[n]o", needsReading: false },
  ],
}

test("a question stands in place of the input, with the caret behind its keys", () => {
  const { rows, caret } = shown({ dialogs: [dialog(keys, ["about"])], completion: null, ...withInput("text") })
  assert.deepEqual([rows, caret], [["", "about", "Run it? [y]es [n]o "], { row: 2, column: 19 }])
  const narrow = shown({ dialogs: [dialog(keys)], size: { columns: 12, rows: 20 } })
  assert.deepEqual([narrow.rows, narrow.caret], [["", "Run it?", "[y]es [n]o "], { row: 2, column: 11 }])
})

test("a long question is shown by pages, with the position of the page", () => {
  const body = numbered(30)
  const size = { columns: 60, rows: 12 }
  assert.equal(dialogBody(dialog(keys, body), { size }).page, 7)
  assert.deepEqual(shown({ size, dialogs: [dialog(keys, body, 3)] }).rows.slice(-9), [
    ...body.slice(3, 10),
    "  lines 4-10 of 30 · PageUp and PageDown show the rest",
    "Run it? [y]es [n]o ",
  ])
  assert.equal(
    shown({ size, dialogs: [dialog(keys, body.slice(0, 7))] }).rows.some((row) => row.includes("lines")),
    false,
  )
  assert.equal(
    shown({ size, dialogs: [dialog(keys, body.slice(0, 8))] }).rows.at(-2),
    "  lines 1-7 of 8 · PageUp and PageDown show the rest",
  )
  assert.equal(dialogBody(dialog(keys, body), { size: { columns: 60, rows: 3 } }).page, 1)
  const pick = { ...emptyPick, kind: "pick", rows: numbered(40) } as const
  assert.equal(dialogBody(dialog(pick, body), { size: { columns: 60, rows: 30 } }).page, 14)
  assert.equal(dialogBody(dialog({ ...pick, rows: numbered(3) }, body), { size: { columns: 60, rows: 30 } }).page, 23)
  const previewed = { ...pick, preview: { of: 0, lines: [] } }
  assert.equal(dialogBody(dialog(previewed, body), { size: { columns: 60, rows: 30 } }).page, 8)
})

test("a list shows twelve rows around the selected one, the filter, and lines about the row", () => {
  const pick = { ...emptyPick, kind: "pick", rows: numbered(20) } as const
  const at = (index: number) => shown({ dialogs: [dialog({ ...pick, at: index })] }).rows.slice(1)
  assert.deepEqual(at(0), [
    "> row 0",
    ...numbered(12)
      .slice(1)
      .map((row) => `  ${row}`),
    "/ type to filter · Enter sele…",
  ])
  assert.equal(at(6)[0], "  row 0")
  assert.equal(at(7)[0], "  row 1")
  assert.deepEqual([at(19)[0], at(19)[11]], ["  row 8", "> row 19"])
  const filtered = { ...pick, filter: { ...emptyEditor, text: "9", caret: 1 } }
  const { rows, caret } = shown({ dialogs: [dialog(filtered)] })
  assert.deepEqual([rows, caret], [["", "> row 9", "  row 19", "/ 9"], { row: 3, column: 3 }])
  const actions = [{ key: "ctrl+d", name: "remove", label: "Ctrl+D deletes" }] as const
  const preview = { of: 0, lines: numbered(8, "line") }
  const wide = { dialogs: [dialog({ ...pick, rows: ["only"], actions, preview })], size: { columns: 90, rows: 20 } }
  assert.deepEqual(shown(wide).rows.slice(1), [
    "> only",
    "/ type to filter · Enter selects · Ctrl+D deletes · Esc leaves",
    ...numbered(6, "line").map((row) => `    ${row}`),
  ])
  assert.deepEqual(shown(wide).live[1]?.spans, [{ text: "> only", role: "strong" }])
})

test("a line that is asked for is edited behind its prompt; a secret is shown as stars", () => {
  const form = {
    kind: "line",
    prompt: "Key: ",
    editor: { ...emptyEditor, text: "a👍🏽b", caret: 1 },
    isSecret: false,
  } as const
  const open = shown({ dialogs: [dialog(form)] })
  assert.deepEqual([open.rows, open.caret], [["", "Key: a👍🏽b"], { row: 1, column: 6 }])
  const secret = shown({ dialogs: [dialog({ ...form, editor: { ...form.editor, caret: 6 }, isSecret: true })] })
  assert.deepEqual([secret.rows, secret.caret], [["", "Key: ****"], { row: 1, column: 9 }])
  const long = { ...form, editor: { ...emptyEditor, text: "x".repeat(200), caret: 200 } }
  assert.equal(shown({ dialogs: [dialog(long)] }).rows.length, 4)
})
