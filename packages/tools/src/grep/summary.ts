import { phrase, type Span, type SummarizedResult } from "@gong/spec"
import { phraseSpan } from "../render/lines.ts"
import { numberIn } from "../render/phrases.ts"

export function summary({ details }: SummarizedResult): Span {
  const found = numberIn(details, "match_count")
  const files = numberIn(details, "file_count")
  if (files !== 1) return phraseSpan(phrase("{0} matches in {1} files", found, files))
  return phraseSpan(phrase(found === 1 ? "{0} match in {1} file" : "{0} matches in {1} file", found, files))
}
