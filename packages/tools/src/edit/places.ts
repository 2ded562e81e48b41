import { type Lines, linesOf } from "./lines.ts"
import { anchorOf, columnOf, normalizeInside, normalizeLine } from "./normalize.ts"

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
export function placesOf(lines: Lines, old: string): Places {
  const exact = occurrences(lines.text, old).map((start) => ({ start, end: start + old.length }))
  const near = nearPlaces(lines, old)
  return near.length > exact.length ? { places: near, fuzzy: true } : { places: exact, fuzzy: false }
}

export function occurrences(text: string, part: string): readonly number[] {
  const starts: number[] = []
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) starts.push(at)
  return starts
}

/** What is searched for in normalized text. */
interface Pattern {
  readonly text: string
  /** Blanks at the end of the last line: they stand in the file as they are, or at the end of a line. */
  readonly tail: string
  /** The first line was nothing but blanks: those of the file belong to the match. */
  readonly takesBlanksBefore: boolean
}

function nearPlaces(lines: Lines, old: string): readonly Place[] {
  const parts = old.split("\n")
  const text = parts.map(normalizeLine).join("\n")
  // Blanks alone are everywhere; they are only found as they are.
  if (text.trim() === "") return []
  const last = normalizeInside(parts.at(-1) ?? "")
  const first = parts[0] ?? ""
  const pattern = {
    text,
    tail: last.slice(last.trimEnd().length),
    takesBlanksBefore: first !== "" && first.trim() === "",
  }
  const found: Place[] = []
  for (const window of windowsOf(lines, text)) found.push(...placesIn(lines, window, pattern))
  return found
}

/** Whole lines, from 0. */
interface Window {
  readonly first: number
  readonly last: number
}

/**
 * The lines around each place of the part of the pattern that normalizing never changes: only they need normalizing.
 * Windows that touch are one, so all together are never more than the text.
 */
function windowsOf(lines: Lines, pattern: string): readonly Window[] {
  const anchor = anchorOf(pattern)
  if (anchor === "") return [{ first: 0, last: lines.count - 1 }]
  const above = countNewlines(pattern.slice(0, pattern.indexOf(anchor)))
  const below = countNewlines(pattern) - above
  const windows: { first: number; last: number }[] = []
  const { text } = lines
  for (let at = text.indexOf(anchor); at !== -1;) {
    const line = lines.at(at)
    const first = Math.max(0, line - above)
    const last = Math.min(lines.count - 1, line + below)
    const before = windows.at(-1)
    if (before !== undefined && first <= before.last) before.last = last
    else windows.push({ first, last })
    at = text.indexOf(anchor, lines.end(line))
  }
  return windows
}

function countNewlines(text: string): number {
  return occurrences(text, "\n").length
}

function placesIn(lines: Lines, window: Window, pattern: Pattern): readonly Place[] {
  const normalized: string[] = []
  for (let line = window.first; line <= window.last; line++) normalized.push(normalizeLine(lines.line(line)))
  const text = normalized.join("\n")
  const found: Place[] = []
  const toSource = mapper(lines, window, linesOf(text))
  for (let at = text.indexOf(pattern.text); at !== -1;) {
    const end = at + pattern.text.length
    const place = placeAt(text, at, end, pattern, toSource)
    if (place !== null) found.push(place)
    at = text.indexOf(pattern.text, place === null ? at + 1 : end)
  }
  return found
}

/** From a place in the normalized window to one in the text; at the end of a line before or behind its blanks. */
type ToSource = (place: number, behindBlanks: boolean) => number

function placeAt(text: string, at: number, end: number, pattern: Pattern, toSource: ToSource): Place | null {
  const atLineEnd = end === text.length || text[end] === "\n"
  if (!atLineEnd && !text.startsWith(pattern.tail, end)) return null
  // A match that begins with a newline begins behind the blanks before it: they belong to a line that was not named.
  const from = toSource(at, !pattern.takesBlanksBefore)
  const to = toSource(atLineEnd ? end : end + pattern.tail.length, atLineEnd && pattern.tail !== "")
  return from === -1 || to === -1 ? null : { start: from, end: to }
}

function mapper(lines: Lines, window: Window, normalized: Lines): ToSource {
  return (place, behindBlanks) => {
    const index = normalized.at(place)
    const line = window.first + index
    if (behindBlanks && place === normalized.end(index)) return lines.end(line)
    const column = columnOf(lines.line(line), place - normalized.start(index))
    return column === -1 ? -1 : lines.start(line) + column
  }
}
