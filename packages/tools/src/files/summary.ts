import type { Span, SummarizedResult } from "@gong/spec"
import { span } from "../render/lines.ts"

/** Lines added and removed in each file. */
export function changesSummary({ files = [] }: SummarizedResult): Span {
  return span(files.map(({ added, removed }) => `+${added} -${removed}`).join(" "))
}
