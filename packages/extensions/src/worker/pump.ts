import { phrase } from "@gong/spec"
import { maxUnconsumed } from "../protocol.ts"
import { ownError } from "./own-error.ts"

/** Sends the chunks of one stream out of the thread. */
export interface Pump {
  /** Ends with the stream or the signal. Rethrows errors of the stream. */
  run(chunks: unknown, signal: AbortSignal): Promise<void>
  /** This many characters were consumed. */
  consumed(size: number): void
}

/**
 * Pulls a chunk only while few are unconsumed, so that an endless stream cannot fill the memory. `send` returns its
 * size.
 */
export function pump(send: (chunk: unknown) => number): Pump {
  let ahead = 0
  /** Resolves the current wait. */
  let wake = (): void => undefined
  const capacity = (): Promise<void> => new Promise((resolve) => (wake = resolve))
  const nextOf = (iterator: Iterate): Promise<IteratorResult<unknown> | null> => {
    const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<unknown> | null>()
    wake = () => resolve(null)
    Promise.resolve(iterator.next()).then(resolve, reject)
    return promise
  }
  return {
    consumed(size) {
      const full = ahead >= maxUnconsumed
      ahead -= size
      if (full && ahead < maxUnconsumed) wake()
    },
    async run(chunks, signal) {
      const iterator = iteratorOf(chunks)
      signal.addEventListener("abort", () => wake(), { once: true })
      while (!signal.aborted) {
        if (ahead >= maxUnconsumed) {
          await capacity()
          continue
        }
        const next = await nextOf(iterator)
        if (next === null || signal.aborted) break
        if (next.done === true) return
        ahead += send(next.value)
      }
      // Its cleanup is not awaited.
      close(iterator).catch(() => undefined)
    },
  }
}

type Iterate = AsyncIterator<unknown> | Iterator<unknown>

function iteratorOf(chunks: unknown): Iterate {
  const { [Symbol.asyncIterator]: later, [Symbol.iterator]: now } = Object(chunks) as Partial<
    AsyncIterable<unknown> & Iterable<unknown>
  >
  const begin = later ?? (typeof chunks === "string" ? undefined : now)
  if (begin === undefined)
    throw ownError(phrase`stream() gives no pieces. Write it as a generator: async *stream() {...}`)
  return Reflect.apply(begin, chunks, []) as Iterate
}

async function close(iterator: Iterate): Promise<void> {
  await iterator.return?.()
}
