import type { Block, Line, Span } from "../text/row.ts"
import { emptyRow } from "../text/row.ts"
import { lineWidth, wrapWords } from "../text/wrap.ts"
import { inlineLines } from "./inline.ts"
import type { Token } from "./parser.ts"

/** Rows that decide how wide the columns are. */
export const MEASURED_ROWS = 20

const SEPARATOR = " | "
/** Columns of the narrowest cell that still holds a word. */
const CELL_MIN = 4

export interface Table {
  readonly head: TableRow
  readonly rows: readonly TableRow[]
}

type Alignment = "left" | "center" | "right"

interface Cell {
  readonly line: Line
  readonly align: Alignment
}

export type TableRow = readonly Cell[]

/** `tokens`: from `table_open` on; those behind the table are left alone. */
export function tableOf(tokens: readonly Token[]): Table {
  const rows: Cell[][] = []
  for (const [at, token] of tokens.entries()) {
    if (token.type === "table_close") break
    if (token.type === "tr_open") rows.push([])
    if (token.type !== "th_open" && token.type !== "td_open") continue
    const style = String(token.attrGet("style") ?? "")
    const align = /center|right/.exec(style)?.[0] as Alignment | undefined
    const inline = tokens[at + 1]?.children ?? []
    const line = inlineLines(inline, token.type === "th_open" ? "strong" : undefined).flat()
    rows.at(-1)?.push({ line, align: align ?? "left" })
  }
  const [head = [], ...others] = rows
  return { head, rows: others }
}

/** Columns of each cell, so that a row fits into `columns`; null: the screen is too narrow for a table. */
export function columnWidths({ head, rows }: Table, columns: number): readonly number[] | null {
  const all = [head, ...rows.slice(0, MEASURED_ROWS)]
  const widths = head.map((_, at) =>
    Math.min(columns, Math.max(1, ...all.map((row) => lineWidth(row[at]?.line ?? [])))),
  )
  const room = columns - SEPARATOR.length * (head.length - 1)
  if (room < CELL_MIN * head.length) return null
  for (let over = sum(widths) - room; over > 0; over--) {
    const widest = widths.indexOf(Math.max(...widths))
    widths[widest] = (widths[widest] ?? 1) - 1
  }
  return widths
}

/** The head with the line below it. */
export function headBlocks({ head }: Table, widths: readonly number[] | null): readonly Block[] {
  if (widths === null) return []
  const rule = widths.map((width) => "-".repeat(width)).join("-+-")
  return [...rowBlocks(head, head, widths), block([{ text: rule, role: "muted" }])]
}

/** One row. Cells that do not fit are broken at words; without widths each cell is a line behind its head. */
export function rowBlocks(row: TableRow, head: TableRow, widths: readonly number[] | null): readonly Block[] {
  if (widths === null)
    return row.map(({ line }, at) => ({
      line: [...(head[at]?.line ?? []), { text: ": " }, ...line],
      whole: false,
      indent: [{ text: at === 0 ? "- " : "  " }],
    }))
  const cells = widths.map((columns, at) => wrapWords(row[at]?.line ?? [], { columns }))
  const height = Math.max(1, ...cells.map(({ length }) => length))
  return Array.from({ length: height }, (_, y) =>
    block(
      trimmed(
        cells.flatMap((lines, x): readonly Span[] => {
          const { spans } = lines[y] ?? emptyRow
          const gap = Math.max(0, (widths[x] ?? 0) - lineWidth(spans))
          const before = { left: 0, center: Math.floor(gap / 2), right: gap }[row[x]?.align ?? "left"]
          const separator: readonly Span[] = x === 0 ? [] : [{ text: SEPARATOR, role: "muted" }]
          return [...separator, { text: " ".repeat(before) }, ...spans, { text: " ".repeat(gap - before) }]
        }),
      ),
    ),
  )
}

function block(line: Line): Block {
  return { line, whole: true }
}

/** Rows end at their last character. */
function trimmed(line: Line): Line {
  const spans = line.filter(({ text }) => text !== "")
  while (spans.at(-1)?.text.trim() === "") spans.pop()
  return spans
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
