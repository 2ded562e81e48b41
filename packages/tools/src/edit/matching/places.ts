import { linesOf } from "../lines.ts"
import { columnsOf, normalizeInside, normalizeText } from "./normalize.ts"
import type { Part, View } from "../view.ts"
import { windowsOf } from "./windows.ts"

/** Byte offsets in the file. */
export interface Place {
  readonly start: number
  readonly end: number
}

export interface Places {
  readonly places: readonly Place[]
  /** Some match needed normalization of quotes, dashes, blanks or Unicode. */
  readonly fuzzy: boolean
}

/** All matches of a text. Matches are counted in normalized text, even after an exact match (contract 3). */
export function placesOf(view: View, old: string): Places {
  const pattern = patternOf(old)
  const exact: Place[] = []
  const near: Place[] = []
  for (const window of windowsOf(view, pattern.text)) {
    const part = view.part(window.from, window.to)
    for (const place of exactIn(part, window.until, old, exact.at(-1)?.end ?? 0)) exact.push(place)
    for (const place of nearIn(part, window.until, pattern, near.at(-1)?.end ?? 0)) near.push(place)
  }
  return near.length > exact.length ? { places: near, fuzzy: true } : { places: exact, fuzzy: false }
}

/** The first exact match of a text. */
export function firstPlaceOf(view: View, text: string): Place | null {
  for (const { from, to, until } of windowsOf(view, normalizeText(text))) {
    const first = exactIn(view.part(from, to), until, text, 0)[0]
    if (first !== undefined) return first
  }
  return null
}

/** Exact matches that start in the part at or after `from`, and before `until`. */
function exactIn(part: Part, until: number, old: string, from: number): readonly Place[] {
  const found: Place[] = []
  for (let at = part.text.indexOf(old); at !== -1;) {
    const start = part.byteOf(at)
    if (start >= until) break
    const end = start < from ? -1 : part.byteOf(at + old.length)
    if (end !== -1) found.push({ start, end })
    at = part.text.indexOf(old, end === -1 ? at + 1 : at + old.length)
  }
  return found
}

/** The pattern for normalized text. */
interface Pattern {
  readonly text: string
  /** Trailing blanks of the last line: they must be in the file, or at the end of a line. */
  readonly tail: string
  /** The first line is blank only, so the blanks in the file belong to the match. */
  readonly takesBlanksBefore: boolean
}

function patternOf(old: string): Pattern {
  const parts = old.split("\n")
  const last = normalizeInside(parts.at(-1) ?? "")
  const first = parts[0] ?? ""
  return {
    text: normalizeText(old),
    tail: last.slice(last.trimEnd().length),
    takesBlanksBefore: first !== "" && first.trim() === "",
  }
}

/** The same for matches in normalized text. */
function nearIn(part: Part, until: number, pattern: Pattern, from: number): readonly Place[] {
  // Blank patterns occur everywhere, so only exact matches count.
  if (pattern.text.trim() === "") return []
  const text = normalizeText(part.text)
  const found: Place[] = []
  let toPart: ToPart | undefined
  for (let at = text.indexOf(pattern.text); at !== -1;) {
    toPart ??= mapper(part.text, text)
    const end = endOf(text, at + pattern.text.length, pattern)
    const place = end === -1 ? null : placeAt(text, at, end, pattern, toPart)
    const start = place === null ? -1 : part.byteOf(place.start)
    if (start >= until) break
    const last = place === null || start < from ? -1 : part.byteOf(place.end)
    if (last !== -1) found.push({ start, end: last })
    at = text.indexOf(pattern.text, last === -1 ? at + 1 : end)
  }
  return found
}

/** End of a match; -1 if the trailing blanks of the pattern are neither in the text nor at the end of a line. */
function endOf(text: string, end: number, { tail }: Pattern): number {
  if (isLineEnd(text, end)) return end
  return text.startsWith(tail, end) ? end + tail.length : -1
}

function isLineEnd(text: string, at: number): boolean {
  return at === text.length || text[at] === "\n"
}

/** The match in the original text; null if it starts or ends inside a composed character. */
function placeAt(text: string, at: number, end: number, pattern: Pattern, toPart: ToPart): Place | null {
  // A match that starts with a newline starts after the trailing blanks before it, since they belong to the previous
  // line.
  const from = toPart(at, !pattern.takesBlanksBefore)
  const to = toPart(end, pattern.tail !== "" && isLineEnd(text, end))
  return from === -1 || to === -1 ? null : { start: from, end: to }
}

/** Maps an offset in the normalized text to the original; at the end of a line before or after its trailing blanks. */
type ToPart = (place: number, behindBlanks: boolean) => number

function mapper(text: string, normalized: string): ToPart {
  if (normalized === text) return (place) => place
  const lines = linesOf(text)
  const normal = linesOf(normalized)
  // Several matches in one long line compute its columns once.
  let mapped = -1
  let columns = columnsOf("")
  return (place, behindBlanks) => {
    const line = normal.at(place)
    if (behindBlanks && place === normal.end(line)) return lines.end(line)
    if (mapped !== line) columns = columnsOf(text.slice(lines.start(line), lines.end(line)))
    mapped = line
    const column = columns(place - normal.start(line))
    return column === -1 ? -1 : lines.start(line) + column
  }
}
