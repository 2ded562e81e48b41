import { createReadThrottle, type Pausable } from "./read-throttle.ts"

/** The bytes of a body between the socket and its reader. */
export interface Chunks {
  /** For one reader. */
  readonly body: AsyncIterableIterator<Uint8Array>
  /** Copies the bytes; the caller may reuse its buffer. */
  push(bytes: Uint8Array): void
  end(): void
  /** Thrown after all earlier bytes were read. */
  fail(error: Error): void
}

export interface ChunkSource extends Pausable {
  /** Whether somebody reads the body live. */
  watched(): boolean
  /** Called when no more bytes are needed. */
  leave(): void
}

/** Milliseconds between deliveries of small chunks: about one screen frame. */
const frame = 33
/** The same if nobody reads live. */
const unwatchedFrame = 250
/** Bytes that are delivered at once, since they are worth a step of their own. */
const plenty = 16 * 1024
/** Initial buffer size in bytes. */
const firstRoom = 2048
/** Buffered bytes at which the source is paused. */
const maxWaiting = 256 * 1024

type Result = IteratorResult<Uint8Array, undefined>

/**
 * Delivers the first chunk after a silence at once; small chunks that follow closely are delivered together one frame later, or
 * at the end (docs/decisions/a-frame-of-deltas.md). A source that sends small chunks for a while is throttled
 * (docs/decisions/rests.md). No function here is `async`, so there is one step per delivery. `now` is in milliseconds.
 */
export function createChunks(source: ChunkSource, now = () => performance.now()): Chunks {
  const { watched, leave } = source
  const waiting = createRoom()
  let handedAt = -Infinity
  let timer: NodeJS.Timeout | undefined
  let over: { readonly error: Error | null } | null = null
  let asking: PromiseWithResolvers<Result> | null = null
  let left = false
  const throttle = createReadThrottle(source, now)

  function finish(): IteratorReturnResult<undefined> {
    clearTimeout(timer)
    throttle.stop()
    if (!left) leave()
    left = true
    return { done: true, value: undefined }
  }

  function take(): Uint8Array {
    handedAt = now()
    throttle.full(false)
    return waiting.take()
  }

  /** Answers the pending read as soon as possible. */
  function tell(): void {
    if (asking === null) return
    const { resolve, reject } = asking
    if (waiting.size > 0 && !left) {
      const wait = over !== null || waiting.size >= plenty ? 0 : handedAt + (watched() ? frame : unwatchedFrame) - now()
      if (wait > 0) return void (timer ??= setTimeout(onFrame, wait))
      asking = null
      return resolve({ done: false, value: take() })
    }
    if (over === null && !left) return
    asking = null
    const ended = finish()
    if (over?.error) reject(over.error)
    else resolve(ended)
  }

  function onFrame(): void {
    timer = undefined
    tell()
  }

  function end(error: Error | null): void {
    over ??= { error }
    throttle.stop()
    tell()
  }

  return {
    push(bytes) {
      if (left || bytes.length === 0) return
      waiting.put(bytes)
      throttle.came(bytes.length)
      throttle.full(waiting.size >= maxWaiting)
      tell()
    },
    end: () => end(null),
    fail: end,
    body: {
      [Symbol.asyncIterator]() {
        return this
      },
      next() {
        asking = Promise.withResolvers<Result>()
        const { promise } = asking
        tell()
        return promise
      },
      return() {
        const ended = finish()
        tell()
        return Promise.resolve(ended)
      },
    },
  }
}

/** A growing byte buffer. */
function createRoom() {
  let room = Buffer.allocUnsafe(firstRoom)
  let size = 0
  return {
    get size() {
      return size
    },
    put(bytes: Uint8Array): void {
      const needed = size + bytes.length
      if (needed > room.length) {
        const larger = Buffer.allocUnsafe(Math.max(needed, room.length * 2))
        room.copy(larger, 0, 0, size)
        room = larger
      }
      room.set(bytes, size)
      size = needed
    },
    /** The caller owns the taken bytes; later bytes go into the remaining space. */
    take(): Uint8Array {
      const bytes = room.subarray(0, size)
      room = room.length - size < firstRoom / 2 ? Buffer.allocUnsafe(firstRoom) : room.subarray(size)
      size = 0
      return bytes
    },
  }
}
