import { clustersOf } from "../text/cells.ts"
import { edit, type Editor } from "./editor.ts"

export interface Motion {
  readonly caret: number
  /** An operator takes the character there, too. */
  readonly isInclusive: boolean
  /** An operator takes whole lines. */
  readonly isLines: boolean
}

/** A part of the text that an operator takes. */
export interface Range {
  readonly from: number
  readonly to: number
  readonly isLines: boolean
}

/** Where a motion leads. Null: it is no motion, or leads nowhere. */
export function motionOf(editor: Editor, keys: string, count: number): Motion | "incomplete" | null {
  const [name = "", target] = [keys[0], keys.slice(1)]
  if ("fFtT".includes(name)) return target === "" ? "incomplete" : found(editor, name, { target, count })
  if (name === "g") return target === "" ? "incomplete" : target === "g" ? lines(0) : null
  if (name === "G") return lines(editor.text.lastIndexOf("\n") + 1)
  if (name === "$") return { caret: lastOfLine(editor), isInclusive: true, isLines: false }
  if (name === "0") return to(edit(editor, "line-start").caret)
  if (name === "^") return to(firstOfLine(editor))
  const step = steps[name]
  if (step === undefined) return null
  let moved = editor
  for (let left = count; left > 0; left--) moved = { ...moved, caret: step(moved) }
  return { caret: moved.caret, isInclusive: name === "e", isLines: name === "j" || name === "k" }
}

/** What an operator takes: a motion from the caret, whole lines if its key is doubled, or a word (`iw`, `aw`). */
export function rangeOf(
  editor: Editor,
  keys: string,
  { name, count }: { readonly name: string; readonly count: number },
): Range | "incomplete" | null {
  const [, digits = "", rest = ""] = /^([1-9]\d*)?(.*)$/s.exec(keys) ?? []
  const times = count * (digits === "" ? 1 : Number(digits))
  if (rest === "" || rest === "i" || rest === "a") return "incomplete"
  if (rest === name) return linesFrom(editor, editor.caret, times - 1)
  if (rest === "iw" || rest === "aw") return wordAt(editor, rest === "aw")
  const motion = motionOf(editor, rest, times)
  if (motion === "incomplete" || motion === null) return motion
  const [from, last] = [Math.min(editor.caret, motion.caret), Math.max(editor.caret, motion.caret)]
  if (motion.isLines) {
    const first = linesFrom(editor, from, 0)
    return { ...first, to: linesFrom(editor, last, 0).to }
  }
  const end = motion.isInclusive ? next(editor.text, last) : last
  // `dw` on the last word of a line keeps the line break.
  const lineEnd = editor.text.indexOf("\n", from)
  const to = rest === "w" && lineEnd >= 0 ? Math.min(end, lineEnd) : end
  // A changed word keeps the blank behind it.
  const word = name === "c" && rest === "w" ? editor.text.slice(from, to).trimEnd() : ""
  return { from, to: word === "" ? to : from + word.length, isLines: false }
}

const steps: Readonly<Record<string, (editor: Editor) => number>> = {
  h: ({ text, caret }) => (text[caret - 1] === "\n" ? caret : previous(text, caret)),
  l: ({ text, caret }) => (text[caret] === "\n" ? caret : next(text, caret)),
  j: (editor) => edit(editor, "down").caret,
  k: (editor) => edit(editor, "up").caret,
  w: ({ text, caret }) => {
    let at = caret
    const kind = kindAt(text, at)
    while (at < text.length && kind !== "blank" && kindAt(text, at) === kind) at = next(text, at)
    while (at < text.length && kindAt(text, at) === "blank") at = next(text, at)
    return at
  },
  b: ({ text, caret }) => {
    let at = caret
    while (at > 0 && kindAt(text, previous(text, at)) === "blank") at = previous(text, at)
    const kind = kindAt(text, previous(text, at))
    while (at > 0 && kindAt(text, previous(text, at)) === kind) at = previous(text, at)
    return at
  },
  e: ({ text, caret }) => {
    let at = next(text, caret)
    while (at < text.length && kindAt(text, at) === "blank") at = next(text, at)
    while (next(text, at) < text.length && kindAt(text, next(text, at)) === kindAt(text, at)) at = next(text, at)
    return Math.min(at, previous(text, text.length))
  },
}

function to(caret: number): Motion {
  return { caret, isInclusive: false, isLines: false }
}

function lines(caret: number): Motion {
  return { caret, isInclusive: false, isLines: true }
}

function found(
  { text, caret }: Editor,
  name: string,
  { target, count }: { readonly target: string; readonly count: number },
): Motion | null {
  const isForward = name === "f" || name === "t"
  let at = caret
  for (let left = count; left > 0; left--) {
    at = isForward ? text.indexOf(target, at + 1) : at === 0 ? -1 : text.lastIndexOf(target, at - 1)
    if (at < 0) return null
  }
  // Only within the line.
  if (text.slice(Math.min(at, caret), Math.max(at, caret)).includes("\n")) return null
  if (name === "t") at = previous(text, at)
  if (name === "T") at = next(text, at)
  return { caret: at, isInclusive: isForward, isLines: false }
}

function linesFrom({ text }: Editor, caret: number, more: number): Range {
  const from = caret === 0 ? 0 : text.lastIndexOf("\n", caret - 1) + 1
  let end = text.indexOf("\n", caret)
  for (let left = more; left > 0 && end >= 0; left--) end = text.indexOf("\n", end + 1)
  return { from, to: end < 0 ? text.length : end, isLines: true }
}

function wordAt({ text, caret }: Editor, isOuter: boolean): Range {
  const kind = kindAt(text, caret)
  // A line break is never part of a word, also at the caret.
  let [from, end] = [caret, caret]
  while (from > 0 && kindAt(text, previous(text, from)) === kind && text[from - 1] !== "\n") from = previous(text, from)
  while (end < text.length && kindAt(text, end) === kind && text[end] !== "\n") end = next(text, end)
  while (isOuter && text[end] === " ") end++
  return { from, to: end, isLines: false }
}

function firstOfLine(editor: Editor): number {
  const { text } = editor
  const start = edit(editor, "line-start").caret
  return start + (/^[^\S\n]*/.exec(text.slice(start))?.[0].length ?? 0)
}

function lastOfLine(editor: Editor): number {
  const end = edit(editor, "line-end").caret
  const start = edit(editor, "line-start").caret
  return end === start ? end : previous(editor.text, end)
}

function kindAt(text: string, at: number): "word" | "blank" | "other" {
  const [cluster = " "] = clustersOf(text.slice(at, at + 20))
  if (/^\s/.test(cluster)) return "blank"
  return /^[\p{L}\p{N}_]/u.test(cluster) ? "word" : "other"
}

function next(text: string, at: number): number {
  const [cluster = ""] = clustersOf(text.slice(at, at + 40))
  return Math.min(text.length, at + cluster.length)
}

function previous(text: string, at: number): number {
  const last = [...clustersOf(text.slice(Math.max(0, at - 40), at))].at(-1) ?? ""
  return at - last.length
}
