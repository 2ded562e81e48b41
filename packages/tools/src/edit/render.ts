import type { RenderContext, RenderedLine, RenderedResult } from "@gong/spec"
import { collapsed, line, linesOf } from "../render/lines.ts"
import { textLines } from "../render/text-lines.ts"

const DIFF_COLLAPSED_LINES = 40

/** The added and removed lines. */
export function render(result: RenderedResult, context: RenderContext): readonly RenderedLine[] {
  const diff = result.details?.["diff"]
  if (typeof diff !== "string") return textLines(result, context)
  return collapsed(linesOf(diff).map(diffLine), context, { max: DIFF_COLLAPSED_LINES })
}

function diffLine(text: string): RenderedLine {
  if (text.startsWith("+")) return line(text, "added")
  if (text.startsWith("-")) return line(text, "removed")
  return line(text, text.trim() === "..." ? "dim" : "plain")
}
