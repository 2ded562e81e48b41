import { goesOn } from "../../encoding/utf8.ts"
import { truncateStringToBytesFromEnd } from "../../truncate.ts"

/** The newest bytes of an output, and the text that they are when somebody wants to see it. */
export interface Rolling {
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
const ROOM_MIN_BYTES = 1024
/** A character has one byte that begins it and up to three that go on. */
const GOES_ON_MAX = 3

/**
 * Kept as bytes, outside the collector's heap: text that lives for a moment only makes that heap grow, by twice its young
 * part for a loud command. Room for twice the capacity, so that bytes are seldom moved.
 */
export function rollingBytes(capacity: number): Rolling {
  let room = new Uint8Array(0)
  let length = 0
  let total = 0
  const newest = () => {
    const held = room.subarray(Math.max(0, length - capacity), length)
    let start = 0
    if (total > held.length) while (start < GOES_ON_MAX && goesOn(held[start])) start++
    return held.subarray(start)
  }
  return {
    add(bytes) {
      const added = bytes.subarray(Math.max(0, bytes.length - capacity))
      if (length + added.length > 2 * capacity) {
        const kept = capacity - added.length
        room.copyWithin(0, length - kept, length)
        length = kept
      }
      if (length + added.length > room.length) room = withRoom(room, length + added.length, 2 * capacity)
      room.set(added, length)
      length += added.length
      total += bytes.length
    },
    get total() {
      return total
    },
    newest,
    text: () => truncateStringToBytesFromEnd(new TextDecoder().decode(newest()), capacity),
    clear() {
      room = new Uint8Array(0)
      length = total = 0
    },
  }
}

function withRoom(room: Uint8Array, wanted: number, most: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.min(most, Math.max(2 * wanted, ROOM_MIN_BYTES)))
  larger.set(room)
  return larger
}
