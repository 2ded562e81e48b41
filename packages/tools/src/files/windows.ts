/** Bytes that can be read in ranges. */
export interface Source {
  readonly size: number
  /** May use `into`, a buffer of the caller. */
  read(from: number, to: number, into?: Uint8Array): Promise<Uint8Array>
}

export interface Window {
  readonly from: number
  /** Valid until the next window is requested. */
  readonly bytes: Uint8Array
}

const WINDOW_BYTES = 512 * 1024

/**
 * All bytes in order, with two buffers of half a megabyte: the next window is read while the current one is processed.
 * After the first window nothing is read ahead, because most callers stop there.
 */
export async function* windowsOf(source: Source): AsyncGenerator<Window> {
  const rooms = [0, 1].map((at) => new Uint8Array(Math.max(0, Math.min(WINDOW_BYTES, source.size - at * WINDOW_BYTES))))
  const readFrom = (from: number) => {
    const read = source.read(from, Math.min(from + WINDOW_BYTES, source.size), rooms[(from / WINDOW_BYTES) % 2])
    // A caller that stops early does not handle errors of the read-ahead.
    read.catch(() => undefined)
    return read
  }
  let ahead: Promise<Uint8Array> | null = null
  for (let from = 0; from < source.size; from += WINDOW_BYTES) {
    const bytes = await (ahead ?? readFrom(from))
    const next = from + WINDOW_BYTES
    ahead = from > 0 && next < source.size ? readFrom(next) : null
    yield { from, bytes }
  }
}
