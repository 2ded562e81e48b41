import { clustersOf, isUncertain, widthOf, widthOfCluster } from "../text/cells.ts"
import { imageBytes } from "../image/image.ts"
import type { Row, Span } from "../text/row.ts"

export interface Size {
  readonly columns: number
  readonly rows: number
}

/** A cell: a row below the first one of the live region, and a column, both from 0. */
export interface Caret {
  readonly row: number
  readonly column: number
}

/** Styles a text; the only source of escape sequences inside a row. */
export type Paint = (span: Span) => string

/** A row with what comparisons need. */
export interface Drawn {
  readonly row: Row
  readonly key: string
  /** Columns. */
  readonly width: number
}

/** Collects the bytes of one frame, and knows where the cursor is. */
export interface Pen {
  readonly bytes: string
  /** A column equal to the width of the screen: the next character begins a new row. */
  readonly at: Caret
  /** Rows that do not exist yet are made by line feeds. */
  moveTo(row: number, column: number): void
  /** Bytes that do not move the cursor. */
  write(text: string): void
  /** Writes what differs. `shown`: the rows that stand there now; absent ones are blank. `above`: the row before the first. */
  writeRows(rows: readonly Drawn[], shown: readonly Drawn[], from: number, above?: Drawn): void
  insertRows(at: number, count: number): void
  deleteRows(at: number, count: number): void
  /** Erases this row and all below. */
  eraseFrom(row: number): void
}

export interface PenOptions {
  readonly cursor: Caret
  /** Rows of the live region that exist; the row of the cursor always does. */
  readonly rows: number
  readonly columns: number
  readonly paint: Paint
}

export const CSI = "\u001b["

export function drawn(row: Row): Drawn {
  const spans = row.spans.map(({ text, role = "", link = "" }) => `${role}\0${link}\0${text}`).join("\u0001")
  const width = row.spans.reduce((sum, { text }) => sum + widthOf(text), 0)
  const key = row.image === undefined ? spans : `${spans}\0${row.image.data}`
  return { row, key: row.continues === true ? `>${key}` : key, width }
}

export function createPen({ cursor, rows, columns, paint }: PenOptions): Pen {
  let bytes = ""
  let at = cursor
  let exist = Math.max(rows, cursor.row + 1)

  function moveTo(row: number, column: number): void {
    const last = Math.min(row, exist - 1)
    if (last !== at.row) bytes += `${CSI}${Math.abs(last - at.row)}${last < at.row ? "A" : "B"}`
    if (row > last) {
      bytes += `\r${"\n".repeat(row - last)}`
      exist = row + 1
      at = { row, column: 0 }
    } else at = { row, column: at.column }
    if (column !== at.column) bytes += column === 0 ? "\r" : `${CSI}${column + 1}G`
    at = { row, column }
  }

  function put(spans: readonly Span[]): void {
    const written = painted(spans, at.column, { columns, paint })
    bytes += written.bytes
    at = { ...at, column: written.column }
  }

  /** Moves behind the last character of the full row above, so that the next character begins the row that continues it. */
  function beginContinued(row: number, { row: { spans }, width }: Drawn): void {
    if (at.row !== row - 1 || at.column !== width) {
      const last = lastCluster(spans)
      moveTo(row - 1, width - widthOfCluster(last.text))
      put([last])
    }
    at = { row, column: 0 }
    exist = Math.max(exist, row + 1)
  }

  function writeRow(to: number, next: Drawn, shown: Drawn | undefined, above: Drawn | undefined): void {
    if (shown?.key === next.key) return
    const { row } = next
    const isLineStart = row.continues !== true
    const keeps = shown !== undefined && isLineStart === (shown.row.continues !== true)
    const { column, rest } = keeps ? changedPart(shown.row.spans, row.spans) : { column: 0, rest: row.spans }
    if (!isLineStart && !keeps && above !== undefined) beginContinued(to, above)
    else moveTo(to, column)
    // Erasing from the first column also ends the connection with the row above.
    if (shown !== undefined && !keeps && isLineStart) bytes += `${CSI}K`
    put(rest)
    if ((shown?.width ?? 0) > next.width && next.width < columns && (keeps || !isLineStart)) bytes += `${CSI}K`
    if (row.image === undefined) return
    moveTo(to - row.image.rows + 1, at.column)
    bytes += imageBytes(row.image)
  }

  return {
    get bytes() {
      return bytes
    },
    get at() {
      return at
    },
    moveTo,
    write: (text) => void (bytes += text),
    writeRows(next, shown, from, above) {
      for (const [index, row] of next.entries()) writeRow(from + index, row, shown[index], next[index - 1] ?? above)
    },
    insertRows(row, count) {
      // Line feeds at the end make room; the inserted rows move the others there.
      moveTo(exist - 1 + count, 0)
      moveTo(row, 0)
      bytes += `${CSI}${count}L`
    },
    deleteRows(row, count) {
      moveTo(row, 0)
      bytes += `${CSI}${count}M`
      exist -= count
    },
    eraseFrom(row) {
      moveTo(row, 0)
      bytes += `${CSI}J`
    },
  }
}

function lastCluster(spans: readonly Span[]): Span {
  const last = spans.at(-1)
  return { ...last, text: Array.from(clustersOf(last?.text ?? "")).at(-1) ?? "" }
}

/** Sets the column behind clusters whose width is uncertain. `column`: of the first span; behind the last one in the result. */
function painted(
  spans: readonly Span[],
  column: number,
  { columns, paint }: Pick<PenOptions, "columns" | "paint">,
): { readonly bytes: string; readonly column: number } {
  let bytes = ""
  let at = column
  for (const span of spans)
    for (const part of certainParts(span)) {
      bytes += paint(part.span)
      at += part.width
      if (part.isUncertain && at < columns) bytes += `${CSI}${at + 1}G`
    }
  return { bytes, column: Math.min(at, columns) }
}

interface Part {
  readonly span: Span
  readonly width: number
  readonly isUncertain: boolean
}

/** A span cut behind each cluster whose width is uncertain. */
function* certainParts(span: Span): Generator<Part> {
  if (!isUncertain(span.text)) {
    if (span.text !== "") yield { span, width: widthOf(span.text), isUncertain: false }
    return
  }
  let text = ""
  for (const cluster of clustersOf(span.text)) {
    text += cluster
    if (!isUncertain(cluster)) continue
    yield { span: { ...span, text }, width: widthOf(text), isUncertain: true }
    text = ""
  }
  if (text !== "") yield { span: { ...span, text }, width: widthOf(text), isUncertain: false }
}

/** The first column that differs, and the spans from there on. */
function changedPart(
  before: readonly Span[],
  next: readonly Span[],
): { readonly column: number; readonly rest: readonly Span[] } {
  let column = 0
  for (const [at, span] of next.entries()) {
    const old = before[at]
    if (old !== undefined && old.text === span.text && isSameStyle(old, span)) {
      column += widthOf(span.text)
      continue
    }
    if (old === undefined || !isSameStyle(old, span)) return { column, rest: next.slice(at) }
    const common = commonClusters(old.text, span.text)
    const rest = [{ ...span, text: span.text.slice(common.length) }, ...next.slice(at + 1)]
    return { column: column + widthOf(common), rest }
  }
  return { column, rest: [] }
}

function isSameStyle(one: Span, other: Span): boolean {
  return one.role === other.role && one.link === other.link
}

function commonClusters(a: string, b: string): string {
  const [left, right] = [clustersOf(a)[Symbol.iterator](), clustersOf(b)[Symbol.iterator]()]
  let common = ""
  for (;;) {
    const [one, other] = [left.next(), right.next()]
    if (one.done === true || other.done === true || one.value !== other.value) return common
    common += one.value
  }
}
