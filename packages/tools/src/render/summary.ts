import { phrase, type Span, type SummarizedResult, textOf, type ToolDeclaration } from "@gong/spec"
import { linesOf, phraseSpan } from "./lines.ts"
import { lineCount } from "./phrases.ts"

/** What came of a call in a few words, for a single row; its text is empty when there is nothing to say. */
export function summaryOf(declared: ToolDeclaration | null, result: SummarizedResult): Span {
  const { effect, summary } = declared ?? {}
  // How a command ended says more than that it failed.
  if (result.status !== "ok" && (effect !== "execute" || !summary)) return phraseSpan(phrase(result.status))
  return summary?.(result) ?? lineCount(linesOf(textOf(result)).length)
}
