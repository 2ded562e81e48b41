import assert from "node:assert/strict"
import { test } from "node:test"
import type { Key } from "@gong/screen/keys"
import { emptyEditor, insert } from "@gong/screen/editor"
import { earlierMessages } from "../../../../src/modes/tui/input/earlier-messages.ts"
import { createKeymap, defaultKeymap, keyName, nameOf, typedText } from "../../../../src/modes/tui/input/keymap.ts"
import { keyInVim, typedInVim } from "../../../../src/modes/tui/input/vim-input.ts"
import { watchActions } from "../../../../src/modes/tui/input/watch-input.ts"
import { initialState, type State } from "../../../../src/modes/tui/state.ts"

const key = (name: string, modifiers: Partial<Key> = {}): Key => ({
  name,
  ctrl: false,
  alt: false,
  shift: false,
  ...modifiers,
})

test("keys are named with their modifiers in one order, and plain characters type themselves", () => {
  assert.equal(keyName(key("x", { ctrl: true, alt: true, shift: true })), "ctrl+alt+shift+x")
  assert.equal(keyName(key("x")), "x")
  assert.deepEqual(
    [key("a"), key("中"), key("👍"), key("space"), key("tab"), key("a", { ctrl: true }), key("a", { alt: true })].map(
      typedText,
    ),
    ["a", "中", "👍", " ", null, null, null],
  )
  assert.equal(typedText(key("A", { shift: true })), "A")
})

test("keys have their actions, alone and behind the first key of a sequence", () => {
  const action = (name: string, modifiers: Partial<Key> = {}, prefix = "") =>
    defaultKeymap.actionOf(key(name, modifiers), prefix)
  assert.deepEqual(action("c", { ctrl: true }), { do: "interrupt" })
  assert.deepEqual(action("m", {}, "ctrl+x"), { do: "command", name: "model" })
  assert.equal(action("m"), null)
  assert.equal(action("c", { ctrl: true }, "ctrl+x"), null)
  assert.deepEqual(action("_", { ctrl: true }), { edit: "undo" })
  assert.equal(defaultKeymap.isPrefix(key("x", { ctrl: true })), true)
  assert.equal(defaultKeymap.isPrefix(key("c", { ctrl: true })), false)
})

test("own keys are trimmed and in lower case, empty ones are left out, and the first of two actions has a key", () => {
  const { keymap, problems } = createKeymap([" send = Ctrl+S , ,F5", "yank", "redo=a=b", "stop=ctrl+s"])
  const keysOf = (name: string) => keymap.rows.find((row) => nameOf(row) === name)?.keys
  assert.deepEqual([keysOf("send"), keysOf("yank"), keysOf("redo")], [["ctrl+s", "f5"], [], ["a=b"]])
  assert.deepEqual(problems, [{ kind: "twice", key: "ctrl+s", actions: ["send", "stop"] }])
  assert.deepEqual(keymap.actionOf(key("s", { ctrl: true })), { do: "send" })
})

test("without input keys leave, redraw or suspend", () => {
  const actions = (one: Key) => watchActions(defaultKeymap, { kind: "key", key: one })
  const left = (isInterrupted: boolean) => [{ kind: "leave", isInterrupted }]
  assert.deepEqual(actions(key("escape")), left(false))
  assert.deepEqual(actions(key("q")), left(false))
  assert.deepEqual(actions(key("d", { ctrl: true })), left(false))
  assert.deepEqual(actions(key("c", { ctrl: true })), left(true))
  assert.deepEqual(actions(key("l", { ctrl: true })), [{ kind: "redraw" }])
  assert.deepEqual(actions(key("z", { ctrl: true })), [{ kind: "suspend" }])
  for (const one of [key("x"), key("left"), key("enter"), key("q", { alt: true })]) assert.deepEqual(actions(one), [])
  assert.deepEqual(watchActions(defaultKeymap, { kind: "text", text: "qq" }), [])
})

const vimState = (text: string): State => {
  const state = initialState({ columns: 80, rows: 24 }, 0, { hasVim: true })
  return {
    ...state,
    editor: { ...insert(emptyEditor, text), caret: 0 },
    vim: state.vim && { ...state.vim, mode: "normal" },
  }
}

test("in the modes of vi keys that type are commands, and others have their usual effect", () => {
  const state = vimState("one two")
  const { vim } = state
  assert.ok(vim)
  const press = (one: Key, of = vim) => keyInVim(state, of, one, defaultKeymap.actionOf(one))
  assert.equal(press(key("w"))?.editor.caret, 4)
  assert.equal(press(key("enter")), null)
  assert.equal(press(key("escape")), null, "it stops the run")
  assert.deepEqual(press(key("escape"), { ...vim, pending: "2" })?.vim?.pending, "")
  assert.equal(press(key("escape"), { ...vim, mode: "visual-line" })?.vim?.mode, "normal")
  assert.equal(press(key("escape"), { ...vim, mode: "insert" })?.vim?.mode, "normal")
  assert.equal(press(key("w"), { ...vim, mode: "insert" }), null)
  assert.notEqual(press(key("r", { ctrl: true })), null)
})

test("text that arrives at once is commands until insertion begins, then text, which `.` repeats", () => {
  const state = typedInVim(vimState("one"), "ix y")
  assert.deepEqual([state.editor.text, state.vim?.mode, state.vim?.open?.typed], ["x yone", "insert", "x y"])
  assert.equal(typedInVim(initialState({ columns: 80, rows: 24 }, 0), "dd").editor.text, "dd")
})

function branchOf(roles: readonly string[]) {
  const reads: number[] = []
  const branch = {
    length: roles.length,
    kind: (at: number) => ({ role: roles[at] }),
    entry: (at: number) => {
      reads.push(at)
      return { type: "message", message: { role: roles[at], content: [{ type: "text", text: `text ${at}` }] } }
    },
  }
  return { reads, texts: earlierMessages({ history: { branch } } as unknown as Parameters<typeof earlierMessages>[0]) }
}

test("the newest 100 messages of the user among the last 1,000 steps are remembered", () => {
  assert.deepEqual(branchOf(["user", "assistant", "user"]).texts, ["text 0", "text 2"])
  assert.deepEqual(branchOf([]).texts, [])
  const many = branchOf(Array.from({ length: 150 }, () => "user")).texts
  assert.deepEqual([many.length, many[0], many.at(-1)], [100, "text 50", "text 149"])
  const far = ["user", "user", ...Array.from({ length: 999 }, () => "assistant")]
  assert.deepEqual(branchOf(far).texts, ["text 1"])
})
