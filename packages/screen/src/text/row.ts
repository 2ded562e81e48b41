import type { CellImage } from "../image/image.ts"

/** A piece of text with one style. It holds only printable characters: no control characters, no line breaks, no tabs. */
export interface Span {
  readonly text: string
  /** Roles of the theme, separated by blanks; absent: the terminal's default. */
  readonly role?: string
  /** The target of a hyperlink. */
  readonly link?: string
}

/** One row of the screen. */
export interface Row {
  readonly spans: readonly Span[]
  /** It continues the row before, which is full: the terminal breaks the line, so that copied text is one line. */
  readonly continues?: true
  /** Drawn over this row and those above it, behind its text: all its rows exist by then, so that nothing scrolls for it. */
  readonly image?: CellImage
}

/** A line of text before it is broken into rows. */
export type Line = readonly Span[]

/** A line with the way in which it is broken. */
export interface Block {
  readonly line: Line
  /** Broken by the terminal and not at words, so that copying gives the line back: code, commands, output. */
  readonly whole: boolean
  /** Before the first row. */
  readonly indent?: Line
  /** Before further rows; absent: as many blanks. */
  readonly hanging?: Line
  /** In place of the line, behind the indentation. */
  readonly image?: CellImage
}

export const emptyRow: Row = { spans: [] }

export function textOf(spans: readonly Span[]): string {
  return spans.map(({ text }) => text).join("")
}
