import { type RenderContext, type RenderedLine, type RenderedResult, textOf } from "@gong/spec"
import { collapsed, line, linesOf } from "./lines.ts"

/** The default rendering of a result: its text, and a line for each image. */
export function textLines(result: RenderedResult, context: RenderContext): readonly RenderedLine[] {
  const lines = linesOf(textOf(result)).map((text) => line(text))
  const images = result.content.flatMap((block) => (block.type === "image" ? [line(`[${block.mimeType}]`, "dim")] : []))
  return [...collapsed(lines, context), ...images]
}

export function errorLines(result: RenderedResult, context: RenderContext): readonly RenderedLine[] {
  const lines = linesOf(textOf(result)).map((text) => line(text, "error"))
  return collapsed(lines, context, { keep: "last" })
}
