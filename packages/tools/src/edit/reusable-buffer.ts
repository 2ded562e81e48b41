/** Largest buffer kept for the next file. Larger ones are freed at once. */
const KEPT_MAX_BYTES = 32 * 1024 * 1024
/** A buffer is freed if a file uses less than this share, so that small edits do not keep a large buffer. */
const USED_MIN_SHARE = 1 / 8
/** Extra space for text that edits add. */
const SPARE_SHARE = 1 / 8

let kept: Uint8Array | null = null

/**
 * Lends a buffer for the bytes of one file and reuses it for the next: fresh memory costs several times as much as
 * reading a large file. The content is valid until `work` ends.
 */
export async function withReusableBuffer<T>(size: number, work: (room: Uint8Array) => Promise<T>): Promise<T> {
  const room = takeKept(size) ?? Buffer.allocUnsafeSlow(Math.ceil(size * (1 + SPARE_SHARE)))
  try {
    return await work(room)
  } finally {
    if (room.length <= KEPT_MAX_BYTES) kept = room
  }
}

/** Taken exclusively; concurrent edits allocate their own. */
function takeKept(size: number): Uint8Array | null {
  const room = kept
  kept = null
  return room !== null && size <= room.length && size >= room.length * USED_MIN_SHARE ? room : null
}
