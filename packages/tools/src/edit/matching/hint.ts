import { shown } from "../../encoding/codec.ts"
import { truncateLine } from "../../truncate.ts"
import { nearestLine } from "./nearest.ts"
import { normalizeText } from "./normalize.ts"
import { firstPlaceOf, type Place } from "./places.ts"
import type { View } from "../view.ts"

const LISTED_PLACES = 10
const SHOWN_LINES = 20
const SHOWN_LINE_CHARS = 200
const QUOTED_CHARS = 60
/** A shorter newText occurs in most files. */
const TELLING_CHARS = 8

export function severalText(view: View, places: readonly Place[], path: string): string {
  const numbers = places.slice(0, LISTED_PLACES).map(({ start }) => view.lines.at(start) + 1)
  const more = places.length > LISTED_PLACES ? `, and ${places.length - LISTED_PLACES} more` : ""
  return (
    `Found ${places.length} occurrences of the text in ${path}. The text must be unique. Please provide more context to make it unique.` +
    `\nThey begin at lines ${numbers.join(", ")}${more}. To replace all of them set replaceAll.`
  )
}

/** Quotes the most similar lines of the file, so that the model can copy them. */
export function noMatchText(view: View, old: string, now: string, path: string): string {
  const sentences = [
    `Could not find the exact text in ${path}. The old text must match exactly including all whitespace and newlines.`,
  ]
  const done = now.trim().length < TELLING_CHARS ? undefined : firstPlaceOf(view, now)
  if (done)
    sentences.push(`newText is there already, at line ${view.lines.at(done.start) + 1}: was this changed before?`)
  if (old.includes("\uFFFD"))
    sentences.push("oldText holds U+FFFD, which stands for bytes that are no character: leave them out of oldText.")
  else if (view.encoding !== "utf-8" && view.encoding !== "utf-8-bom")
    sentences.push(`The file was read as ${view.encoding}.`)
  const wanted = old.replace(/^\n+|\n+$/g, "").split("\n")
  const first = nearestLine(view, wanted)
  if (first === null) sentences.push("No place like it stands out: read the file again, it may have changed.")
  else sentences.push(...regionRows(view, first, wanted))
  return sentences.join("\n")
}

function regionRows(view: View, first: number, wanted: readonly string[]): readonly string[] {
  const start = view.lines.start(first)
  const found = view.part(start, view.cutBelow(start, wanted.length)).text.split("\n").slice(0, wanted.length)
  const same = found.map((line, index) => isSame(line, wanted[index] ?? "", index, wanted.length))
  const last = first + found.length
  const where = found.length === 1 ? `line ${last}` : `lines ${first + 1}-${last}`
  const different = same.indexOf(false)
  const count = same.filter(Boolean).length
  // Shows the difference and the lines just before it.
  const from = different < SHOWN_LINES ? 0 : different - SHOWN_LINES / 2
  const width = String(last).length
  const rows = found.slice(from, from + SHOWN_LINES).map((line, index) => {
    const row = from + index
    return `${same[row] ? " " : ">"} ${String(first + row + 1).padStart(width)} ${shorten(shown(line), SHOWN_LINE_CHARS)}`
  })
  return [
    `The nearest text is at ${where}; ${count} of ${wanted.length} ${wanted.length === 1 ? "line is" : "lines are"} the same (> marks what differs):`,
    ...(from > 0 ? ["  ..."] : []),
    ...rows,
    ...(from + rows.length < found.length ? ["  ..."] : []),
    different === -1
      ? `oldText goes on behind the end of the file.`
      : `Line ${first + different + 1} ${differenceOf(found[different] ?? "", wanted[different] ?? "", different)}`,
  ]
}

/** The first and last line of the text may match parts of lines in the file. */
function isSame(line: string, wanted: string, index: number, count: number): boolean {
  const a = normalizeText(index === 0 ? line.slice(shiftOf(line, wanted)) : line)
  const b = normalizeText(wanted)
  return index === count - 1 ? a.startsWith(b) : a === b
}

/** Offset in the file's line at which the text starts, found by its first word. */
function shiftOf(line: string, wanted: string): number {
  const word = /[\p{L}\p{N}_]+/u.exec(wanted)
  const at = word === null ? -1 : line.indexOf(word[0])
  return at === -1 || word === null ? 0 : Math.max(0, at - word.index)
}

/** Names the difference in words, because blanks are hard to compare by eye. */
function differenceOf(line: string, wanted: string, index: number): string {
  const part = index === 0 ? line.slice(shiftOf(line, wanted)) : line
  if (part.trim() === wanted.trim())
    return `differs in its indentation: ${blanksOf(line)} in the file, ${blanksOf(wanted)} in oldText.`
  if (part.replace(/\s+/g, "") === wanted.replace(/\s+/g, ""))
    return `differs in blanks: ${quoted(part)} in the file, ${quoted(wanted)} in oldText.`
  let at = 0
  while (at < part.length && part[at] === wanted[at]) at++
  const column = line.length - part.length + at + 1
  return `differs from column ${column} on: ${quoted(part.slice(at))} in the file, ${quoted(wanted.slice(at))} in oldText.`
}

function blanksOf(line: string): string {
  const blanks = line.slice(0, line.length - line.trimStart().length)
  const tabs = blanks.split("\t").length - 1
  const spaces = blanks.length - tabs
  const named = [tabs > 0 && plural(tabs, "tab"), spaces > 0 && plural(spaces, "space")].filter(Boolean)
  return named.length === 0 ? "nothing" : named.join(" and ")
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`
}

function quoted(text: string): string {
  return JSON.stringify(shorten(shown(text), QUOTED_CHARS))
}

function shorten(text: string, maxChars: number): string {
  return truncateLine(text, maxChars).content
}
