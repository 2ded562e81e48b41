/** Text as bytes in one growing piece of memory, parts of which may be lent out while it is written on. */
export interface LentBuffer {
  /** What stands from `end` on will be written anew. */
  cut(end: number): void
  /** Writes text at `end`; the new end. */
  write(text: string, end: number): number
  /** The bytes before `end`; they stay as they are until `release`. */
  lend(end: number): { readonly bytes: Uint8Array; release(): void }
}

export function createLentBuffer(): LentBuffer {
  let buffer = new Uint8Array(64 * 1024)
  /** How many have bytes of this buffer, and how far the longest of them reaches. */
  let readers = 0
  let lentEnd = 0

  function move(size: number, end: number): void {
    const moved = new Uint8Array(size)
    moved.set(buffer.subarray(0, end))
    buffer = moved
    readers = 0
    lentEnd = 0
  }

  return {
    cut(end) {
      // Somebody still reads what would be written over: leave it to them and go on in a copy.
      if (readers > 0 && end < lentEnd) move(buffer.length, end)
    },
    write(text, end) {
      // No character takes more than three bytes.
      const needed = end + text.length * 3
      if (needed > buffer.length) move(Math.max(needed, buffer.length * 2), end)
      return end + encoder.encodeInto(text, buffer.subarray(end)).written
    },
    lend(end) {
      const from = buffer
      readers++
      lentEnd = Math.max(lentEnd, end)
      let released = false
      return {
        bytes: from.subarray(0, end),
        release() {
          if (released || from !== buffer) return
          released = true
          if (--readers === 0) lentEnd = 0
        },
      }
    },
  }
}

const encoder = new TextEncoder()
