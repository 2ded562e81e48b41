import { type Lines, linesOf } from "./lines.ts"
import { anchorsOf, columnsOf, normalizeInside, normalizeText } from "./normalize.ts"

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
  const text = normalizeText(old)
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
  for (const window of windowsOf(lines, text))
    for (const place of placesIn(lines, window, pattern, found.at(-1)?.end ?? 0)) found.push(place)
  return found
}

/** Whole lines, from 0. */
interface Window {
  readonly first: number
  readonly last: number
  /** The last line in which a place of this window begins: what begins behind it is another's. */
  readonly own: number
}

/** Parts of a pattern that are looked for, until one is found in few lines. */
const ANCHORS_MAX = 6
const FEW_LINES = 20
/** Around more lines than this, normalizing all of them costs less. */
const LINES_MAX = 1000
/** Lines that are normalized at once when it is all of them: a copy of a big file would be slow to come by. */
const BLOCK_LINES = 4096

/** The lines around each place of a part of the pattern that normalizing never changes: only they need normalizing. */
function windowsOf(lines: Lines, pattern: string): readonly Window[] {
  let fewest: readonly number[] | null = null
  let above = 0
  for (const { text, index } of anchorsOf(pattern).slice(0, ANCHORS_MAX)) {
    const found = linesWith(lines, text, fewest?.length ?? LINES_MAX)
    if (found === null) continue
    fewest = found
    above = countNewlines(pattern.slice(0, index))
    if (found.length <= FEW_LINES) break
  }
  const newlines = countNewlines(pattern)
  return fewest === null ? blocksOf(lines, newlines) : merged(lines, fewest, above, newlines - above)
}

/** All lines; behind each block so many more as a place that begins in it may have. */
function blocksOf(lines: Lines, below: number): readonly Window[] {
  return Array.from({ length: Math.ceil(lines.count / BLOCK_LINES) }, (_, block) => {
    const first = block * BLOCK_LINES
    const own = Math.min(first + BLOCK_LINES, lines.count) - 1
    return { first, own, last: Math.min(own + below, lines.count - 1) }
  })
}

/** The lines that hold a part; null when they are more than `max`. */
function linesWith(lines: Lines, part: string, max: number): readonly number[] | null {
  const found: number[] = []
  for (let at = lines.text.indexOf(part); at !== -1;) {
    if (found.length === max) return null
    const line = lines.at(at)
    found.push(line)
    at = lines.text.indexOf(part, lines.end(line))
  }
  return found
}

/** Windows that touch are one, so all together are never more than the text. */
function merged(lines: Lines, found: readonly number[], above: number, below: number): readonly Window[] {
  const windows: { first: number; last: number; own: number }[] = []
  for (const line of found) {
    const first = Math.max(0, line - above)
    const last = Math.min(lines.count - 1, line + below)
    const before = windows.at(-1)
    if (before !== undefined && first <= before.last + 1) before.last = before.own = last
    else windows.push({ first, last, own: last })
  }
  return windows
}

function countNewlines(text: string): number {
  return occurrences(text, "\n").length
}

/** The places of a window that begin at `from` or behind it. */
function placesIn(lines: Lines, window: Window, pattern: Pattern, from: number): readonly Place[] {
  const text = normalizeText(lines.text.slice(lines.start(window.first), lines.end(window.last)))
  const toSource = mapper(lines, window, linesOf(text))
  const until = lines.start(window.own + 1)
  const found: Place[] = []
  for (let at = text.indexOf(pattern.text); at !== -1;) {
    const end = endOf(text, at + pattern.text.length, pattern)
    const place = end === -1 ? null : placeAt(text, at, end, pattern, toSource)
    if (place !== null && place.start >= until) break
    const fits = place !== null && place.start >= from
    if (fits) found.push(place)
    at = text.indexOf(pattern.text, fits ? end : at + 1)
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

function placeAt(text: string, at: number, end: number, pattern: Pattern, toSource: ToSource): Place | null {
  // A match that begins with a newline begins behind the blanks before it: they belong to a line that was not named.
  const from = toSource(at, !pattern.takesBlanksBefore)
  const to = toSource(end, pattern.tail !== "" && isLineEnd(text, end))
  return from === -1 || to === -1 ? null : { start: from, end: to }
}

/** From a place in the normalized window to one in the text; at the end of a line before or behind its blanks. */
type ToSource = (place: number, behindBlanks: boolean) => number

function mapper(lines: Lines, window: Window, normalized: Lines): ToSource {
  const start = lines.start(window.first)
  if (normalized.text === lines.text.slice(start, lines.end(window.last))) return (place) => start + place
  // Many places of one long line need its columns once.
  let mapped = -1
  let columns = columnsOf("")
  return (place, behindBlanks) => {
    const index = normalized.at(place)
    const line = window.first + index
    if (behindBlanks && place === normalized.end(index)) return lines.end(line)
    if (mapped !== line) columns = columnsOf(lines.line(line))
    mapped = line
    const column = columns(place - normalized.start(index))
    return column === -1 ? -1 : lines.start(line) + column
  }
}
