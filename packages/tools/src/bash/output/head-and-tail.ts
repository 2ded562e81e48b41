import { countLines, DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES, truncateTail, type Truncation } from "../../truncate.ts"
import { isContinuation } from "../../encoding/utf8.ts"
import { createRollingBuffer } from "./rolling-buffer.ts"

/** The part of a long output that is shown. */
export interface Excerpt {
  readonly truncation: Truncation
  /** Bytes left out in the middle; 0 if only the end is shown. */
  readonly middle: number
}

/** Buffers only as much of the output as is shown. */
export interface ExcerptBuffer {
  /** The caller reuses the bytes. They end at a character boundary. */
  add(bytes: Uint8Array): void
  shown(): Excerpt
  clear(): void
}

/** Maximum bytes of head and tail together. */
export const MIDDLE_MAX_BYTES = 512 * 1024

/** Keeps the end of the output. Buffers twice the limit, so that whole lines fit. */
export function tailBuffer(maxLines = DEFAULT_MAX_LINES, maxBytes = DEFAULT_MAX_BYTES): ExcerptBuffer {
  const end = createRollingBuffer(Math.max(2 * DEFAULT_MAX_BYTES, 2 * maxBytes))
  return {
    add: end.add,
    shown: () => ({ truncation: truncateTail(end.text(), { maxLines, maxBytes }), middle: 0 }),
    clear: end.clear,
  }
}

/** Keeps the first and the last half of the limit, with a mark between them. */
export function headAndTailBuffer(maxBytes = MIDDLE_MAX_BYTES): ExcerptBuffer {
  const half = Math.floor(maxBytes / 2)
  let head: Uint8Array[] = []
  let free = half
  let total = 0
  const tail = createRollingBuffer(half)
  return {
    add(bytes) {
      total += bytes.length
      let cut = Math.min(bytes.length, free)
      while (cut < bytes.length && cut > 0 && isContinuation(bytes[cut])) cut--
      if (cut > 0) head.push(new Uint8Array(bytes.subarray(0, cut)))
      // Once bytes went to the tail the head is closed, so a shorter character cannot follow out of order.
      free = cut < bytes.length ? 0 : free - cut
      if (cut < bytes.length) tail.add(bytes.subarray(cut))
    },
    shown() {
      const begin = Buffer.concat(head)
      const end = tail.newest()
      const middle = total > maxBytes ? total - begin.length - end.length : 0
      const mark = middle > 0 ? `\n[... ${middle} bytes left out ...]\n` : ""
      const texts = [begin, end].map((bytes) => new TextDecoder().decode(bytes))
      // A line that continues from head to tail counts once.
      const lines = (middle > 0 ? texts : [texts.join("")]).reduce((sum, text) => sum + countLines(text), 0)
      return { truncation: measured(texts.join(mark), maxBytes, middle > 0, lines), middle }
    },
    clear() {
      head = []
      free = half
      total = 0
      tail.clear()
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
