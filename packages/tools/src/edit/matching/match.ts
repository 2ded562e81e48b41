import { noMatchText, severalText } from "./hint.ts"
import { placesOf } from "./places.ts"
import { toView, type View } from "../view.ts"

export interface Replacement {
  readonly oldText: string
  readonly newText: string
  readonly replaceAll?: boolean | undefined
}

/** A byte range of a file and its replacement, with `\n` line ends. */
export interface Range {
  readonly start: number
  readonly end: number
  readonly text: string
}

export type Matched =
  | { readonly ok: true; readonly ranges: readonly Range[]; readonly count: number; readonly fuzzy: boolean }
  | { readonly ok: false; readonly message: string }

/** Finds every replacement in the original text; all or none. `path` is for messages. */
export function matchAll(view: View, edits: readonly Replacement[], path: string): Matched {
  const ranges: (Range & { readonly edit: number })[] = []
  let fuzzy = false
  for (const [edit, replacement] of edits.entries()) {
    const found = matchOne(view, replacement, path)
    if (!found.ok)
      return { ok: false, message: edits.length > 1 ? `${found.message}\n(edits[${edit}])` : found.message }
    fuzzy ||= found.fuzzy
    for (const range of found.ranges) ranges.push({ ...range, edit })
  }
  ranges.sort((a, b) => a.start - b.start || a.end - b.end)
  for (const [at, range] of ranges.entries()) {
    const next = ranges[at + 1]
    if (next && (next.start < range.end || next.start === range.start)) return overlap(range.edit, next.edit, path)
  }
  // Equal bytes are not touched, so lines inside a match keep their line endings.
  const changed = ranges.flatMap((range) => lineByLine(view, range)).flatMap((range) => shrink(view, range) ?? [])
  if (changed.length > 0) return { ok: true, ranges: changed, count: ranges.length, fuzzy }
  return { ok: false, message: `No changes made to ${path}. The replacement produced identical content.` }
}

function matchOne(view: View, replacement: Replacement, path: string): Matched {
  const old = toView(replacement.oldText)
  const text = toView(replacement.newText)
  if (old === "") return matchEmpty(view, text, path)
  const { places, fuzzy } = placesOf(view, old)
  if (places.length === 0) return { ok: false, message: noMatchText(view, old, text, path) }
  if (places.length > 1 && !replacement.replaceAll) return { ok: false, message: severalText(view, places, path) }
  return { ok: true, ranges: places.map((place) => ({ ...place, text })), count: places.length, fuzzy }
}

/** Only an empty file matches an empty text (contract C-47). */
function matchEmpty(view: View, text: string, path: string): Matched {
  if (view.start === view.end)
    return { ok: true, ranges: [{ start: view.start, end: view.end, text }], count: 1, fuzzy: false }
  return {
    ok: false,
    message: `oldText is empty, but ${path} is not. Give the text to replace, or use write to replace the whole file.`,
  }
}

/**
 * If the file has mixed line endings and the number of lines is unchanged, lines are replaced one by one and keep their
 * endings.
 */
function lineByLine(view: View, range: Range): readonly Range[] {
  if (!range.text.includes("\n")) return [range]
  const part = view.part(range.start, range.end)
  const written = view.encode(part.text)
  if (written.ok && Buffer.compare(written.bytes, view.bytes.subarray(range.start, range.end)) === 0) return [range]
  const before = part.text.split("\n")
  const after = range.text.split("\n")
  if (before.length !== after.length) return [range]
  let at = 0
  return before.map((line, number) => {
    const start = part.byteOf(at)
    const end = part.byteOf(at + line.length)
    at += line.length + 1
    return { start, end, text: after[number] ?? "" }
  })
}

function shrink(view: View, { start, end, text }: Range): Range | null {
  const part = view.part(start, end)
  const old = part.text
  const short = Math.min(old.length, text.length)
  let head = 0
  while (head < short && old.charCodeAt(head) === text.charCodeAt(head)) head++
  if (head === old.length && head === text.length) return null
  // Does not split surrogate pairs, or a letter and its mark in some encodings.
  while (head > 0 && (isHigh(old.charCodeAt(head - 1)) || part.byteOf(head) === -1)) head--
  let tail = 0
  while (tail < short - head && old.charCodeAt(old.length - 1 - tail) === text.charCodeAt(text.length - 1 - tail))
    tail++
  while (tail > 0 && (isLow(old.charCodeAt(old.length - tail)) || part.byteOf(old.length - tail) === -1)) tail--
  return {
    start: part.byteOf(head),
    end: part.byteOf(old.length - tail),
    text: text.slice(head, text.length - tail),
  }
}

function isHigh(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800
}

function isLow(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00
}

function overlap(a: number, b: number, path: string): Matched {
  const which = a === b ? `edits[${a}] overlaps itself` : `edits[${a}] and edits[${b}] overlap`
  return { ok: false, message: `${which} in ${path}. Nothing was changed; join them into one replacement.` }
}
