import { isContinuation } from "../../encoding/utf8.ts"
import { truncateStringToBytesFromEnd } from "../../truncate.ts"

/** A ring buffer of the newest bytes of an output, decoded on demand. */
export interface RollingBuffer {
  /** Copies the bytes. */
  add(bytes: Uint8Array): void
  /** Number of bytes since the last `clear`. */
  total(): number
  /** At most `capacity` bytes, starting at a character boundary. */
  newest(): Uint8Array
  /** The end of the buffer as text of at most `capacity` bytes. */
  text(): string
  clear(): void
}

/** Enough for a few lines. The buffer grows on demand. */
const BUFFER_MIN_BYTES = 1024
/** A UTF-8 character has a lead byte and up to three continuation bytes. */
const CONTINUATION_MAX = 3

/**
 * Stores bytes outside the V8 heap: short-lived strings of a noisy command would double the young generation. Allocates
 * twice the capacity, so that bytes are rarely moved.
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
    total: () => total,
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
