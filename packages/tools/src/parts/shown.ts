import { formatSize, truncateHead, type TruncateLimits, type Truncation } from "../truncate.ts"

/** Whole lines; if the first line alone is too long, its start. */
export function shownPart(text: string, limits: TruncateLimits): Truncation {
  const shown = truncateHead(text, limits)
  if (!shown.firstLineExceedsLimit) return shown
  const bytes = Buffer.from(text.slice(0, shown.maxBytes)).subarray(0, shown.maxBytes)
  // The cut may be inside a character.
  const content = bytes.toString().replace(/\uFFFD+$/, "")
  return { ...shown, content, outputBytes: Buffer.byteLength(content) }
}

/** What is shown of a text, and where the rest is. */
export function cutNotice(
  { outputLines, totalLines, totalBytes, maxBytes, ...cut }: Truncation,
  artifact?: string,
): string {
  const what =
    outputLines === 0
      ? `Showing the beginning of the first line of ${totalLines} (${formatSize(totalBytes)}, limit ${formatSize(maxBytes)})`
      : `Showing lines 1-${outputLines} of ${totalLines} (${formatSize(totalBytes)}, limit ${cut.truncatedBy === "lines" ? `${cut.maxLines} lines` : formatSize(maxBytes)})`
  if (artifact === undefined) return what
  const offset = outputLines === 0 ? "" : ` with offset=${outputLines + 1}`
  return `${what}. All of it: read artifact:${artifact}${offset}`
}
