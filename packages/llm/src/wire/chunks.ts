/** What is needed of a Node stream of bytes. */
export interface ByteStream {
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown
  on(event: "end" | "close", listener: () => void): unknown
  on(event: "error", listener: (error: Error) => void): unknown
  pause(): unknown
  resume(): unknown
}

/** Chunks that may wait before the stream is asked to wait. */
const maxWaiting = 64

/**
 * The chunks of a stream as they come. A stream's own iterator costs several times as much for each chunk, which at one
 * chunk a token is most of what reading a reply costs. `leave` is called once nothing more is wanted.
 */
export function chunksOf(stream: ByteStream, leave: () => void): AsyncIterableIterator<Uint8Array> {
  const chunks: Uint8Array[] = []
  let over: { readonly error: Error | null } | null = null
  let wake: (() => void) | null = null
  let left = false
  const tell = (): void => {
    const waiting = wake
    wake = null
    waiting?.()
  }
  const end = (error: Error | null): void => {
    over ??= { error }
    tell()
  }
  stream.on("data", (chunk) => {
    if (chunks.push(chunk) >= maxWaiting) stream.pause()
    tell()
  })
  stream.on("end", () => end(null))
  stream.on("error", end)
  // After its end, or instead of it: a connection that broke without saying so.
  stream.on("close", () => end(new Error("The connection was closed")))
  const finish = (): IteratorReturnResult<undefined> => {
    if (!left) leave()
    left = true
    return { done: true, value: undefined }
  }
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      while (chunks.length === 0 && over === null && !left) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      const chunk = left ? undefined : chunks.shift()
      if (chunk !== undefined) {
        if (chunks.length === 0) stream.resume()
        return { done: false, value: chunk }
      }
      const ended = finish()
      if (over?.error) throw over.error
      return ended
    },
    async return() {
      chunks.length = 0
      return finish()
    },
  }
}
