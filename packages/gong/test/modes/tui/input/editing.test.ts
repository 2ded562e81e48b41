import assert from "node:assert/strict"
import { test } from "node:test"
import { edit, emptyEditor, insert } from "@gong/screen/editor"
import {
  completed,
  type Completion,
  completionTarget,
  isMeant,
  sameTarget,
} from "../../../../src/modes/tui/input/completion.ts"
import {
  cleared,
  continued,
  inHistory,
  pasted,
  taken,
  typed,
  withImage,
} from "../../../../src/modes/tui/input/editing.ts"
import { initialState, type State } from "../../../../src/modes/tui/state.ts"

const start = initialState({ columns: 80, rows: 24 }, 0)
const textOf = ({ editor }: State): string => `${editor.text.slice(0, editor.caret)}|${editor.text.slice(editor.caret)}`
const lines = (count: number): string => Array.from({ length: count }, (_, at) => `${at}`).join("\n")
const sent = (...texts: readonly string[]): State =>
  texts.reduce((state, text) => taken(typed(state, text))?.state ?? state, start)

test("tabs are typed as four blanks", () => {
  assert.equal(textOf(typed(start, "a\tb\t")), "a    b    |")
})

test("pastes up to 10 lines and 1,000 characters are typed, longer ones are numbered markers", () => {
  for (const text of [lines(10), "x".repeat(1_000)]) assert.equal(pasted(start, text).editor.text, text)
  assert.equal(pasted(start, lines(11)).editor.text, "[paste 1: 11 lines]")
  assert.equal(pasted(start, "x".repeat(1_001)).editor.text, "[paste 1: 1 lines]")
  const twice = pasted(pasted(start, lines(11)), lines(12))
  assert.equal(twice.editor.text, "[paste 1: 11 lines][paste 2: 12 lines]")
  assert.equal(taken(twice)?.text, lines(11) + lines(12))
  const left = taken(twice)?.state
  assert.deepEqual([left?.pastes.size, left?.images.size, left?.editor.text], [0, 0, ""])
})

test("images are numbered markers with their size in KB, rounded up", () => {
  const image = (length: number) => ({ mimeType: "image/png", data: "A".repeat(length) })
  assert.equal(withImage(start, image(4)).editor.text, "[image 1: 1 KB] ")
  assert.equal(withImage(start, image(1_364)).editor.text, "[image 1: 1 KB] ")
  assert.equal(withImage(start, image(1_368)).editor.text, "[image 1: 2 KB] ")
  const twice = withImage(withImage(start, image(4)), image(8))
  assert.equal(twice.editor.text, "[image 1: 1 KB] [image 2: 1 KB] ")
  assert.deepEqual(taken(twice)?.images, [image(4), image(8)])
  assert.equal(taken(twice)?.text, "[image 1: 1 KB] [image 2: 1 KB]")
})

test("a backslash at the end becomes a new line", () => {
  assert.equal(textOf(continued(typed(start, "one\\"))), "one\n|")
})

test("nothing but blanks is no message; blanks behind a message are left out, those before it stay", () => {
  assert.equal(taken(start), null)
  assert.equal(taken(typed(start, "  \n ")), null)
  assert.equal(taken(typed(start, "  a  "))?.text, "  a")
})

test("a sent message leaves an empty input, the deleted texts and insertion", () => {
  const vim = { ...initialState({ columns: 80, rows: 24 }, 0, { hasVim: true }) }
  const killed = { ...vim, editor: insert(edit(insert(emptyEditor, "gone"), "kill-word-back"), "text") }
  const state = taken({ ...killed, vim: killed.vim && { ...killed.vim, mode: "normal", pending: "2" } })?.state
  assert.deepEqual([state?.editor.text, state?.editor.past.length], ["", 0])
  assert.equal(state && edit(state.editor, "yank").text, "gone")
  assert.deepEqual([state?.vim?.mode, state?.vim?.pending], ["insert", ""])
  assert.equal(taken(typed(start, "x"))?.state.vim, null)
})

test("a cleared text stays in the history, an empty one does not", () => {
  assert.deepEqual(cleared(typed(start, "a ")).history.texts, ["a "])
  assert.deepEqual(cleared(typed(start, "  ")).history.texts, [])
  assert.equal(cleared(typed(start, "  ")).editor.text, "")
})

test("the history has each text once, the newest last, and at most 1,000", () => {
  assert.deepEqual(sent("a", "b", "a").history.texts, ["b", "a"])
  const many = { ...start, history: { ...start.history, texts: Array.from({ length: 1_000 }, (_, at) => `${at}`) } }
  const { texts } = taken(typed(many, "new"))?.state.history ?? { texts: [] }
  assert.deepEqual([texts.length, texts[0], texts.at(-1)], [1_000, "1", "new"])
})

test("the history is walked from the newest text back and forth to the draft", () => {
  let state = typed(sent("one", "two"), "draft")
  const seen: string[] = []
  for (const way of ["back", "back", "back", "forward", "forward", "forward"] as const) {
    state = inHistory(state, `history-${way}`)
    seen.push(textOf(state))
  }
  assert.deepEqual(seen, ["two|", "one|", "one|", "two|", "draft|", "draft|"])
  assert.equal(state.history.at, null)
  assert.equal(textOf(inHistory(typed(start, "draft"), "history-back")), "draft|")
  assert.equal(textOf(inHistory(typed(start, "draft"), "history-forward")), "draft|")
  const edited = typed(inHistory(typed(sent("one", "two"), "draft"), "history-back"), "!")
  assert.equal(textOf(inHistory(inHistory(edited, "history-back"), "history-forward")), "two|")
})

test("in a text of several lines Up and Down move first", () => {
  const state = inHistory(typed(sent("old"), "a\nb"), "history-back")
  assert.equal(textOf(state), "a|\nb")
  assert.equal(textOf(inHistory(state, "history-back")), "old|")
  assert.equal(textOf(inHistory(state, "history-forward")), "a\nb|")
})

const target = (marked: string) => {
  const caret = marked.indexOf("|")
  return completionTarget({ ...emptyEditor, text: marked.replace("|", ""), caret })
}

test("a command at the end, its argument, or a path after @ can be completed", () => {
  const none = { command: "" }
  assert.deepEqual(target("/mo|"), { kind: "command", from: 1, to: 3, typed: "mo", ...none })
  assert.deepEqual(target("/|"), { kind: "command", from: 1, to: 1, typed: "", ...none })
  assert.deepEqual(target("／mo|"), { kind: "command", from: 1, to: 3, typed: "mo", ...none })
  assert.deepEqual(target("、mo|"), { kind: "command", from: 1, to: 3, typed: "mo", ...none })
  assert.deepEqual(target("/model a b|"), { kind: "argument", from: 7, to: 10, typed: "a b", command: "model" })
  assert.deepEqual(target("/model |"), { kind: "argument", from: 7, to: 7, typed: "", command: "model" })
  assert.deepEqual(target("see @src/a|, x"), { kind: "file", from: 4, to: 10, typed: "src/a", ...none })
  assert.deepEqual(target("(@a|"), { kind: "file", from: 1, to: 3, typed: "a", ...none })
  assert.deepEqual(target("@|"), { kind: "file", from: 0, to: 1, typed: "", ...none })
  assert.deepEqual(target("x\n＠a|"), { kind: "file", from: 2, to: 4, typed: "a", ...none })
  assert.deepEqual(target("/diff @a|"), { kind: "file", from: 6, to: 8, typed: "a", ...none })
  for (const text of ["|", "text|", "/m|o", "/model a|b", "a@b|", '@"a|', " /mo|", "/model a\nb|", "x /mo|"])
    assert.equal(target(text), null, text)
})

test("a completed part is followed by one blank, a folder by none, and unusual paths are quoted", () => {
  const complete = (marked: string, value: string): string => {
    const caret = marked.indexOf("|")
    const editor = { ...emptyEditor, text: marked.replace("|", ""), caret }
    const found = completionTarget(editor)
    assert.ok(found)
    const { text, caret: at } = completed(editor, found, value)
    return `${text.slice(0, at)}|${text.slice(at)}`
  }
  assert.equal(complete("see @re| and", "README.md"), "see @README.md |and")
  assert.equal(complete("see @sr| and", "src/"), "see @src/| and")
  assert.equal(complete("@a|", "a b.md"), '@"a b.md" |')
  assert.equal(complete("@a|", "a(1).md"), '@"a(1).md" |')
  assert.equal(complete("/mo|", "model"), "/model |")
  assert.equal(complete("/model a|", "a/"), "/model a/ |", "only a path can be a folder")
})

test("targets are the same by kind, place and text", () => {
  const one = target("/mo|")
  assert.equal(sameTarget(one, target("/mo|")), true)
  assert.equal(sameTarget(null, null), true)
  for (const other of [null, target("/mod|"), target("@mo|"), one && { ...one, from: 2 }])
    assert.equal(sameTarget(one, other), false)
})

test("the first command of a list is meant if the typed text begins it and names none", () => {
  const list = (text: string, ...values: readonly string[]): Completion => {
    const found = target(text)
    assert.ok(found)
    return { target: found, items: values.map((value) => ({ value, about: "" })), at: 0, isMoved: false }
  }
  assert.equal(isMeant(list("/mo|", "model", "memory")), true)
  assert.equal(isMeant(list("/|", "model")), false)
  assert.equal(isMeant(list("/tree|", "tree summary", "tree")), false)
  assert.equal(isMeant(list("/odel|", "model")), false)
  assert.equal(isMeant(list("/model mo|", "model")), false)
  assert.equal(isMeant(list("/mo|")), false)
})
