import { phrase } from "@gong/spec"
import { maxAhead } from "../protocol.ts"
import { ownError } from "./own-error.ts"

/** Sends the chunks of one stream out of the thread. */
export interface Pump {
  /** Ends with the stream or the signal. Rethrows errors of the stream. */
  run(pieces: unknown, signal: AbortSignal): Promise<void>
  /** This many characters were consumed. */
  taken(size: number): void
}

/**
 * Pulls a chunk only while few are unconsumed, so that an endless stream cannot fill the memory. `send` returns its
 * size.
 */
export function pump(send: (piece: unknown) => number): Pump {
  let ahead = 0
  /** Resolves the current wait. */
  let wake = (): void => undefined
  const room = (): Promise<void> => new Promise((resolve) => (wake = resolve))
  const nextOf = (iterator: Iterate): Promise<IteratorResult<unknown> | null> => {
    const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<unknown> | null>()
    wake = () => resolve(null)
    Promise.resolve(iterator.next()).then(resolve, reject)
    return promise
  }
  return {
    taken(size) {
      const full = ahead >= maxAhead
      ahead -= size
      if (full && ahead < maxAhead) wake()
    },
    async run(pieces, signal) {
      const iterator = iteratorOf(pieces)
      signal.addEventListener("abort", () => wake(), { once: true })
      while (!signal.aborted) {
        if (ahead >= maxAhead) {
          await room()
          continue
        }
        const next = await nextOf(iterator)
        if (next === null || signal.aborted) break
        if (next.done === true) return
        ahead += send(next.value)
      }
      // Its cleanup is not awaited.
      leave(iterator).catch(() => undefined)
    },
  }
}

type Iterate = AsyncIterator<unknown> | Iterator<unknown>

function iteratorOf(pieces: unknown): Iterate {
  const { [Symbol.asyncIterator]: later, [Symbol.iterator]: now } = Object(pieces) as Partial<
    AsyncIterable<unknown> & Iterable<unknown>
  >
  const begin = later ?? (typeof pieces === "string" ? undefined : now)
  if (begin === undefined)
    throw ownError(phrase`stream() gives no pieces. Write it as a generator: async *stream() {...}`)
  return Reflect.apply(begin, pieces, []) as Iterate
}

async function leave(iterator: Iterate): Promise<void> {
  await iterator.return?.()
}
