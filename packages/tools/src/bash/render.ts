import {
  phrase,
  type RenderContext,
  type RenderedLine,
  type RenderedResult,
  type Span,
  type SummarizedResult,
  textOf,
} from "@gong/spec"
import { collapsed, line, linesOf, span, phraseSpan } from "../render/lines.ts"

/** How the command exited; empty on success. */
export function summary({ details, status }: SummarizedResult): Span {
  const code = details?.["exit_code"]
  if (typeof code === "number") return code === 0 ? span("") : phraseSpan(phrase("exit {0}", code))
  return status === "ok" ? span("") : phraseSpan(phrase(status))
}

/** The exit status is the last line. */
export function render(result: RenderedResult, context: RenderContext): readonly RenderedLine[] {
  const lines = linesOf(textOf(result)).map((text) => line(text))
  return collapsed(lines, context, { keep: "last" })
}
