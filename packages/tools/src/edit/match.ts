import { fromView, toView, type View } from "./view.ts"

export interface Replacement {
  readonly oldText: string
  readonly newText: string
  readonly replaceAll?: boolean | undefined
}

/** A range of a view and what takes its place, in the view's form. */
export interface Range {
  readonly start: number
  readonly end: number
  readonly text: string
}

export type Matched =
  | { readonly ok: true; readonly ranges: readonly Range[]; readonly count: number }
  | { readonly ok: false; readonly message: string }

const LISTED_LINES = 10

/** Finds every replacement in the original text; all of them or none. `path` is for the messages. */
export function matchAll(view: View, edits: readonly Replacement[], path: string): Matched {
  const ranges: (Range & { readonly edit: number })[] = []
  for (const [edit, replacement] of edits.entries()) {
    const found = matchOne(view, replacement, path)
    if (!found.ok)
      return { ok: false, message: edits.length > 1 ? `${found.message}\n(edits[${edit}])` : found.message }
    for (const range of found.ranges) ranges.push({ ...range, edit })
  }
  ranges.sort((a, b) => a.start - b.start || a.end - b.end)
  for (const [at, range] of ranges.entries()) {
    const next = ranges[at + 1]
    if (next && (next.start < range.end || next.start === range.start)) return overlap(range.edit, next.edit, path)
  }
  // Bytes that stay the same are not touched, so lines inside a match keep their own endings.
  const changed = ranges.map((range) => shrink(view.text, range)).filter((range) => range !== null)
  if (changed.length > 0) return { ok: true, ranges: changed, count: ranges.length }
  return { ok: false, message: `No changes made to ${path}. The replacement produced identical content.` }
}

function matchOne(view: View, replacement: Replacement, path: string): Matched {
  const old = toView(replacement.oldText)
  const text = toView(replacement.newText)
  if (old === "") return matchEmpty(view, text, path)
  const starts = occurrences(view.text, old)
  if (starts.length === 0) return { ok: false, message: noMatchText(view.text, old, path) }
  if (starts.length > 1 && !replacement.replaceAll) return { ok: false, message: severalText(view.text, starts, path) }
  return { ok: true, ranges: starts.map((start) => ({ start, end: start + old.length, text })), count: starts.length }
}

/** Only an empty file has one place for nothing (contract C-47). */
function matchEmpty(view: View, text: string, path: string): Matched {
  if (view.text === "") return { ok: true, ranges: [{ start: 0, end: 0, text }], count: 1 }
  return {
    ok: false,
    message: `oldText is empty, but ${path} is not. Give the text to replace, or use write to replace the whole file.`,
  }
}

function occurrences(text: string, part: string): readonly number[] {
  const starts: number[] = []
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) starts.push(at)
  return starts
}

function shrink(text: string, range: Range): Range | null {
  const { start, end } = range
  const short = Math.min(end - start, range.text.length)
  let head = 0
  while (head < short && text.charCodeAt(start + head) === range.text.charCodeAt(head)) head++
  let tail = 0
  while (tail < short - head && text.charCodeAt(end - 1 - tail) === range.text.charCodeAt(range.text.length - 1 - tail))
    tail++
  if (head + tail === end - start && end - start === range.text.length) return null
  return { start: start + head, end: end - tail, text: range.text.slice(head, range.text.length - tail) }
}

function overlap(a: number, b: number, path: string): Matched {
  const which = a === b ? `edits[${a}] overlaps itself` : `edits[${a}] and edits[${b}] overlap`
  return { ok: false, message: `${which} in ${path}. Nothing was changed; join them into one replacement.` }
}

function severalText(text: string, starts: readonly number[], path: string): string {
  const lines = lineNumbers(text, starts.slice(0, LISTED_LINES))
  const more = starts.length > LISTED_LINES ? `, and ${starts.length - LISTED_LINES} more` : ""
  return (
    `Found ${starts.length} occurrences of the text in ${path}. The text must be unique. Please provide more context to make it unique.` +
    `\nThey begin at lines ${lines.join(", ")}${more}. To replace all of them set replaceAll.`
  )
}

/** Points at the lines that a longest line of the old text still has in the file. */
function noMatchText(text: string, old: string, path: string): string {
  const first = `Could not find the exact text in ${path}. The old text must match exactly including all whitespace and newlines.`
  const anchor = old
    .split("\n")
    .map((line) => line.trim())
    .reduce((a, b) => (b.length > a.length ? b : a), "")
  const starts = anchor === "" ? [] : occurrences(text, anchor).slice(0, LISTED_LINES)
  if (starts.length === 0) return `${first}\nNone of it was found: read the file again, it may have changed.`
  const lines = lineNumbers(text, starts)
  return `${first}\nIts longest line, ${JSON.stringify(fromView(anchor))}, is at line ${lines.join(", ")}: read around there and copy the text as it is.`
}

/** Line numbers, from 1, of places in order. */
function lineNumbers(text: string, starts: readonly number[]): readonly number[] {
  let line = 1
  let at = 0
  return starts.map((start) => {
    for (let newline = text.indexOf("\n", at); newline !== -1 && newline < start; newline = text.indexOf("\n", at)) {
      line++
      at = newline + 1
    }
    return line
  })
}
