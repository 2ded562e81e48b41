import { phrase, type Span, type SummarizedResult, textOf, type ToolDeclaration } from "@gong/spec"
import { linesOf, phraseSpan } from "./lines.ts"
import { lineCount } from "./phrases.ts"

/** The outcome of a call in a few words for a single row. Empty if there is nothing to report. */
export function summaryOf(declared: ToolDeclaration | null, result: SummarizedResult): Span {
  const { effect, summary } = declared ?? {}
  // The exit status of a command is more specific than its failure.
  if (result.status !== "ok" && (effect !== "execute" || !summary)) return phraseSpan(phrase(result.status))
  return summary?.(result) ?? lineCount(linesOf(textOf(result)).length)
}
