import type { RenderedLine, Span } from "@gong/spec"
import { spanText } from "@gong/texts/spans"
import type { Style } from "@gong/texts/style"
import type { Translate } from "@gong/texts/translator"

/** Writes styled text to a terminal. */
export interface Painter {
  /** Of the selected theme. */
  readonly style: Style
  /** Writes text that `style` has made to stdout. */
  out(text: string): void
  /** The same to stderr. */
  err(text: string): void
}

/** One line of a question or of a renderer. */
export function paintedLine(t: Translate, { style }: Pick<Painter, "style">, line: RenderedLine): string {
  return line.map((span) => paintedSpan(style, span.style)(spanText(t, span))).join("")
}

function paintedSpan(style: Style, name: Span["style"]): (text: string) => string {
  if (name === "added" || name === "removed") return style[name]
  if (name === "error") return style.removed
  if (name === "dim" || name === "number") return style.muted
  return name === "name" || name === "title" ? style.strong : style.text
}

/** The lines of a diff, each with its sign. */
export function paintedDiff({ style }: Pick<Painter, "style">, text: string): string {
  const rows = text.split("\n").map((row) => {
    const sign = row.trimStart()[0]
    return sign === "+" ? style.added(row) : sign === "-" ? style.removed(row) : style.text(row)
  })
  return rows.join("\n")
}
