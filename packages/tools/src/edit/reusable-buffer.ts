/** What is kept for the next file; the memory of bigger ones goes back at once. */
const KEPT_MAX_BYTES = 32 * 1024 * 1024
/** A file that would leave more of it empty lets it go: who edits small files again needs no big room. */
const USED_MIN_SHARE = 1 / 8
/** Room for what edits add to a file. */
const SPARE_SHARE = 1 / 8

let kept: Uint8Array | null = null

/**
 * Lends memory for the bytes of one file, and to the next file the same: memory that is fresh costs several times what
 * reading a big file into it does. What it holds is good until `work` is done.
 */
export async function withReusableBuffer<T>(size: number, work: (room: Uint8Array) => Promise<T>): Promise<T> {
  const room = takeKept(size) ?? Buffer.allocUnsafeSlow(Math.ceil(size * (1 + SPARE_SHARE)))
  try {
    return await work(room)
  } finally {
    if (room.length <= KEPT_MAX_BYTES) kept = room
  }
}

/** Nobody else has it meanwhile. */
function takeKept(size: number): Uint8Array | null {
  const room = kept
  kept = null
  return room !== null && size <= room.length && size >= room.length * USED_MIN_SHARE ? room : null
}
