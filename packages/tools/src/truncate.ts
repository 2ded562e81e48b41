/** Limits for tool results. Sizes are UTF-8 bytes. A final newline ends the last line and does not add one. */
export const DEFAULT_MAX_LINES = 2000
export const DEFAULT_MAX_BYTES = 50 * 1024
export const GREP_MAX_LINE_LENGTH = 500

export type Truncation = {
  readonly content: string
  readonly truncated: boolean
  readonly truncatedBy: "lines" | "bytes" | "chars" | null
  readonly totalLines: number
  readonly totalBytes: number
  readonly outputLines: number
  readonly outputBytes: number
  /** Tail only: the last line alone was too large, so only its end is kept. */
  readonly lastLinePartial: boolean
  /** Head only: the first line alone was too large, so nothing is kept. */
  readonly firstLineExceedsLimit: boolean
  readonly maxLines: number
  readonly maxBytes: number
  /** Head only: the first line, counted from 1, that was left out. */
  readonly nextOffset?: number
}

/** A truncation without its text, for the details of a result. */
export type Cut = Omit<Truncation, "content">

export function cutOf({ content: _content, ...cut }: Truncation): Cut {
  return cut
}

export interface TruncateLimits {
  /** Default 2000; Infinity for none. */
  readonly maxLines?: number
  /** Default 51,200. */
  readonly maxBytes?: number
}

/** Keeps whole lines from the start; for files and lists. */
export function truncateHead(text: string, limits: TruncateLimits = {}): Truncation {
  const whole = measure(text, limits)
  if (!whole.truncated) return whole
  let end = 0
  let outputLines = 0
  let outputBytes = 0
  let truncatedBy: "lines" | "bytes" = "lines"
  while (outputLines < whole.maxLines && outputLines < whole.totalLines) {
    const start = outputLines === 0 ? 0 : end + 1
    const newline = text.indexOf("\n", start)
    const lineEnd = newline === -1 ? text.length : newline
    const cost = bytesUpTo(text, start, lineEnd, whole.maxBytes) + (outputLines === 0 ? 0 : 1)
    if (outputBytes + cost > whole.maxBytes) {
      truncatedBy = "bytes"
      break
    }
    outputBytes += cost
    outputLines++
    end = lineEnd
  }
  // Only the final newline did not fit, so no line is missing.
  if (outputLines === whole.totalLines) truncatedBy = "bytes"
  return {
    ...whole,
    content: text.slice(0, end),
    truncatedBy,
    outputLines,
    outputBytes,
    firstLineExceedsLimit: outputLines === 0 && truncatedBy === "bytes",
    ...(outputLines < whole.totalLines && { nextOffset: outputLines + 1 }),
  }
}

/** Keeps whole lines from the end; for command output. Of a single huge last line it keeps the end. */
export function truncateTail(text: string, limits: TruncateLimits = {}): Truncation {
  const whole = measure(text, limits)
  if (!whole.truncated) return whole
  const final = text.endsWith("\n") ? 1 : 0
  let start = text.length - final
  let outputLines = 0
  let outputBytes = final
  let truncatedBy: "lines" | "bytes" = "lines"
  while (outputLines < whole.maxLines && outputLines < whole.totalLines) {
    const lineEnd = outputLines === 0 ? start : start - 1
    const lineStart = lineEnd === 0 ? 0 : text.lastIndexOf("\n", lineEnd - 1) + 1
    const cost = bytesUpTo(text, lineStart, lineEnd, whole.maxBytes) + (outputLines === 0 ? 0 : 1)
    if (outputBytes + cost > whole.maxBytes) {
      truncatedBy = "bytes"
      break
    }
    outputBytes += cost
    outputLines++
    start = lineStart
  }
  if (outputLines > 0) return { ...whole, content: text.slice(start), truncatedBy, outputLines, outputBytes }
  const content = whole.maxLines === 0 ? "" : truncateStringToBytesFromEnd(text, whole.maxBytes)
  const partial = content !== ""
  return {
    ...whole,
    content,
    truncatedBy,
    outputLines: partial ? 1 : 0,
    outputBytes: Buffer.byteLength(content),
    lastLinePartial: partial,
  }
}

/** Cuts one line to `maxChars` UTF-16 units, never inside a surrogate pair, and marks the cut. */
export function truncateLine(line: string, maxChars: number = GREP_MAX_LINE_LENGTH): Truncation {
  const whole = measure(line, { maxLines: Infinity, maxBytes: Infinity })
  if (line.length <= maxChars) return whole
  const high = line.charCodeAt(maxChars - 1)
  const kept = line.slice(0, high >= 0xd800 && high <= 0xdbff ? maxChars - 1 : maxChars)
  const content = `${kept}... [truncated]`
  return {
    ...whole,
    content,
    truncated: true,
    truncatedBy: "chars",
    outputLines: 1,
    outputBytes: Buffer.byteLength(content),
  }
}

/** The end of a text in at most `maxBytes` bytes, starting at a character boundary. */
export function truncateStringToBytesFromEnd(text: string, maxBytes: number): string {
  if (maxBytes <= 0) return ""
  // A UTF-16 unit is at least one byte, so at most `maxBytes` units can be kept.
  const bytes = Buffer.from(text.length > maxBytes ? text.slice(-maxBytes) : text)
  if (bytes.length <= maxBytes) return bytes.toString()
  let start = bytes.length - maxBytes
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  return bytes.toString("utf8", start)
}

/** `17B`, `50.0KB`, `1.5MB`, `5.0GB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`
  const units = ["KB", "MB", "GB"]
  let value = bytes / 1024
  while (value >= 1024 && units.length > 1) {
    value /= 1024
    units.shift()
  }
  return `${value.toFixed(1)}${units[0]}`
}

/** Number of lines. A final newline ends the last line and does not add one. */
export function countLines(text: string): number {
  if (text === "") return 0
  let lines = text.endsWith("\n") ? 0 : 1
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++
  return lines
}

/** The text unchanged, with `truncated` set if it exceeds a limit. */
function measure(text: string, limits: TruncateLimits): Truncation {
  const maxLines = limits.maxLines ?? DEFAULT_MAX_LINES
  const maxBytes = limits.maxBytes ?? DEFAULT_MAX_BYTES
  const totalLines = countLines(text)
  const totalBytes = Buffer.byteLength(text)
  return {
    content: text,
    truncated: totalLines > maxLines || totalBytes > maxBytes,
    truncatedBy: null,
    totalLines,
    totalBytes,
    outputLines: totalLines,
    outputBytes: totalBytes,
    lastLinePartial: false,
    firstLineExceedsLimit: false,
    maxLines,
    maxBytes,
  }
}

/** Bytes of a range of the text. A range with too many UTF-16 units is not encoded. */
function bytesUpTo(text: string, start: number, end: number, maxBytes: number): number {
  return end - start > maxBytes ? end - start : Buffer.byteLength(text.slice(start, end))
}
