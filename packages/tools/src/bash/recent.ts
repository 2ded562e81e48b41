import {
  countLines,
  DEFAULT_MAX_BYTES,
  DEFAULT_MAX_LINES,
  truncateStringToBytesFromEnd,
  truncateTail,
  type Truncation,
} from "../truncate.ts"

/** What of a long output is shown. */
export interface Shown {
  readonly truncation: Truncation
  /** Bytes that a mark stands for, between beginning and end; 0 when only the end is shown. */
  readonly middle: number
}

/** Text as it comes, of which not more is kept than is shown. */
export interface Recent {
  add(text: string): void
  shown(): Shown
  clear(): void
}

/** Bytes of beginning and end together. */
export const MIDDLE_MAX_BYTES = 512 * 1024
/** Small pieces are joined up to this size, so that the buffer is a short list. */
const PIECE_BYTES = 4 * 1024

/** The end of it; twice as much is kept as may be shown, so that whole lines fit. */
export function recentEnd(maxLines = DEFAULT_MAX_LINES, maxBytes = DEFAULT_MAX_BYTES): Recent {
  const text = rollingText(Math.max(2 * DEFAULT_MAX_BYTES, 2 * maxBytes))
  return {
    add: text.add,
    shown: () => ({ truncation: truncateTail(text.text(), { maxLines, maxBytes }), middle: 0 }),
    clear: text.clear,
  }
}

/** The first and the last half of what may be shown, with a mark between them. */
export function recentEnds(maxBytes = MIDDLE_MAX_BYTES): Recent {
  const half = Math.floor(maxBytes / 2)
  let head = ""
  let headBytes = 0
  let total = 0
  const tail = rollingText(half)
  return {
    add(text) {
      const bytes = Buffer.from(text)
      total += bytes.length
      let cut = Math.min(bytes.length, half - headBytes)
      while (cut < bytes.length && cut > 0 && ((bytes[cut] ?? 0) & 0xc0) === 0x80) cut--
      head += bytes.toString("utf8", 0, cut)
      // Once something went to the tail, the head is closed: a shorter character may not slip in behind it.
      headBytes = cut < bytes.length ? half : headBytes + cut
      if (cut < bytes.length) tail.add(bytes.toString("utf8", cut))
    },
    shown() {
      const end = total > maxBytes ? truncateStringToBytesFromEnd(tail.text(), half) : tail.text()
      const middle = total > maxBytes ? total - Buffer.byteLength(head) - Buffer.byteLength(end) : 0
      const content = middle > 0 ? `${head}\n[... ${middle} bytes left out ...]\n${end}` : head + end
      return { truncation: measured(content, maxBytes, middle > 0, countLines(head) + countLines(end)), middle }
    },
    clear() {
      head = ""
      headBytes = total = 0
      tail.clear()
    },
  }
}

/** The newest text; the oldest pieces go when the rest is enough, and one always stays. */
export function rollingText(capacity: number) {
  let pieces: { text: string; bytes: number }[] = []
  let total = 0
  return {
    add(text: string) {
      const bytes = Buffer.byteLength(text)
      const last = pieces.at(-1)
      if (last && last.bytes + bytes <= PIECE_BYTES) {
        last.text += text
        last.bytes += bytes
      } else pieces.push({ text, bytes })
      total += bytes
      while (pieces.length > 1 && total - (pieces[0]?.bytes ?? 0) >= capacity) total -= pieces.shift()?.bytes ?? 0
    },
    text: () => pieces.map((piece) => piece.text).join(""),
    clear() {
      pieces = []
      total = 0
    },
  }
}

function measured(content: string, maxBytes: number, truncated: boolean, outputLines: number): Truncation {
  const outputBytes = Buffer.byteLength(content)
  return {
    content,
    truncated,
    truncatedBy: truncated ? "bytes" : null,
    totalLines: outputLines,
    totalBytes: outputBytes,
    outputLines,
    outputBytes,
    lastLinePartial: false,
    firstLineExceedsLimit: false,
    maxLines: Infinity,
    maxBytes,
  }
}
