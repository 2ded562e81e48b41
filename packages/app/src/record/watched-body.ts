export interface BodyWatch {
  got(chunk: Uint8Array): void
  /** The body was read to its end, or abandoned. */
  over(kind: "done" | "left"): void
  broke(error: unknown): void
}

/** Passes the bytes on, and reports them. */
export function watchedBody(body: AsyncIterable<Uint8Array>, watch: BodyWatch): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const chunks = body[Symbol.asyncIterator]()
      return {
        async next() {
          try {
            const next = await chunks.next()
            if (next.done === true) watch.over("done")
            else watch.got(next.value)
            return next
          } catch (error) {
            watch.broke(error)
            throw error
          }
        },
        async return() {
          watch.over("left")
          await chunks.return?.()
          return { done: true, value: undefined }
        },
      }
    },
  }
}
