import { isContinuation } from "../../encoding/utf8.ts"
import { truncateStringToBytesFromEnd } from "../../truncate.ts"

/** The newest bytes of an output, and the text that they are when somebody wants to see it. */
export interface RollingBuffer {
  /** Lent bytes: they are copied. */
  add(bytes: Uint8Array): void
  /** How many came since the last `clear`. */
  readonly total: number
  /** At most the capacity, from the beginning of a character. */
  newest(): Uint8Array
  /** As much of its end as is `capacity` bytes of text. */
  text(): string
  clear(): void
}

/** Room for a few lines; it grows with what comes. */
const BUFFER_MIN_BYTES = 1024
/** A character has one byte that begins it and up to three that go on. */
const CONTINUATION_MAX = 3

/**
 * Kept as bytes, outside the collector's heap: text that lives for a moment only makes that heap grow, by twice its young
 * part for a loud command. Room for twice the capacity, so that bytes are seldom moved.
 */
export function createRollingBuffer(capacity: number): RollingBuffer {
  let buffer = new Uint8Array(0)
  let length = 0
  let total = 0
  const newest = () => {
    const held = buffer.subarray(Math.max(0, length - capacity), length)
    let start = 0
    if (total > held.length) while (start < CONTINUATION_MAX && isContinuation(held[start])) start++
    return held.subarray(start)
  }
  return {
    add(bytes) {
      const added = bytes.subarray(Math.max(0, bytes.length - capacity))
      if (length + added.length > 2 * capacity) {
        const kept = capacity - added.length
        buffer.copyWithin(0, length - kept, length)
        length = kept
      }
      if (length + added.length > buffer.length) buffer = grown(buffer, length + added.length, 2 * capacity)
      buffer.set(added, length)
      length += added.length
      total += bytes.length
    },
    get total() {
      return total
    },
    newest,
    text: () => truncateStringToBytesFromEnd(new TextDecoder().decode(newest()), capacity),
    clear() {
      buffer = new Uint8Array(0)
      length = total = 0
    },
  }
}

function grown(buffer: Uint8Array, wanted: number, most: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.min(most, Math.max(2 * wanted, BUFFER_MIN_BYTES)))
  larger.set(buffer)
  return larger
}
