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
  /** Some place is the text only after quotes, dashes, blanks and the Unicode form were made the same. */
  readonly fuzzy: boolean
}

/** Every place of a text. How many there are is counted in normalized text, also after an exact match (contract 3). */
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

/** Where a text stands first, as it is. */
export function firstPlaceOf(view: View, text: string): Place | null {
  for (const { from, to, until } of windowsOf(view, normalizeText(text))) {
    const first = exactIn(view.part(from, to), until, text, 0)[0]
    if (first !== undefined) return first
  }
  return null
}

/** The places of a part that begin at `from` or behind it, and before `until`. */
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

/** What is searched for in normalized text. */
interface Pattern {
  readonly text: string
  /** Blanks at the end of the last line: they stand in the file as they are, or at the end of a line. */
  readonly tail: string
  /** The first line was nothing but blanks: those of the file belong to the match. */
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

/** The same for places in normalized text. */
function nearIn(part: Part, until: number, pattern: Pattern, from: number): readonly Place[] {
  // Blanks alone are everywhere; they are only found as they are.
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

/** Where a match ends; -1 when the blanks at the end of the pattern are neither there nor at the end of a line. */
function endOf(text: string, end: number, { tail }: Pattern): number {
  if (isLineEnd(text, end)) return end
  return text.startsWith(tail, end) ? end + tail.length : -1
}

function isLineEnd(text: string, at: number): boolean {
  return at === text.length || text[at] === "\n"
}

/** The match in the part's own text; null when it begins or ends inside a composed character. */
function placeAt(text: string, at: number, end: number, pattern: Pattern, toPart: ToPart): Place | null {
  // A match that begins with a newline begins behind the blanks before it: they belong to a line that was not named.
  const from = toPart(at, !pattern.takesBlanksBefore)
  const to = toPart(end, pattern.tail !== "" && isLineEnd(text, end))
  return from === -1 || to === -1 ? null : { start: from, end: to }
}

/** From a place in the normalized text to one in the text; at the end of a line before or behind its blanks. */
type ToPart = (place: number, behindBlanks: boolean) => number

function mapper(text: string, normalized: string): ToPart {
  if (normalized === text) return (place) => place
  const lines = linesOf(text)
  const normal = linesOf(normalized)
  // Many places of one long line need its columns once.
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
