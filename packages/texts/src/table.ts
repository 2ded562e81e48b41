import { widthOf } from "@gong/screen/cells"
import { printableLine } from "./printable.ts"

/** A cell of a table, on one line. Numbers are right-aligned. */
export interface Cell {
  readonly text: string
  readonly right?: true
}

/** Rows with aligned columns; the last column is not padded. Wide characters count as two. */
export function table(rows: readonly (readonly Cell[])[]): readonly string[] {
  const safe = rows.map((row) => row.map((cell) => ({ ...cell, text: printableLine(cell.text) })))
  const widths: number[] = []
  for (const row of safe) {
    for (const [at, { text }] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, widthOf(text))
  }
  return safe.map((row) => row.map((cell, at) => padded(cell, widths[at] ?? 0, at === row.length - 1)).join("  "))
}

function padded({ text, right }: Cell, width: number, last: boolean): string {
  const blanks = " ".repeat(width - widthOf(text))
  if (right === true) return blanks + text
  return last ? text : text + blanks
}

/** A text padded to this many columns, with at least one blank. */
export function padTo(text: string, columns: number): string {
  return text + " ".repeat(Math.max(1, columns - widthOf(text)))
}

/** A text truncated to this many columns. */
export function truncate(text: string, columns: number): string {
  const line = printableLine(text)
  if (widthOf(line) <= columns) return line
  let width = 1
  let end = 0
  for (const { segment, index } of new Intl.Segmenter().segment(line)) {
    width += widthOf(segment)
    if (width > columns) break
    end = index + segment.length
  }
  return `${line.slice(0, end)}…`
}
