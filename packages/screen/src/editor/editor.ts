import { clustersOf } from "../text/cells.ts"

/** A text that is being edited. Never changed; each edit makes another one. */
export interface Editor {
  readonly text: string
  /** Offset in UTF-16 units, between two clusters. */
  readonly caret: number
  /** The column that Up and Down aim at, in clusters; null: the caret's own. */
  readonly goal: number | null
  /** Earlier states, the newest last. */
  readonly past: readonly Snapshot[]
  readonly future: readonly Snapshot[]
  /** Deleted texts, the newest last. */
  readonly kills: readonly string[]
  /** Set by the last edit; the next one may continue it. */
  readonly last: Last
}

interface Snapshot {
  readonly text: string
  readonly caret: number
}

type Last =
  | { readonly kind: "other" | "insert" | "kill" }
  /** The text that was inserted from the ring, its start, and its age. */
  | { readonly kind: "yank"; readonly start: number; readonly age: number }

export type Edit =
  | "left"
  | "right"
  | "word-left"
  | "word-right"
  | "line-start"
  | "line-end"
  | "text-start"
  | "text-end"
  | "up"
  | "down"
  | "delete-back"
  | "delete-forward"
  | "kill-word-back"
  | "kill-word-forward"
  | "kill-to-start"
  | "kill-to-end"
  | "yank"
  | "yank-older"
  | "undo"
  | "redo"

const UNDO_MAX = 200
const KILLS_MAX = 30

export const emptyEditor: Editor = {
  text: "",
  caret: 0,
  goal: null,
  past: [],
  future: [],
  kills: [],
  last: { kind: "other" },
}

/** Replaces the whole text; the caret is at its end. The edit can be undone. */
export function withText(editor: Editor, text: string): Editor {
  return changed(editor, text, text.length, { kind: "other" })
}

/** The same with another caret. */
export function withTextAt(editor: Editor, text: string, caret: number): Editor {
  return changed(editor, text, caret, { kind: "other" })
}

/** Inserts at the caret. Typing is undone word by word. */
export function insert(editor: Editor, text: string): Editor {
  const { caret } = editor
  const whole = editor.text.slice(0, caret) + text + editor.text.slice(caret)
  const continues = editor.last.kind === "insert" && !/\s/.test(text)
  return changed(editor, whole, caret + text.length, { kind: "insert" }, continues)
}

/** The same editor if the edit has no effect there. */
export function edit(editor: Editor, name: Edit): Editor {
  const { text, caret } = editor
  switch (name) {
    case "left":
      return moved(editor, before(text, caret))
    case "right":
      return moved(editor, after(text, caret))
    case "word-left":
      return moved(editor, wordStart(text, caret))
    case "word-right":
      return moved(editor, wordEnd(text, caret))
    case "line-start":
      return moved(editor, lineStart(text, caret))
    case "line-end":
      return moved(editor, lineEnd(text, caret))
    case "text-start":
      return moved(editor, 0)
    case "text-end":
      return moved(editor, text.length)
    case "up":
    case "down":
      return vertical(editor, name)
    case "delete-back":
      return removed(editor, before(text, caret), caret)
    case "delete-forward":
      return removed(editor, caret, after(text, caret))
    case "kill-word-back":
      return killed(editor, blankStart(text, caret), caret)
    case "kill-word-forward":
      return killed(editor, caret, wordEnd(text, caret))
    case "kill-to-start":
      // At the start of a line, the line break before it.
      return killed(editor, lineStart(text, caret) === caret ? before(text, caret) : lineStart(text, caret), caret)
    case "kill-to-end":
      // At the end of a line, the line break.
      return killed(editor, caret, lineEnd(text, caret) === caret ? after(text, caret) : lineEnd(text, caret))
    case "yank":
      return yanked(editor, caret, caret, 1)
    case "yank-older": {
      const { last } = editor
      return last.kind === "yank" ? yanked(editor, last.start, caret, last.age + 1) : editor
    }
    case "undo":
      return travelled(editor, "past", "future")
    case "redo":
      return travelled(editor, "future", "past")
  }
}

/** Moves to the next occurrence of a character, or leaves the caret where it is. */
export function jumpTo(editor: Editor, character: string): Editor {
  const at = editor.text.indexOf(character, editor.caret + 1)
  return at < 0 ? editor : moved(editor, at)
}

function moved(editor: Editor, caret: number): Editor {
  if (caret === editor.caret && editor.goal === null) return editor
  return { ...editor, caret, goal: null, last: { kind: "other" } }
}

function changed(editor: Editor, text: string, caret: number, last: Last, continues = false): Editor {
  if (text === editor.text && caret === editor.caret) return editor
  const past = continues ? editor.past : [...editor.past, { text: editor.text, caret: editor.caret }].slice(-UNDO_MAX)
  return { ...editor, text, caret, goal: null, past, future: [], last }
}

function removed(editor: Editor, from: number, to: number): Editor {
  if (from === to) return editor
  return changed(editor, editor.text.slice(0, from) + editor.text.slice(to), from, { kind: "other" })
}

/** Deletions in a row make one text of the ring. */
function killed(editor: Editor, from: number, to: number): Editor {
  if (from >= to) return editor
  const text = editor.text.slice(from, to)
  const before = editor.kills.at(-1) ?? ""
  const isForward = from === editor.caret
  const kills =
    editor.last.kind === "kill"
      ? [...editor.kills.slice(0, -1), isForward ? before + text : text + before]
      : [...editor.kills, text].slice(-KILLS_MAX)
  const next = changed(editor, editor.text.slice(0, from) + editor.text.slice(to), from, { kind: "kill" })
  return { ...next, kills }
}

/** `age`: 1 for the newest text of the ring; behind the oldest comes the newest again. */
function yanked(editor: Editor, from: number, to: number, age: number): Editor {
  const { kills } = editor
  const text = kills.at(-1 - ((age - 1) % kills.length))
  if (text === undefined) return editor
  const whole = editor.text.slice(0, from) + text + editor.text.slice(to)
  return changed(editor, whole, from + text.length, { kind: "yank", start: from, age })
}

function travelled(editor: Editor, from: "past" | "future", to: "past" | "future"): Editor {
  const target = editor[from].at(-1)
  if (target === undefined) return editor
  const here = { text: editor.text, caret: editor.caret }
  return {
    ...editor,
    ...target,
    goal: null,
    [from]: editor[from].slice(0, -1),
    [to]: [...editor[to], here],
    last: { kind: "other" },
  }
}

function vertical(editor: Editor, way: "up" | "down"): Editor {
  const { text, caret } = editor
  const start = lineStart(text, caret)
  const goal = editor.goal ?? [...clustersOf(text.slice(start, caret))].length
  const target = way === "up" ? start - 1 : lineEnd(text, caret) + 1
  if (target < 0 || target > text.length) return editor
  const targetStart = lineStart(text, target)
  const line = [...clustersOf(text.slice(targetStart, lineEnd(text, target)))]
  return { ...editor, caret: targetStart + line.slice(0, goal).join("").length, goal, last: { kind: "other" } }
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at)
  return end < 0 ? text.length : end
}

/** Only the line is read: a text may be long. */
function before(text: string, at: number): number {
  const start = lineStart(text, at)
  if (start === at) return Math.max(0, at - 1)
  const last = [...clustersOf(text.slice(start, at))].at(-1) ?? ""
  return at - last.length
}

function after(text: string, at: number): number {
  const end = lineEnd(text, at)
  if (end === at) return Math.min(text.length, at + 1)
  const [first = ""] = clustersOf(text.slice(at, end))
  return at + first.length
}

/** A cluster of a word; anything else separates words. */
const wordCluster = /[\p{L}\p{N}\p{M}_\p{Extended_Pictographic}]/u

function wordStart(text: string, at: number): number {
  const start = lineStart(text, at)
  if (start === at && at > 0) return wordStart(text, at - 1)
  const clusters = [...clustersOf(text.slice(start, at))]
  const word = clusters.findLastIndex((one) => wordCluster.test(one))
  const gap = clusters.findLastIndex((one, index) => index < word && !wordCluster.test(one))
  return at - clusters.slice(gap + 1).join("").length
}

function wordEnd(text: string, at: number): number {
  const end = lineEnd(text, at)
  if (end === at && at < text.length) return wordEnd(text, at + 1)
  const clusters = [...clustersOf(text.slice(at, end))]
  const word = clusters.findIndex((one) => wordCluster.test(one))
  const gap = clusters.findIndex((one, index) => index > word && !wordCluster.test(one))
  return word < 0 || gap < 0 ? end : at + clusters.slice(0, gap).join("").length
}

/** Ctrl+W of readline: up to a blank. */
function blankStart(text: string, at: number): number {
  let start = at
  while (start > 0 && /\s/.test(text.charAt(start - 1))) start--
  while (start > 0 && !/\s/.test(text.charAt(start - 1))) start--
  return start
}
