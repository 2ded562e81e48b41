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
const frameLength = 33
/** The same if nobody reads live. */
const unwatchedFrameLength = 250
/** Bytes that are delivered at once, since they are worth a step of their own. */
const immediateSize = 16 * 1024
/** Initial buffer size in bytes. */
const initialSize = 2048
/** Buffered bytes at which the source is paused. */
const maxWaiting = 256 * 1024

type Result = IteratorResult<Uint8Array, undefined>

/**
 * Delivers the first chunk after a silence at once; small chunks that follow closely are delivered together one frame later, or
 * at the end (docs/decisions/a-frame-of-deltas.md). A source that sends small chunks for a while is throttled
 * (docs/decisions/rests.md). No function here is `async`, so there is one step per delivery. `now` is in milliseconds.
 */
export function createChunks(source: ChunkSource, now = () => performance.now()): Chunks {
  const buffered = createByteBuffer()
  let deliveredAt = -Infinity
  let timer: NodeJS.Timeout | undefined
  let over: { readonly error: Error | null } | null = null
  let pendingRead: PromiseWithResolvers<Result> | null = null
  let left = false
  const throttle = createReadThrottle(source, now)

  function finish(): IteratorReturnResult<undefined> {
    clearTimeout(timer)
    throttle.stop()
    if (!left) source.leave()
    left = true
    return { done: true, value: undefined }
  }

  function take(): Uint8Array {
    deliveredAt = now()
    throttle.setFull(false)
    return buffered.take()
  }

  /** Answers the pending read as soon as possible. */
  function answerRead(): void {
    if (pendingRead === null) return
    const { resolve, reject } = pendingRead
    if (buffered.size() > 0 && !left) {
      const due = deliveredAt + (source.watched() ? frameLength : unwatchedFrameLength)
      const wait = over !== null || buffered.size() >= immediateSize ? 0 : due - now()
      if (wait > 0) return void (timer ??= setTimeout(onFrame, wait))
      pendingRead = null
      return resolve({ done: false, value: take() })
    }
    if (over === null && !left) return
    pendingRead = null
    const ended = finish()
    if (over?.error) reject(over.error)
    else resolve(ended)
  }

  function onFrame(): void {
    timer = undefined
    answerRead()
  }

  function end(error: Error | null): void {
    over ??= { error }
    throttle.stop()
    answerRead()
  }

  return {
    push(bytes) {
      if (left || bytes.length === 0) return
      buffered.put(bytes)
      throttle.received(bytes.length)
      throttle.setFull(buffered.size() >= maxWaiting)
      answerRead()
    },
    end: () => end(null),
    fail: end,
    body: {
      [Symbol.asyncIterator]() {
        return this
      },
      next() {
        pendingRead = Promise.withResolvers<Result>()
        const { promise } = pendingRead
        answerRead()
        return promise
      },
      return() {
        const ended = finish()
        answerRead()
        return Promise.resolve(ended)
      },
    },
  }
}

/** A growing byte buffer. */
function createByteBuffer() {
  let memory = Buffer.allocUnsafe(initialSize)
  let size = 0
  return {
    size: () => size,
    put(bytes: Uint8Array): void {
      const needed = size + bytes.length
      if (needed > memory.length) {
        const larger = Buffer.allocUnsafe(Math.max(needed, memory.length * 2))
        memory.copy(larger, 0, 0, size)
        memory = larger
      }
      memory.set(bytes, size)
      size = needed
    },
    /** The caller owns the taken bytes; later bytes go into the remaining space. */
    take(): Uint8Array {
      const bytes = memory.subarray(0, size)
      memory = memory.length - size < initialSize / 2 ? Buffer.allocUnsafe(initialSize) : memory.subarray(size)
      size = 0
      return bytes
    },
  }
}
