import { clustersOf } from "../text/cells.ts"
import { edit, type Editor, withTextAt } from "./editor.ts"
import { motionOf, type Range, rangeOf } from "./vim-motions.ts"

/** The modes of vi over an edited text. Never changed; each key makes another one. */
export interface Vim {
  readonly mode: "insert" | "normal" | "visual-line"
  /** Keys of a command that is not complete. */
  readonly pending: string
  /** What was deleted or copied last. */
  readonly register: Register
  /** The first line of the selection. */
  readonly anchor: number
  /** The command that `.` repeats, with the text that was typed behind it. */
  readonly last: Change | null
  /** The change whose text is being typed. */
  readonly open: Change | null
}

interface Register {
  readonly text: string
  readonly isLines: boolean
}

interface Change {
  readonly keys: string
  readonly typed: string
}

export interface VimResult {
  readonly vim: Vim
  readonly editor: Editor
}

export const initialVim: Vim = {
  mode: "insert",
  pending: "",
  register: { text: "", isLines: false },
  anchor: 0,
  last: null,
  open: null,
}

/** Text that was typed in insert mode. */
export function vimTyped(vim: Vim, text: string): Vim {
  return vim.open === null ? vim : { ...vim, open: { ...vim.open, typed: vim.open.typed + text } }
}

/** Esc: ends insertion, a selection, or a command that is not complete. */
export function vimEscape(vim: Vim, editor: Editor): VimResult {
  if (vim.mode !== "insert") return { vim: { ...vim, mode: "normal", pending: "" }, editor }
  const isLineStart = editor.caret === 0 || editor.text[editor.caret - 1] === "\n"
  const normal = { ...vim, mode: "normal", pending: "", last: vim.open ?? vim.last, open: null } as const
  return { vim: normal, editor: isLineStart ? editor : edit(editor, "left") }
}

/** A character in normal or visual mode. */
export function vimKey(vim: Vim, editor: Editor, key: string): VimResult {
  const keys = vim.pending + key
  const [, digits = "", command = ""] = /^([1-9]\d*)?(.*)$/s.exec(keys) ?? []
  const count = digits === "" ? 1 : Math.min(1_000, Number(digits))
  const idle = { ...vim, pending: "" }
  if (command === "") return { vim: { ...vim, pending: keys }, editor }
  if (vim.mode === "visual-line") return visual(idle, editor, command)
  const done = commandOf(idle, editor, command, count)
  if (done === "incomplete") return { vim: { ...vim, pending: keys }, editor }
  if (done === null) return { vim: idle, editor }
  return isChange.test(command) ? recorded(done, keys) : done
}

/** Commands that `.` repeats. */
const isChange = /^[dcxXpPrsSDCiaIAoO~]/

function recorded({ vim, editor }: VimResult, keys: string): VimResult {
  const change = { keys, typed: "" }
  return { vim: vim.mode === "insert" ? { ...vim, open: change } : { ...vim, last: change }, editor }
}

/** Null: an unknown command. */
function commandOf(vim: Vim, editor: Editor, command: string, count: number): VimResult | "incomplete" | null {
  const [name = "", rest] = [command[0], command.slice(1)]
  if (name === "d" || name === "c" || name === "y") return operator(vim, editor, name, { rest, count })
  const simple = shorthands[name]
  if (simple !== undefined) return commandOf(vim, editor, simple, count)
  const inserted = insertionOf(editor, name)
  if (inserted !== null) return { vim: { ...vim, mode: "insert" }, editor: inserted }
  switch (name) {
    case "p":
    case "P":
      return { vim, editor: put(editor, vim.register, { isBehind: name === "p", count }) }
    case "u":
      return { vim, editor: edit(editor, "undo") }
    case "r":
      return rest === "" ? "incomplete" : { vim, editor: replaced(editor, () => rest) }
    case "~":
      return { vim, editor: edit(replaced(editor, swapCase), "right") }
    case "V":
    case "v":
      return { vim: { ...vim, mode: "visual-line", anchor: editor.caret }, editor }
    case ".":
      return vim.last === null ? null : repeated(vim, editor, vim.last)
  }
  const motion = motionOf(editor, command, count)
  if (motion === "incomplete" || motion === null) return motion
  return { vim, editor: { ...editor, caret: motion.caret, goal: null, last: { kind: "other" } } }
}

const shorthands: Readonly<Record<string, string>> = { x: "dl", X: "dh", D: "d$", C: "c$", s: "cl", S: "cc", Y: "yy" }

function insertionOf(editor: Editor, name: string): Editor | null {
  const end = edit(editor, "line-end")
  switch (name) {
    case "i":
      return editor
    case "a":
      return editor.text[editor.caret] === "\n" ? editor : edit(editor, "right")
    case "I":
      return edit(editor, "line-start")
    case "A":
      return end
    case "o":
      return inserted(end, "\n")
    case "O": {
      const start = edit(editor, "line-start")
      return edit(inserted(start, "\n"), "left")
    }
    default:
      return null
  }
}

function inserted(editor: Editor, text: string): Editor {
  const { caret } = editor
  return withTextAt(editor, editor.text.slice(0, caret) + text + editor.text.slice(caret), caret + text.length)
}

interface Operation {
  readonly rest: string
  readonly count: number
}

function operator(
  vim: Vim,
  editor: Editor,
  name: "d" | "c" | "y",
  { rest, count }: Operation,
): VimResult | "incomplete" | null {
  const range = rangeOf(editor, rest, { name, count })
  if (range === "incomplete" || range === null) return range
  const { text, isLines } = registerOf(editor, range)
  const copied = { ...vim, register: { text, isLines } }
  if (name === "y") return { vim: copied, editor: { ...editor, caret: range.from } }
  if (name === "d") return { vim: copied, editor: removed(editor, range) }
  // A line that is changed stays as an empty one.
  const { from, to } = range
  const left = editor.text.slice(0, from) + editor.text.slice(to)
  return { vim: { ...copied, mode: "insert" }, editor: withTextAt(editor, left, from) }
}

function registerOf({ text }: Editor, { from, to, isLines }: Range): Register {
  return { text: text.slice(from, to), isLines }
}

/** Lines are removed with one of their line breaks. */
function removed(editor: Editor, { from, to, isLines }: Range): Editor {
  const { text } = editor
  const isLast = isLines && to >= text.length && from > 0
  const end = isLines && !isLast ? Math.min(text.length, to + 1) : to
  const start = isLast ? from - 1 : from
  const left = text.slice(0, start) + text.slice(end)
  const caret = isLast ? left.lastIndexOf("\n") + 1 : start
  return withTextAt(editor, left, Math.min(caret, left.length))
}

function put(
  editor: Editor,
  { text, isLines }: Register,
  { isBehind, count }: { isBehind: boolean; count: number },
): Editor {
  const whole = isLines ? `${text}\n`.repeat(count) : text.repeat(count)
  if (!isLines) return edit(inserted(isBehind && editor.text !== "" ? edit(editor, "right") : editor, whole), "left")
  const start = edit(editor, isBehind ? "line-end" : "line-start")
  if (!isBehind) return { ...inserted(start, whole), caret: start.caret }
  return { ...inserted(start, `\n${whole.slice(0, -1)}`), caret: start.caret + 1 }
}

function replaced(editor: Editor, by: (cluster: string) => string): Editor {
  const [cluster = ""] = clustersOf(editor.text.slice(editor.caret))
  if (cluster === "" || cluster === "\n") return editor
  const { text, caret } = editor
  return withTextAt(editor, text.slice(0, caret) + by(cluster) + text.slice(caret + cluster.length), caret)
}

function swapCase(cluster: string): string {
  return cluster === cluster.toUpperCase() ? cluster.toLowerCase() : cluster.toUpperCase()
}

function repeated(vim: Vim, editor: Editor, change: Change): VimResult {
  let result: VimResult = { vim: { ...vim, pending: "" }, editor }
  for (const key of change.keys) result = vimKey(result.vim, result.editor, key)
  if (result.vim.mode !== "insert") return { ...result, vim: { ...result.vim, last: change } }
  const text = inserted(result.editor, change.typed)
  return { ...vimEscape({ ...result.vim, open: change }, text) }
}

/** `j`, `k`, `gg` and `G` select lines; `d`, `c` and `y` take them. */
function visual(vim: Vim, editor: Editor, command: string): VimResult {
  const range = linesBetween(editor, vim.anchor, editor.caret)
  const normal = { ...vim, mode: "normal", register: registerOf(editor, range) } as const
  if (command === "d" || command === "x") return { vim: normal, editor: removed(editor, range) }
  if (command === "y") return { vim: normal, editor: { ...editor, caret: range.from } }
  if (command === "c") {
    const left = editor.text.slice(0, range.from) + editor.text.slice(range.to)
    return { vim: { ...normal, mode: "insert" }, editor: withTextAt(editor, left, range.from) }
  }
  const motion = motionOf(editor, command, 1)
  if (motion === "incomplete") return { vim: { ...vim, pending: command }, editor }
  return { vim, editor: motion === null ? editor : { ...editor, caret: motion.caret, goal: null } }
}

function linesBetween({ text }: Editor, one: number, other: number): Range {
  const [first, last] = [Math.min(one, other), Math.max(one, other)]
  const end = text.indexOf("\n", last)
  const from = first === 0 ? 0 : text.lastIndexOf("\n", first - 1) + 1
  return { from, to: end < 0 ? text.length : end, isLines: true }
}
