/** A piece of text with one style. It holds only printable characters: no control characters, no line breaks, no tabs. */
export interface Span {
  readonly text: string
  /** A role of the theme; absent: the terminal's default. */
  readonly role?: string
}

/** One row of the screen. */
export interface Row {
  readonly spans: readonly Span[]
  /** It continues the row before, which is full: the terminal breaks the line, so that copied text is one line. */
  readonly continues?: true
}

/** A line of text before it is broken into rows. */
export type Line = readonly Span[]

export const emptyRow: Row = { spans: [] }

export function textOf(spans: readonly Span[]): string {
  return spans.map(({ text }) => text).join("")
}
