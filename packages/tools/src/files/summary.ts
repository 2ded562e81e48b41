import type { Span, SummarizedResult } from "@gong/spec"
import { span } from "../render/lines.ts"

/** Added and removed lines of each file. */
export function changesSummary({ files = [] }: SummarizedResult): Span {
  return span(files.map(({ added, removed }) => `+${added} -${removed}`).join(" "))
}
