import type { Row } from "../text/row.ts"
export type { Paint, Size } from "./pen.ts"
import { type Caret, createPen, CSI, type Drawn, drawn, type Paint, type Pen, type Size } from "./pen.ts"

export interface View {
  /** Rows that leave the live region for good, above it. */
  readonly left: readonly Row[]
  /** The live region; at most `rows - 1` of the screen. */
  readonly live: readonly Row[]
  /** Null: the cursor is hidden. */
  readonly caret: Caret | null
}

export interface Frame {
  /** The bytes that turn the screen into this view; empty if nothing has changed. */
  render(view: View, size: Size): string
  /** The same after the terminal may have changed the screen: the live region is drawn anew. */
  redraw(view: View, size: Size): string
  /** Takes the live region off the screen; later output begins where it was. */
  clear(): string
}

export interface FrameOptions {
  readonly paint: Paint
  /** The terminal breaks lines anew when its width changes; xterm, screen and linux do not. */
  readonly reflows: boolean
}

/**
 * Draws below the scrollback, with movements relative to the first row of the live region: no scroll region, no clearing of the
 * screen. Every frame is one synchronized update whose last movement puts the cursor at the caret.
 */
export function createFrame({ paint, reflows }: FrameOptions): Frame {
  let live: readonly Drawn[] = []
  let size: Size = { columns: 80, rows: 24 }
  /** Where the cursor is. */
  let cursor: Caret = { row: 0, column: 0 }
  let hidden = false

  function render(view: View, now: Size): string {
    if (now.columns !== size.columns && live.length > 0) return redraw(view, now)
    size = now
    const pen = createPen({ cursor, rows: live.length, columns: size.columns, paint })
    const next = rowsOf(view)
    update(pen, live, next, size.rows)
    return finish(pen, view, next)
  }

  function redraw(view: View, now: Size): string {
    const row = rowsAbove(live, cursor, reflows ? now.columns : size.columns)
    size = now
    const pen = createPen({ cursor: { ...cursor, row }, rows: row + 1, columns: size.columns, paint })
    pen.moveTo(0, 0)
    pen.write(`${CSI}J`)
    const next = rowsOf(view)
    pen.writeRows(next, [], 0)
    return finish(pen, view, next)
  }

  function finish(pen: Pen, { left, caret }: View, next: readonly Drawn[]): string {
    const first = left.length
    live = next.slice(first)
    if (caret !== null) pen.moveTo(first + caret.row, caret.column)
    // The live region begins on a row of its own, also when it is empty.
    else if (pen.at.row < first) pen.moveTo(first, 0)
    const hides = caret === null
    if (hides !== hidden) pen.write(`${CSI}?25${hides ? "l" : "h"}`)
    hidden = hides
    cursor = { row: pen.at.row - first, column: pen.at.column }
    return pen.bytes === "" ? "" : `${CSI}?2026h${pen.bytes}${CSI}?2026l`
  }

  function clear(): string {
    const pen = createPen({ cursor, rows: live.length, columns: size.columns, paint })
    pen.moveTo(0, 0)
    if (live.length > 0) pen.write(`${CSI}J`)
    if (hidden) pen.write(`${CSI}?25h`)
    live = []
    cursor = { row: 0, column: 0 }
    hidden = false
    return pen.bytes
  }

  return { render, redraw, clear }
}

function rowsOf({ left, live }: View): readonly Drawn[] {
  return [...left, ...live].map(drawn)
}

/** Writes the rows that differ. Rows that stand already leave the live region without a byte. `height`: of the screen. */
function update(pen: Pen, before: readonly Drawn[], next: readonly Drawn[], height: number): void {
  const first = commonStart(before, next)
  if (first === before.length && first === next.length) return
  const more = next.length - before.length
  // Above the height of the screen nothing can be inserted: the rows below would be lost in the scrollback.
  const last = next.length > height ? 0 : commonEnd(before.slice(first), next.slice(first))
  const changed = next.slice(first, next.length - last)
  let shown = before.slice(first, before.length - last)
  if (last > 0 && more > 0) pen.insertRows(before.length - last, more)
  if (last > 0 && more < 0) {
    pen.deleteRows(first, -more)
    shown = shown.slice(-more)
  }
  pen.writeRows(changed, shown, first, next[first - 1])
  if (last === 0 && more < 0) pen.eraseFrom(next.length)
}

function commonStart(before: readonly Drawn[], next: readonly Drawn[]): number {
  let count = 0
  while (count < before.length && before[count]?.key === next[count]?.key) count++
  return count
}

/** A row that continues another one is written behind it, so it is never the first of them. */
function commonEnd(before: readonly Drawn[], next: readonly Drawn[]): number {
  let count = 0
  while (count < Math.min(before.length, next.length) && before.at(-1 - count)?.key === next.at(-1 - count)?.key)
    count++
  while (count > 0 && next.at(-count)?.row.continues === true) count--
  return count
}

/** Rows between the first of the live region and the cursor after the terminal has broken its lines at a new width. */
function rowsAbove(live: readonly Drawn[], cursor: Caret, columns: number): number {
  let above = 0
  let width = 0
  for (const [at, { row, width: cells }] of live.slice(0, cursor.row + 1).entries()) {
    if (row.continues !== true) {
      above += at === 0 ? 0 : Math.max(1, Math.ceil(width / columns))
      width = 0
    }
    width += at === cursor.row ? cursor.column : cells
  }
  return above + Math.floor(width / columns)
}
