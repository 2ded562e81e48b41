/** An append-only buffer of UTF-8 text in chunks. A snapshot stays valid while the buffer is truncated and extended. */
export interface ReusableBuffer {
  /** Truncates to `end` bytes. */
  cut(end: number): void
  /** Appends as UTF-8; returns the new end. */
  write(text: string): number
  /** All bytes so far, unchanged until `release`. */
  snapshot(): { readonly bytes: readonly Uint8Array[]; release(): void }
}

interface Piece {
  /** Offset of its first byte. */
  readonly start: number
  /** Number of written bytes. */
  used: number
  memory: Uint8Array
}

/** Untouched memory costs nothing, so a short conversation also gets a whole chunk. */
const pieceSize = 256 * 1024

/** Chunks of at least 4 bytes instead of one reallocated block: a long conversation is never copied. */
export function createReusableBuffer(size = pieceSize): ReusableBuffer {
  const pieces: Piece[] = []
  /** Open snapshots, each with the end of the range that it may still read. */
  const readers = new Set<{ end: number }>()

  function end(): number {
    const last = pieces.at(-1)
    return last === undefined ? 0 : last.start + last.used
  }

  function added(): Piece {
    const piece = { start: end(), used: 0, memory: new Uint8Array(size) }
    pieces.push(piece)
    return piece
  }

  return {
    cut(to) {
      while ((pieces.at(-1)?.start ?? -1) >= to) pieces.pop()
      const last = pieces.at(-1)
      const late = [...readers].filter((reader) => reader.end > to)
      for (const reader of late) reader.end = to
      if (last === undefined || to === end()) return
      last.used = to - last.start
      // A snapshot still reads the range to be overwritten: it keeps that memory, and the beginning is copied.
      if (late.length > 0) last.memory = copied(last.memory, last.used)
    },
    write(text) {
      let piece = pieces.at(-1) ?? added()
      for (let rest = text; ; piece = added()) {
        // Stops before a character that does not fit, so the chunks together are the text.
        const { read, written } = encoder.encodeInto(rest, piece.memory.subarray(piece.used))
        piece.used += written
        if (read === rest.length) return end()
        rest = rest.slice(read)
      }
    },
    snapshot() {
      const reader = { end: end() }
      readers.add(reader)
      const bytes = pieces.map(({ memory, used }) => memory.subarray(0, used))
      return { bytes, release: () => void readers.delete(reader) }
    },
  }
}

function copied(memory: Uint8Array, used: number): Uint8Array {
  const copy = new Uint8Array(memory.length)
  copy.set(memory.subarray(0, used))
  return copy
}

const encoder = new TextEncoder()
