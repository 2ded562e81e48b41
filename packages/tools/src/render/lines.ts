import {
  englishOf,
  type Phrase,
  phrase,
  type Rendered,
  type RenderContext,
  type RenderedLine,
  type Span,
  type SpanStyle,
} from "@gong/spec"

/** Lines of a result shown before it is expanded. */
export const COLLAPSED_LINES = 10

export function span(text: string, style: SpanStyle = "plain"): Span {
  return { text, style }
}

/** A span with Gong's own text, which can be translated. */
export function phraseSpan(words: Phrase, style: SpanStyle = "plain"): Span {
  return { text: englishOf(words), style, phrase: words }
}

export function line(text: string, style: SpanStyle = "plain"): RenderedLine {
  return [span(text, style)]
}

/** The lines of a text. A final newline ends the last one. */
export function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n")
}

/**
 * The first lines, or the last ones for results that end with the important part, and a hint with the number of hidden
 * lines.
 */
export function collapsed(
  lines: readonly RenderedLine[],
  { expanded = false, expandKey = "ctrl+e" }: RenderContext,
  { max = COLLAPSED_LINES, keep = "first" }: { readonly max?: number; readonly keep?: "first" | "last" } = {},
): readonly RenderedLine[] {
  const hidden = lines.length - max
  if (expanded || hidden <= 0) return lines
  const hint = [phraseSpan(hintOf(hidden, keep, expandKey), "dim")]
  return keep === "first" ? [...lines.slice(0, max), hint] : [hint, ...lines.slice(hidden)]
}

function hintOf(hidden: number, keep: "first" | "last", key: string | null): Phrase {
  const { one, many } = hints[keep][key === null ? "alone" : "withKey"]
  return phrase(hidden === 1 ? one : many, hidden, ...(key === null ? [] : [key]))
}

const hints = {
  first: {
    alone: { one: "... ({0} more line)", many: "... ({0} more lines)" },
    withKey: { one: "... ({0} more line, {1} to expand)", many: "... ({0} more lines, {1} to expand)" },
  },
  last: {
    alone: { one: "... ({0} earlier line)", many: "... ({0} earlier lines)" },
    withKey: { one: "... ({0} earlier line, {1} to expand)", many: "... ({0} earlier lines, {1} to expand)" },
  },
} as const

/** Reuses unchanged lines of the last component, so that a frontend need not draw them again. */
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
