import { clustersOf, widthOf, widthOfCluster } from "./cells.ts"
import type { Line, Row, Span } from "./row.ts"

/** Chinese and Japanese have no spaces: a line can be broken before any such character. */
const wide = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}（「『【《]/u
/** Punctuation that must not begin a row. */
const ELLIPSIS = "…"
const closing = /^[，。、；：！？）」』】》”’…]/u

/** A row can end after it. */
const breaksAfter = /^[，。、；：！？）」』】》]/u

export interface WrapOptions {
  /** Columns of the screen, at least 1. */
  readonly columns: number
  /** Before the first row. Left out where it leaves no room. */
  readonly indent?: Line
  /** Before further rows, of the same width; absent: blanks. */
  readonly hanging?: Line
}

/** Breaks a line at words. A word that is longer than a row is broken anywhere. An empty line is one empty row. */
export function wrapWords(line: Line, { columns, indent = [], hanging }: WrapOptions): readonly Row[] {
  const margin = lineWidth(indent) < columns ? lineWidth(indent) : 0
  const further = hanging ?? [{ text: " ".repeat(margin) }]
  const room = Math.max(1, columns - margin)
  const rows: Span[][] = [margin > 0 ? [...indent] : []]
  let column = 0
  const push = (span: Span): void => void rows.at(-1)?.push(span)
  const breakRow = (): void => {
    rows.push(margin > 0 ? [...further] : [])
    column = 0
  }
  for (const word of wordsOf(line)) {
    const width = lineWidth(word.spans)
    // The blanks before a word that does not fit are left out.
    const fits = column + word.blanks.length + width <= room
    if (!fits && column > 0) breakRow()
    else if (word.blanks.length > 0) {
      const blanks = word.blanks.slice(0, Math.max(0, room - column))
      push({ ...word.blankStyle, text: blanks })
      column += blanks.length
      if (column + width > room && column > 0 && width <= room) breakRow()
    }
    for (const span of word.spans)
      for (const part of partsOf(span, room, () => room - column, breakRow)) {
        push(part)
        column += widthOf(part.text)
      }
  }
  return rows.map((spans) => ({ spans: joined(spans) }))
}

/**
 * The rows of a line that the terminal breaks itself when it is written: full rows, of which all but the first continue. A wide
 * character that does not fit begins the next row.
 */
export function wrapCells(line: Line, columns: number): readonly Row[] {
  const rows: Span[][] = [[]]
  let column = 0
  const breakRow = (): void => {
    rows.push([])
    column = 0
  }
  for (const span of line)
    for (const part of partsOf(span, columns, () => columns - column, breakRow)) {
      rows.at(-1)?.push(part)
      column += widthOf(part.text)
    }
  return rows.map((spans, at) => ({ spans: joined(spans), ...(at > 0 && { continues: true as const }) }))
}

/**
 * Edited text in rows: broken behind blanks, or anywhere in a word that is longer than a row. Nothing is left out; a blank at the
 * end of a row may be one column beyond `columns`.
 */
export function wrapEdited(text: string, columns: number): readonly string[] {
  const rows: string[] = []
  let row = ""
  let width = 0
  /** The part of the row up to its last blank, and its columns. */
  let kept = { text: "", width: 0 }
  for (const cluster of clustersOf(text)) {
    const more = widthOfCluster(cluster)
    const isBlank = cluster === " "
    while (row !== "" && width + more > columns + (isBlank ? 1 : 0)) {
      const broken = kept.text === "" ? { text: row, width } : kept
      rows.push(broken.text)
      row = row.slice(broken.text.length)
      width -= broken.width
      kept = { text: "", width: 0 }
    }
    row += cluster
    width += more
    if (isBlank) kept = { text: row, width }
  }
  return [...rows, row]
}

/** The first columns of a line; the last one is an ellipsis if something is cut. */
export function truncated(line: Line, columns: number): Line {
  if (lineWidth(line) <= columns) return line
  const spans: Span[] = []
  let left = Math.max(0, columns - widthOf(ELLIPSIS))
  for (const span of line) {
    let text = ""
    for (const cluster of clustersOf(span.text)) {
      const width = widthOfCluster(cluster)
      if (width > left) return columns < 1 ? spans : [...spans, { ...span, text: `${text}${ELLIPSIS}` }]
      text += cluster
      left -= width
    }
    spans.push(span)
  }
  return spans
}

export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + widthOf(text), 0)
}

/** A span in parts that fit; `breakRow` is called between parts that do not share a row. */
function* partsOf(span: Span, columns: number, left: () => number, breakRow: () => void): Generator<Span> {
  if (widthOf(span.text) <= left()) {
    if (span.text !== "") yield span
    return
  }
  let text = ""
  let width = 0
  for (const cluster of clustersOf(span.text)) {
    const more = widthOfCluster(cluster)
    if (width + more > left()) {
      if (text !== "") yield { ...span, text }
      text = ""
      width = 0
      if (left() < columns) breakRow()
    }
    text += cluster
    width += more
  }
  if (text !== "") yield { ...span, text }
}

interface Word {
  /** The blanks before it. */
  readonly blanks: string
  readonly blankStyle: Omit<Span, "text">
  readonly spans: readonly Span[]
}

/** Words may change their style inside. */
function wordsOf(line: Line): readonly Word[] {
  const words: Word[] = []
  let blanks = ""
  let blankStyle: Word["blankStyle"] = {}
  let spans: Span[] = []
  const end = (): void => {
    if (spans.length > 0 || blanks !== "") words.push({ blanks, blankStyle, spans })
    blanks = ""
    spans = []
  }
  for (const span of line) {
    let text = ""
    const { text: _, ...style } = span
    const flush = (): void => {
      if (text !== "") spans.push({ ...style, text })
      text = ""
    }
    let last = ""
    for (const cluster of clustersOf(span.text)) {
      const isBlank = cluster === " "
      const breaksHere =
        isBlank ||
        (last !== "" && !closing.test(cluster) && (wide.test(cluster) || wide.test(last) || breaksAfter.test(last)))
      if (breaksHere && (text !== "" || spans.length > 0)) {
        flush()
        end()
      }
      if (isBlank) {
        blanks += cluster
        blankStyle = style
        last = ""
      } else {
        text += cluster
        last = cluster
      }
    }
    flush()
  }
  end()
  return words
}

/** Neighbours with one style become one span. */
function joined(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = []
  for (const span of spans) {
    const last = result.at(-1)
    if (last !== undefined && last.role === span.role && last.link === span.link)
      result[result.length - 1] = { ...last, text: last.text + span.text }
    else if (span.text !== "") result.push(span)
  }
  return result
}
