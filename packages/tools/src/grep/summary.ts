import { phrase, type Span, type SummarizedResult } from "@gong/spec"
import { spoken } from "../render/lines.ts"
import { numberIn } from "../render/phrases.ts"

export function summary({ details }: SummarizedResult): Span {
  const found = numberIn(details, "match_count")
  const files = numberIn(details, "file_count")
  if (files !== 1) return spoken(phrase("{0} matches in {1} files", found, files))
  return spoken(phrase(found === 1 ? "{0} match in {1} file" : "{0} matches in {1} file", found, files))
}
