/** Text as bytes that grows at its end and may be lent out, in pieces of memory, while it is written on. */
export interface ReusableBuffer {
  /** Forgets what stands from byte `end` on. */
  cut(end: number): void
  /** Writes at the end, as UTF-8; the new end. */
  write(text: string): number
  /** All that is written; it stays as it is until `release`. */
  lend(): { readonly bytes: readonly Uint8Array[]; release(): void }
}

interface Piece {
  /** Offset of its first byte. */
  readonly start: number
  /** Bytes of it that are written. */
  used: number
  memory: Uint8Array
}

/** Memory that is not written on yet costs nothing, so a short conversation has one piece as well. */
const pieceSize = 256 * 1024

/** In pieces of at least 4 bytes, and not in one memory that is moved as it grows: a long conversation is never copied. */
export function createReusableBuffer(size = pieceSize): ReusableBuffer {
  const pieces: Piece[] = []
  /** Who reads, and up to where at most in the pieces that stand here. */
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
      // Somebody still reads what would be written over: that piece is left to them, and its beginning copied.
      if (late.length > 0) last.memory = copied(last.memory, last.used)
    },
    write(text) {
      let piece = pieces.at(-1) ?? added()
      for (let rest = text; ; piece = added()) {
        // It ends before a character that has no room, so the pieces together are the text.
        const { read, written } = encoder.encodeInto(rest, piece.memory.subarray(piece.used))
        piece.used += written
        if (read === rest.length) return end()
        rest = rest.slice(read)
      }
    },
    lend() {
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
