import {
  type RenderContext,
  type RenderedLine,
  type RenderedResult,
  type Span,
  type SummarizedResult,
  textOf,
} from "@gong/spec"
import { collapsed, line, linesOf, span } from "../render/lines.ts"
import { lineCount, numberIn } from "../render/phrases.ts"
import { textLines } from "../render/text-lines.ts"

export function summary({ details }: SummarizedResult): Span {
  return lineCount(numberIn(details, "line_count"))
}

/** With line numbers. The model gets the text without them, because it must edit the exact text. */
export function render(result: RenderedResult, context: RenderContext): readonly RenderedLine[] {
  if (result.content.some((block) => block.type === "image")) return textLines(result, context)
  const lines = linesOf(textOf(result))
  const shown = Number(result.details?.["line_count"] ?? lines.length)
  const first = Math.max(1, Number(context.args?.["offset"] ?? 1))
  const width = String(first + shown - 1).length
  const numbered = lines
    .slice(0, shown)
    .map((text, at) => [span(`${String(first + at).padStart(width)}  `, "number"), span(text)])
  // The remarks of the tool follow the lines of the file.
  const remaining = lines.slice(shown).filter((text) => text !== "")
  return [...collapsed(numbered, context), ...remaining.map((text) => line(text, "dim"))]
}
