import assert from "node:assert/strict"
import { test } from "node:test"
import { english } from "@gong/texts/translator"
import { keyDecoder } from "@gong/screen/keys"
import type { Block } from "@gong/screen/row"
import { type Dialog, emptyPick } from "../../../src/modes/tui/dialog/dialog.ts"
import { createKeymap, defaultKeymap, keyTable, nameOf } from "../../../src/modes/tui/input/keymap.ts"
import { initialState, type State } from "../../../src/modes/tui/state.ts"
import type { Action, Message } from "../../../src/modes/tui/messages.ts"
import { update } from "../../../src/modes/tui/update.ts"
import { view } from "../../../src/modes/tui/view.ts"

const size = { columns: 20, rows: 12 }

/** The state and the actions after messages; a number is the time in milliseconds from there on. */
function after(messages: readonly (Message | number)[], start = initialState(size, 0)) {
  let now = 1_000
  let state: State = start
  const actions: Action[] = []
  for (const message of messages) {
    if (typeof message === "number") now = message
    else {
      const next = update(state, message, now)
      state = next.state
      actions.push(...next.actions)
    }
  }
  return { state, actions }
}

const typed = (bytes: string): readonly Message[] => {
  const decoder = keyDecoder()
  return [...decoder.feed(bytes), ...decoder.flush()].map((input) => ({ kind: "input", input }))
}

const shown = (state: State): readonly string[] =>
  [...view(english, state).left, ...view(english, state).live].map(
    ({ spans, continues }) => `${continues === true ? "+" : ""}${spans.map(({ text }) => text).join("")}`,
  )

/** Paragraphs of a reply. */
const reply = (final: readonly string[], open: readonly string[] = []): Message => {
  const blocksOf = (texts: readonly string[]): readonly Block[] =>
    texts.map((text) => ({ line: [{ text }], whole: false }))
  return { kind: "reply", final: blocksOf(final), open: () => blocksOf(open) }
}

test("prose is broken at words, whole lines are broken by the terminal, and further rows are indented", () => {
  const blocks: readonly Block[] = [
    { line: [{ text: "one two three four five" }], whole: false, indent: [{ text: "- " }] },
    { line: [{ text: "const value = compute(1)" }], whole: true },
    { line: [{ text: "quoted text of a reply" }], whole: false, indent: [{ text: "| " }], hanging: [{ text: "| " }] },
    { line: [{ text: "a" }, { text: "\tb" }], whole: true },
  ]
  assert.deepEqual(shown(after([{ kind: "blocks", blocks }]).state).slice(0, -2), [
    "- one two three four",
    "  five",
    "const value = comput",
    "+e(1)",
    "| quoted text of a",
    "| reply",
    "a       b",
  ])
})

test("final lines of a reply leave the live region, open lines are replaced", () => {
  const { state } = after([reply(["final"], ["can change"]), reply(["now final"], ["other"])])
  assert.deepEqual(shown(state), ["final", "now final", "other", "", "> "])
  assert.deepEqual(shown(after([reply([])], state).state), ["final", "now final", "", "> "])
})

test("the live region is lower than the screen, whatever is in it", () => {
  const calls = Array.from({ length: 9 }, (_, at) => ({
    id: `${at}`,
    title: "bash x",
    startedAt: 0,
    tail: [[{ text: "a" }], [{ text: "b" }]],
    isProse: false,
  }))
  const { state } = after([
    { kind: "running", isRunning: true },
    { kind: "calls", calls },
    { kind: "waiting", texts: ["a", "b", "c", "d", "e", "f", "g"] },
    { kind: "status", parts: ["model"] },
    ...typed(`${"\n".repeat(30)}x`),
  ])
  const { live, caret } = view(english, state)
  assert.ok(live.length < size.rows, String(live.length))
  assert.ok(caret !== null && caret.row < live.length)
})

const question = (rows: number): Dialog => ({
  id: "q",
  body: Array.from({ length: rows }, (_, at) => [{ text: `row ${at}` }]),
  form: {
    kind: "keys",
    prompt: "Run it?",
    keys: [
      { key: "y", label: "[y]es", needsReading: true },
      { key: "n", label: "[n]o", needsReading: false },
    ],
  },
  offset: 0,
  isRead: false,
})

const answers = ({ actions }: { readonly actions: readonly Action[] }) =>
  actions.flatMap((action) => (action.kind === "answer" ? [action.value] : []))

test("a question is answered by its keys, full-width too, but not by those typed within 0.4 s", () => {
  const ask: Message = { kind: "ask", dialog: question(2) }
  assert.deepEqual(answers(after([ask, ...typed("y")])), [{ key: "y" }])
  assert.deepEqual(answers(after([ask, ...typed("ｎ")])), [{ key: "n" }])
  assert.deepEqual(answers(after([ask, ...typed("x\r")])), [])
  assert.deepEqual(answers(after([ask, ...typed("\u001B")])), [null])
  assert.deepEqual(answers(after([...typed("a"), ask, ...typed("y")])), [])
  assert.deepEqual(answers(after([...typed("a"), ask, 1_399, ...typed("y")])), [])
  const late = after([...typed("a"), ask, 1_400, ...typed("y")])
  assert.deepEqual([answers(late), late.state.editor.text], [[{ key: "y" }], "a"])
  assert.deepEqual(answers(after([...typed("a"), 1_900, ask, 2_200, ...typed("y")])), [], "who has just typed")
  assert.deepEqual(answers(after([...typed("a"), ask, 1_300, ...typed("y"), 1_600, ...typed("y")])), [], "types on")
  assert.deepEqual(answers(after([...typed("a"), 3_100, ask, ...typed("y")])), [{ key: "y" }])
})

test("an answer that permits counts only when the end of the question was visible; a no counts at once", () => {
  const ask: Message = { kind: "ask", dialog: question(30) }
  assert.deepEqual(answers(after([ask, ...typed("y")])), [])
  assert.deepEqual(answers(after([ask, ...typed("n")])), [{ key: "n" }])
  assert.deepEqual(answers(after([ask, ...typed("\u001B[6~\u001B[6~y")])), [])
  assert.deepEqual(answers(after([ask, ...typed(`${"\u001B[6~".repeat(9)}y`)])), [{ key: "y" }])
  assert.deepEqual(answers(after([ask, ...typed(`${"\u001B[6~".repeat(9)}\u001B[5~y`)])), [{ key: "y" }])
})

test("a list is filtered by all typed words, and its row is the one of the whole list", () => {
  const rows = ["alpha one", "beta two", "beta one"]
  const ask: Message = {
    kind: "ask",
    dialog: { ...question(0), form: { ...emptyPick, kind: "pick", rows } },
  }
  assert.deepEqual(answers(after([ask, ...typed("one BETA\r")])), [{ at: 2 }])
  assert.deepEqual(answers(after([ask, ...typed("\u001B[B\u001B[B\u001B[B\r")])), [{ at: 2 }])
  assert.deepEqual(answers(after([ask, ...typed("nothing\r")])), [])
  assert.deepEqual(answers(after([ask, ...typed("\u0003")])), [null])
})

test("Ctrl+C: text is cleared, the run is stopped, and twice within 2 s exits", () => {
  const kinds = (messages: readonly (Message | number)[]) => after(messages).actions.map(({ kind }) => kind)
  assert.deepEqual(after(typed("text\u0003")).state.editor.text, "")
  assert.deepEqual(kinds(typed("text\u0003\u0003")), ["warn-exit"])
  assert.deepEqual(kinds([{ kind: "running", isRunning: true }, ...typed("\u0003")]), ["stop", "warn-exit"])
  assert.deepEqual(kinds([...typed("\u0003"), 2_999, ...typed("\u0003")]), ["warn-exit", "leave"])
  assert.deepEqual(kinds([...typed("\u0003"), 3_000, ...typed("\u0003")]), ["warn-exit", "warn-exit"])
  assert.deepEqual(kinds(typed("\u0003text\u0003\u0003")), ["warn-exit", "warn-exit"], "text is never lost")
  const listed = after(completions("/mo", "model", "memory"))
  assert.notEqual(listed.state.completion, null)
  assert.equal(after(typed("\u0003"), listed.state).state.completion, null)
})

test("no key has two actions", () => {
  const names = keyTable.flatMap(({ keys }) => keys)
  assert.deepEqual(names, [...new Set(names)])
  assert.deepEqual(defaultKeymap.actionOf({ name: "enter", ctrl: false, alt: false, shift: false }), { do: "send" })
})

/** The first target that an update asks to complete, answered with these values. */
function completions(text: string, ...values: readonly string[]): readonly Message[] {
  const [action] = after(typed(text))
    .actions.filter(({ kind }) => kind === "complete")
    .slice(-1)
  if (action?.kind !== "complete") return typed(text)
  const items = values.map((value) => ({ value, about: "" }))
  return [...typed(text), { kind: "completions", target: action.target, items }]
}

const edited = (messages: readonly Message[]): string => after(messages).state.editor.text

test("a path after @ is completed by Tab and by Enter; a folder can be completed further; blanks are quoted", () => {
  const files = completions("see @re", "README.md", "src/re/")
  assert.deepEqual(shown(after(files).state).slice(-2), ["> README.md", "  src/re/"])
  assert.equal(edited([...files, ...typed("\t")]), "see @README.md ")
  assert.equal(edited([...files, ...typed("\r")]), "see @README.md ")
  assert.deepEqual(
    after([...files, ...typed("\r")])
      .actions.map(({ kind }) => kind)
      .includes("send"),
    false,
  )
  assert.equal(edited([...files, ...typed("\u001b[B\t")]), "see @src/re/")
  assert.equal(edited([...completions("@", "my file.md"), ...typed("\t")]), '@"my file.md" ')
  assert.equal(edited([...completions("看＠用户", "用户手册.md"), ...typed("\t")]), "看＠用户")
  assert.equal(edited([...completions("看 ＠用户", "用户手册.md"), ...typed("\t")]), "看 @用户手册.md ")
})

test("Enter sends the first command that begins as typed; Esc closes the list; late lists are dropped", () => {
  const sent = (messages: readonly Message[]): readonly string[] =>
    after(messages).actions.flatMap((action) => (action.kind === "send" ? [action.text] : []))
  const list = completions("/mo", "model", "memory")
  assert.deepEqual(sent([...list, ...typed("\r")]), ["/model"])
  assert.deepEqual(sent([...completions("/tree", "tree", "tree summary"), ...typed("\r")]), ["/tree"])
  assert.deepEqual(sent([...completions("/", "about"), ...typed("\r")]), ["/"])
  assert.deepEqual(sent([...completions("/odel", "model"), ...typed("\r")]), ["/odel"])
  assert.deepEqual(sent([...completions("/model son", "sonnet", "sonnet-old"), ...typed("\u001b[B\r")]), [
    "/model sonnet-old",
  ])
  assert.equal(after([...list, ...typed("\u001b")]).state.completion, null)
  assert.deepEqual(sent([...list, ...typed("\u001b"), ...typed("\r")]), ["/mo"])
  const [late] = list.slice(-1)
  assert.equal(late && after([...typed("/mod"), late]).state.completion, null)
})

test("sequences of two keys, the jump to a character, and Esc twice", () => {
  const actionsOf = (bytes: string): readonly Action[] =>
    after(typed(bytes)).actions.filter(({ kind }) => kind !== "complete")
  assert.deepEqual(actionsOf("\u0018s"), [{ kind: "send", text: "/resume", images: [], isLater: false }])
  assert.deepEqual(actionsOf("\u0018\u0005"), [{ kind: "edit-externally" }])
  assert.deepEqual(actionsOf("\u0018q"), [])
  assert.equal(edited(typed("\u0018qab")), "ab", "an unknown second key has no effect")
  assert.equal(edited(typed("abcabc\u0001\u001dc\u000b")), "ab")
  assert.deepEqual(actionsOf("\u001b[Z"), [{ kind: "next-permission" }])
  const escape = typed("\u001b")
  assert.deepEqual(after([...escape, ...escape]).actions, [{ kind: "send", text: "/tree", images: [], isLater: false }])
  assert.deepEqual(after([...escape, 2_000, ...escape]).actions, [])
  const { state } = after([...typed("some text"), ...escape, ...escape])
  assert.deepEqual([state.editor.text, state.history.texts], ["", ["some text"]])
})

test("the end of a long run and a question are notified while the terminal is not in front", () => {
  const run = (ms: number): readonly (Message | number)[] => [
    1_000,
    { kind: "running", isRunning: true },
    1_000 + ms,
    { kind: "running", isRunning: false },
  ]
  const notified = (messages: readonly (Message | number)[]): readonly Action[] =>
    after(messages).actions.filter(({ kind }) => kind === "notify")
  const away = typed("\u001b[O")
  assert.deepEqual(notified([...away, ...run(10_000)]), [{ kind: "notify", about: "end" }])
  assert.deepEqual(notified([...away, ...run(9_999)]), [])
  assert.deepEqual(notified([...away, ...typed("\u001b[I"), ...run(20_000)]), [])
  assert.deepEqual(notified(run(20_000)), [], "it is not known")
  assert.deepEqual(notified([...away, { kind: "ask", dialog: question(1) }]), [{ kind: "notify", about: "question" }])
})

test("a pasted image is a marker in the text, and is sent unless its marker was deleted", () => {
  const image = { mimeType: "image/png", data: "A".repeat(4_096) }
  const pasted: readonly Message[] = [...typed("see "), { kind: "image", image }]
  assert.equal(edited(pasted), "see [image 1: 3 KB] ")
  const sent = (messages: readonly Message[]): readonly Action[] =>
    after(messages).actions.filter(({ kind }) => kind === "send")
  const text = "see [image 1: 3 KB]"
  assert.deepEqual(sent([...pasted, ...typed("\r")]), [{ kind: "send", text, images: [image], isLater: false }])
  assert.deepEqual(sent([...pasted, ...typed("\u007f\u007f\r")]), [
    { kind: "send", text: text.slice(0, -1), images: [], isLater: false },
  ])
})

test("own keys replace those of an action; unknown actions and keys of two actions are reported", () => {
  assert.equal(new Set(keyTable.map(nameOf)).size, keyTable.length, "each action has its name")
  const own = ["next-permission=ctrl+y, ctrl+x p", "yank=", "flying=f1", "redraw=ctrl+a"]
  const { keymap, problems } = createKeymap(own)
  const state = initialState(size, 0, { keymap })
  const kinds = (bytes: string): readonly string[] => after(typed(bytes), state).actions.map(({ kind }) => kind)
  assert.deepEqual(kinds("\u0019"), ["next-permission"])
  assert.deepEqual(kinds("\u0018p"), ["next-permission"])
  assert.deepEqual(kinds("\u001b[Z"), [], "its earlier key has no effect")
  assert.deepEqual(problems, [
    { kind: "unknown", action: "flying" },
    { kind: "twice", key: "ctrl+a", actions: ["redraw", "line-start"] },
  ])
  assert.deepEqual(createKeymap().problems, [])
})

test("the history begins with the messages of the opened session; a prefix shows the keys of its sequences", () => {
  const { state } = after([...typed("new\r"), { kind: "history", texts: ["old", "new"] }, ...typed("\u001b[A\u001b[A")])
  assert.deepEqual([state.history.texts, state.editor.text], [["old", "new"], "old"])
  const narrow = initialState({ columns: 40, rows: 12 }, 0)
  const hints = shown(after(typed("\u0018"), narrow).state).slice(-4)
  assert.match(
    hints.join("\n"),
    /^ctrl\+x: ctrl\+e edit-externally · m model\n.* · t tree\nb background · .*\nh hotkeys$/,
  )
})

test("with the keys of vi Esc leaves insertion, then stops the run; a sent message begins insertion again", () => {
  const start = initialState({ columns: 60, rows: 12 }, 0, { hasVim: true })
  const escape = typed("\u001b")
  const normal = after([...typed("one two"), ...escape, ...typed("0dw")], start).state
  assert.deepEqual([normal.editor.text, normal.vim?.mode], ["two", "normal"])
  assert.match(shown({ ...normal, status: ["model"] }).at(-1) ?? "", /^NORMAL · model$/)
  assert.match(shown(after(typed("2d"), { ...normal, status: ["model"] }).state).at(-1) ?? "", /^NORMAL 2d · model$/)
  const running = after([{ kind: "running", isRunning: true }], after(typed("x"), start).state).state
  assert.deepEqual(after(escape, running).actions, [])
  assert.deepEqual(after([...escape, ...escape], running).actions, [{ kind: "stop" }])
  const sent = after(typed("\r"), normal)
  assert.deepEqual([sent.actions[0]?.kind, sent.state.vim?.mode], ["send", "insert"])
  assert.equal(after([...escape, ...typed("u\u0012")], after(typed("ab"), start).state).state.editor.text, "ab")
})

test("a question closes the transcript; a paste is sent as it is; a command is completed only at its end", () => {
  const reading: readonly Message[] = [{ kind: "read", id: 1, text: { title: "transcript", keys: [], opensAt: "end" } }]
  assert.equal(after(reading).state.reader?.title, "transcript")
  const asked = after([...reading, { kind: "ask", dialog: question(1) }])
  assert.deepEqual([asked.state.reader, asked.actions], [null, [{ kind: "read-end", id: 1, key: null }]])
  assert.deepEqual(after(reading, asked.state).actions, [{ kind: "read-end", id: 1, key: null }], "it is not opened")
  const late: Message = { kind: "passages", id: 0, passages: [{ blocks: [], isMessage: true }] }
  assert.deepEqual(after([...reading, late]).state.reader?.passages, [])
  const text = `$& $1 ${"x".repeat(1_000)}`
  const paste: Message = { kind: "input", input: { kind: "paste", text } }
  const sent = after([paste, ...typed("\r")]).actions.filter(({ kind }) => kind === "send")
  assert.deepEqual(sent, [{ kind: "send", text, images: [], isLater: false }])
  const left = "\u001b[D"
  const middle = after([...typed("/mdel"), ...typed(left + left + left)]).state
  assert.deepEqual(after(typed("o"), middle).actions, [])
})
