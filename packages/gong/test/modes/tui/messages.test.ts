import assert from "node:assert/strict"
import { test } from "node:test"
import { english } from "@gong/texts/translator"
import { type Input, keyDecoder } from "@gong/screen/keys"
import { textOf } from "@gong/screen/row"
import { type Dialog, emptyPick } from "../../../src/modes/tui/dialog/dialog.ts"
import type { Action, Message } from "../../../src/modes/tui/messages.ts"
import { initialState, type State } from "../../../src/modes/tui/state.ts"
import { update } from "../../../src/modes/tui/update.ts"
import { view } from "../../../src/modes/tui/view.ts"

const start = initialState({ columns: 40, rows: 12 }, 0)

/** The state and the actions after messages; a number is the time in milliseconds from there on. */
function after(messages: readonly (Message | number)[], from: State = start) {
  let now = 10_000
  let state = from
  const actions: Action[] = []
  for (const message of messages)
    if (typeof message === "number") now = message
    else {
      const next = update(state, message, now)
      state = next.state
      actions.push(...next.actions.filter(({ kind }) => kind !== "complete"))
    }
  return { state, actions }
}

const inputs = (...all: readonly Input[]): readonly Message[] => all.map((input) => ({ kind: "input", input }))
function typed(bytes: string): readonly Message[] {
  const decoder = keyDecoder()
  return inputs(...decoder.feed(bytes), ...decoder.flush())
}
const running: Message = { kind: "running", isRunning: true }
const kinds = (bytes: string, from?: State) => after(typed(bytes), from).actions.map(({ kind }) => kind)

test("messages change their part of the state", () => {
  const block = (text: string) => ({ line: [{ text }], whole: false })
  const { state } = after([
    { kind: "blocks", blocks: [block("a"), block("b")] },
    { kind: "blocks", blocks: [block("c")] },
    { kind: "drawn", blocks: 1 },
    { kind: "todos", texts: ["t"] },
    { kind: "waiting", texts: ["w"] },
    { kind: "status", parts: ["s"] },
    { kind: "text", text: "draft" },
    { kind: "size", size: { columns: 10, rows: 5 } },
    { kind: "hint", text: "hint" },
    12_345,
    { kind: "tick" },
  ])
  assert.deepEqual(
    [
      state.blocks.map(({ line }) => textOf(line)),
      state.todos,
      state.waiting,
      state.status,
      state.editor.text,
      state.editor.caret,
      state.size,
      state.hint,
      state.now,
    ],
    [["b", "c"], ["t"], ["w"], ["s"], "draft", 5, { columns: 10, rows: 5 }, "hint", 12_345],
  )
  assert.equal(after(typed("x"), state).state.hint, "", "a key removes the hint")
  assert.equal(after([{ kind: "tick" }], state).state.hint, "hint")
})

test("the time of a run counts from its beginning", () => {
  const { state } = after([11_000, running, 15_000, { kind: "tick" }])
  assert.deepEqual([state.isRunning, state.runningSince], [true, 11_000])
  assert.equal(after([{ kind: "running", isRunning: false }], state).state.isRunning, false)
})

test("a new size keeps what was read of a question, and reads more if all is visible", () => {
  const dialog: Dialog = {
    id: "q",
    body: Array.from({ length: 20 }, (_, at) => [{ text: `row ${at}` }]),
    form: { kind: "keys", prompt: "?", keys: [{ key: "y", label: "[y]es", needsReading: true }] },
    offset: 0,
    isRead: false,
  }
  const asked = after([{ kind: "ask", dialog }]).state
  assert.equal(asked.dialogs[0]?.isRead, false)
  const larger = after([{ kind: "size", size: { columns: 40, rows: 40 } }], asked).state
  assert.equal(larger.dialogs[0]?.isRead, true)
  const scrolled = after(typed("\u001b[B\u001b[B\u001b[A"), asked).state
  assert.equal(scrolled.dialogs[0]?.offset, 1)
  assert.deepEqual(after([{ kind: "close", id: "other" }], asked).state.dialogs.length, 1)
  assert.deepEqual(after([{ kind: "close", id: "q" }], asked).state.dialogs, [])
  const two = after([{ kind: "ask", dialog: { ...dialog, id: "second" } }], asked)
  assert.deepEqual(
    two.state.dialogs.map(({ id }) => id),
    ["q", "second"],
  )
  const answered = after([20_000, ...typed("\u001b")], two.state)
  assert.deepEqual(
    [answered.actions, answered.state.dialogs.map(({ id }) => id)],
    [[{ kind: "answer", id: "q", value: null }], ["second"]],
  )
})

test("lines about rows are asked for when a list opens, and when another row is selected", () => {
  const form = { ...emptyPick, kind: "pick", rows: ["a", "b"], preview: { of: -1, lines: [] } } as const
  const dialog: Dialog = { id: "q", body: [], form, offset: 0, isRead: false }
  const opened = after([{ kind: "ask", dialog }])
  assert.deepEqual(opened.actions, [{ kind: "preview", id: "q", of: 0 }])
  const shown = after([{ kind: "preview", id: "q", of: 0, lines: ["about a"] }], opened.state)
  const [first] = shown.state.dialogs
  assert.deepEqual(first?.form.kind === "pick" && first.form.preview?.lines, ["about a"])
  assert.deepEqual(after(typed("\u001b[B"), shown.state).actions, [{ kind: "preview", id: "q", of: 1 }])
  const typedEarly = after([...typed("a"), { kind: "ask", dialog }, ...typed("b")])
  const [early] = typedEarly.state.dialogs
  assert.equal(early?.form.kind === "pick" && early.form.filter.text, "b", "a list takes text at once")
})

test("keys outside of texts have their actions", () => {
  for (const [bytes, kind] of [
    ["\u0012", "search-history"],
    ["\u001b[Z", "next-permission"],
    ["\u001bt", "next-thinking"],
    ["\u0007", "edit-externally"],
    ["\u000f", "transcript"],
    ["\u0016", "paste-image"],
    ["\u0018b", "background"],
    ["\u000c", "redraw"],
    ["\u001a", "suspend"],
    ["\u001b[1;3A", "take-back"],
  ] as const)
    assert.deepEqual(kinds(bytes), [kind], JSON.stringify(bytes))
  for (const bytes of ["\u001b[5~", "\u001b[6~", "\u001b[24~"])
    assert.deepEqual(kinds(bytes), [], JSON.stringify(bytes))
})

test("Ctrl+D leaves an empty conversation, and deletes in a text", () => {
  assert.deepEqual(after(typed("\u0004")).actions, [{ kind: "leave", isInterrupted: false }])
  const { state, actions } = after(typed("ab\u001b[D\u0004"))
  assert.deepEqual([state.editor.text, actions], ["a", []])
})

test("Enter sends, a backslash before it or Ctrl+J begins a line, and Alt+Enter sends later into a run", () => {
  const sent = (bytes: string, from?: State) =>
    after(typed(bytes), from).actions.flatMap((action) =>
      action.kind === "send" ? [[action.text, action.isLater]] : [],
    )
  assert.deepEqual(sent("a\r"), [["a", false]])
  assert.deepEqual(sent("\r"), [])
  assert.deepEqual(sent("a\\\rb\r"), [["a\nb", false]])
  assert.deepEqual(sent("a\nb\r"), [["a\nb", false]])
  assert.deepEqual(sent("a\u001b\rb\r"), [["a\nb", false]])
  const { state } = after([running])
  assert.deepEqual(sent("a\u001b\r", state), [["a", true]])
  assert.deepEqual(sent("a\u0011", state), [["a", true]])
  assert.deepEqual(sent("a\r", state), [["a", false]])
  assert.deepEqual(sent("a\\b\u001b[D\r"), [], "the backslash before the caret counts")
})

test("Esc stops a run; twice within half a second it clears the text", () => {
  const escape = typed("\u001b")
  assert.deepEqual(
    after([running, ...escape, ...escape]).actions.map(({ kind }) => kind),
    ["stop", "stop"],
  )
  const twice = (ms: number, text = "x") => after([...typed(text), 20_000, ...escape, 20_000 + ms, ...escape])
  assert.deepEqual([twice(499).state.editor.text, twice(500).state.editor.text], ["", "x"])
  assert.deepEqual([twice(499, "").actions.length, twice(500, "").actions.length], [1, 0])
  const thrice = after([20_000, ...escape, ...escape, ...escape])
  assert.equal(thrice.actions.length, 1, "the third begins again")
})

test("text and pastes are typed, the prefix of a sequence takes the next character, a jump too", () => {
  const text = (written: string): Input => ({ kind: "text", text: written })
  assert.equal(after(inputs(text("ab"), { kind: "paste", text: "cd" })).state.editor.text, "abcd")
  const prefixed = after([...typed("\u0018"), ...inputs(text("qab"))])
  assert.deepEqual([prefixed.state.editor.text, prefixed.state.prefix], ["ab", ""])
  assert.deepEqual(
    after([...typed("\u0018"), ...inputs(text("mab"))]).actions.map((action) => action.kind === "send" && action.text),
    ["/model"],
  )
  assert.equal(after(typed("\u0018")).state.prefix, "ctrl+x")
  assert.equal(after(typed("abcb\u0001\u001db")).state.editor.caret, 1)
  assert.equal(after(typed("abcb\u0001\u001d\u001b[C")).state.editor.caret, 0)
  assert.equal(after(typed("\u001d")).state.prefix, "jump")
})

test("the terminal's focus and answers change no text", () => {
  const { state, actions } = after(inputs({ kind: "focus", on: false }, { kind: "reply", text: "r" }))
  assert.deepEqual([state.isFocused, state.editor.text, actions], [false, "", [{ kind: "reply", text: "r" }]])
  assert.equal(after(inputs({ kind: "focus", on: true })).state.isFocused, true)
})

const targetOf = (bytes: string) => {
  const { actions } = update(after(typed(bytes.slice(0, -1))).state, typed(bytes.slice(-1))[0] ?? { kind: "tick" }, 0)
  const [action] = actions
  assert.ok(action?.kind === "complete")
  return action.target
}
const listFor = (bytes: string, ...values: readonly string[]): readonly Message[] => [
  ...typed(bytes),
  { kind: "completions", target: targetOf(bytes), items: values.map((value) => ({ value, about: "" })) },
]

test("the list of completions is walked around both ends, and text keeps it until the next one", () => {
  const at = (bytes: string) =>
    after([...listFor("/m", "model", "mode", "memory"), ...typed(bytes)]).state.completion?.at
  const [up, down] = ["\u001b[A", "\u001b[B"]
  assert.deepEqual([at(""), at(down), at(down.repeat(3)), at(up), at(up + down)], [0, 1, 0, 2, 0])
  assert.equal(after([...listFor("/m", "model"), ...typed("o")]).state.completion?.items.length, 1)
  assert.equal(after([...listFor("/m", "model"), ...typed(" ")]).state.completion, null, "an argument is another list")
  assert.equal(after([...listFor("/m", "model"), ...typed("\u001b[D")]).state.completion, null)
  assert.equal(after(listFor("/m")).state.completion, null, "without items")
  assert.equal(after(listFor("/tree", "tree")).state.completion, null, "the only item is typed already")
  assert.equal(after(listFor("@a", "a")).state.completion?.items.length, 1, "a path can be completed")
})

test("Tab before the list has come takes its first item as soon as it comes", () => {
  const target = targetOf("/mo")
  const list: Message = {
    kind: "completions",
    target,
    items: [
      { value: "model", about: "" },
      { value: "mode", about: "" },
    ],
  }
  assert.equal(after([...typed("/mo\t"), list]).state.editor.text, "/model ")
  assert.equal(after([...typed("/mo"), list]).state.editor.text, "/mo")
  assert.equal(after([...typed("/mo\t"), { ...list, items: [] }]).state.completing, null)
  assert.equal(after([...typed("/mo\t"), ...typed("d"), list]).state.completion, null)
})

test("while watching there is no input, and leaving is the only action", () => {
  const watching = initialState({ columns: 40, rows: 12 }, 0, { isWatching: true })
  const { state, actions } = after(typed("abc\r"), watching)
  assert.deepEqual([state.editor.text, actions], ["", []])
  assert.deepEqual(kinds("q", watching), ["leave"])
})

test("the reader takes all keys, copies, and is left with its own", () => {
  const text = { title: "t", keys: [{ key: "u", about: "u undoes" }], opensAt: "start" } as const
  const open = after([
    { kind: "read", id: 3, text },
    { kind: "passages", id: 3, passages: [{ isMessage: true, blocks: [{ line: [{ text: "one" }], whole: false }] }] },
  ]).state
  assert.equal(open.reader?.passages.length, 1)
  assert.match(textOf(view(english, { ...open, reader: null }).live.at(-1)?.spans ?? []), /^> $/)
  assert.deepEqual(after(typed("y"), open).actions, [{ kind: "copy-text", text: "one" }])
  assert.deepEqual(after(typed("v"), open).actions, [{ kind: "edit-text", text: "one" }])
  assert.equal(after(typed("xj"), open).state.editor.text, "")
  const left = after(typed("u"), open)
  assert.deepEqual([left.actions, left.state.reader], [[{ kind: "read-end", id: 3, key: "u" }], null])
  assert.deepEqual(after(typed("q"), open).actions, [{ kind: "read-end", id: 3, key: null }])
})
