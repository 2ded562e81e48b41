/** What is needed of a Node stream of bytes. */
export interface ByteStream {
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown
  on(event: "end" | "close", listener: () => void): unknown
  on(event: "error", listener: (error: Error) => void): unknown
  pause(): unknown
  resume(): unknown
}

export interface ChunkOptions {
  /** Called once nothing more is wanted. */
  leave(): void
  /** What is thrown for an error of the stream. */
  thrown(error: Error): Error
}

/** Chunks that may wait before the stream is asked to wait. */
const maxWaiting = 64

type Result = IteratorResult<Uint8Array, undefined>

/**
 * The chunks of a stream as they come, for one reader. A stream's own iterator costs several times as much for each chunk,
 * which at one chunk a token is most of what reading a reply costs; for the same reason no function here is `async`.
 */
export function chunksOf(stream: ByteStream, { leave, thrown }: ChunkOptions): AsyncIterableIterator<Uint8Array> {
  const chunks: Uint8Array[] = []
  let over: { readonly error: Error | null } | null = null
  let asking: PromiseWithResolvers<Result> | null = null
  let paused = false
  let left = false
  const finish = (): IteratorReturnResult<undefined> => {
    if (!left) leave()
    left = true
    return { done: true, value: undefined }
  }
  const answer = ({ resolve, reject }: PromiseWithResolvers<Result>): void => {
    const value = left ? undefined : chunks.shift()
    if (value !== undefined) {
      if (paused && chunks.length === 0) {
        paused = false
        stream.resume()
      }
      return resolve({ done: false, value })
    }
    const ended = finish()
    if (over?.error) reject(thrown(over.error))
    else resolve(ended)
  }
  const tell = (): void => {
    const waiting = asking
    asking = null
    if (waiting) answer(waiting)
  }
  const end = (error: Error | null): void => {
    over ??= { error }
    tell()
  }
  stream.on("data", (chunk) => {
    if (chunks.push(chunk) >= maxWaiting) {
      paused = true
      stream.pause()
    }
    tell()
  })
  stream.on("end", () => end(null))
  stream.on("error", end)
  // After its end, or instead of it: a connection that broke without saying so.
  stream.on("close", () => end(new Error("The connection was closed")))
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next() {
      const wanted = Promise.withResolvers<Result>()
      if (chunks.length > 0 || over !== null || left) answer(wanted)
      else asking = wanted
      return wanted.promise
    },
    return() {
      chunks.length = 0
      const ended = finish()
      tell()
      return Promise.resolve(ended)
    },
  }
}
