/** Bytes that can be asked for piece by piece. */
export interface Source {
  readonly size: number
  /** The bytes may lie in `into`, which the caller lends. */
  read(from: number, to: number, into?: Uint8Array): Promise<Uint8Array>
}

export interface Window {
  readonly from: number
  /** Good until the next window is asked for. */
  readonly bytes: Uint8Array
}

const WINDOW_BYTES = 512 * 1024

/**
 * All bytes in order, in two rooms of half a megabyte: while one window is looked at, the next is read. Behind the first
 * window nothing is read ahead, because most readers want no more.
 */
export async function* windowsOf(source: Source): AsyncGenerator<Window> {
  const rooms = [0, 1].map((at) => new Uint8Array(Math.max(0, Math.min(WINDOW_BYTES, source.size - at * WINDOW_BYTES))))
  const readFrom = (from: number) => {
    const read = source.read(from, Math.min(from + WINDOW_BYTES, source.size), rooms[(from / WINDOW_BYTES) % 2])
    // Who leaves early does not hear how it ended.
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
