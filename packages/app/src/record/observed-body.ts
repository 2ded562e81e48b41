export interface BodyObserver {
  onChunk(chunk: Uint8Array): void
  /** The body was read to its end, or abandoned. */
  onEnd(kind: "done" | "left"): void
  onError(error: unknown): void
}

/** Passes the bytes on, and reports them. */
export function observedBody(body: AsyncIterable<Uint8Array>, watch: BodyObserver): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const chunks = body[Symbol.asyncIterator]()
      return {
        async next() {
          try {
            const next = await chunks.next()
            if (next.done === true) watch.onEnd("done")
            else watch.onChunk(next.value)
            return next
          } catch (error) {
            watch.onError(error)
            throw error
          }
        },
        async return() {
          watch.onEnd("left")
          await chunks.return?.()
          return { done: true, value: undefined }
        },
      }
    },
  }
}
