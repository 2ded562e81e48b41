import type { Rendered, RenderContext, RenderedLine, Span, SpanStyle } from "@gong/spec"

/** Lines that are shown of a result until all are wanted. */
export const COLLAPSED_LINES = 10

export function span(text: string, style: SpanStyle = "plain"): Span {
  return { text, style }
}

export function line(text: string, style: SpanStyle = "plain"): RenderedLine {
  return [span(text, style)]
}

/** The lines of a text; a final newline ends the last one. */
export function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n")
}

/** The first lines, or of what ends with what matters the last, and how many more there are. */
export function collapsed(
  lines: readonly RenderedLine[],
  { expanded = false, expandKey = "ctrl+e" }: RenderContext,
  { max = COLLAPSED_LINES, keep = "first" }: { readonly max?: number; readonly keep?: "first" | "last" } = {},
): readonly RenderedLine[] {
  const hidden = lines.length - max
  if (expanded || hidden <= 0) return lines
  const how = expandKey === null ? "" : `, ${expandKey} to expand`
  const what = `${keep === "first" ? "more" : "earlier"} ${hidden === 1 ? "line" : "lines"}`
  const hint = line(`... (${hidden} ${what}${how})`, "dim")
  return keep === "first" ? [...lines.slice(0, max), hint] : [hint, ...lines.slice(hidden)]
}

/** The component; what did not change since the last one keeps its identity, so that a surface need not draw it again. */
export function rendered(
  lines: readonly RenderedLine[],
  { isPartial = false, lastComponent }: RenderContext,
): Rendered {
  if (lastComponent === undefined) return { lines, streaming: isPartial }
  const kept = lines.map((next, at) => {
    const before = lastComponent.lines[at]
    return before !== undefined && sameLine(before, next) ? before : next
  })
  const same =
    lastComponent.streaming === isPartial &&
    lastComponent.lines.length === kept.length &&
    kept.every((next, at) => next === lastComponent.lines[at])
  return same ? lastComponent : { lines: kept, streaming: isPartial }
}

function sameLine(a: RenderedLine, b: RenderedLine): boolean {
  return a.length === b.length && a.every((one, at) => one.text === b[at]?.text && one.style === b[at].style)
}
