import { createReadThrottle, type Pausable } from "./read-throttle.ts"

/** The bytes of a body on their way from who receives them to who reads them. */
export interface Chunks {
  /** For one reader. */
  readonly body: AsyncIterableIterator<Uint8Array>
  /** Copied: the memory may be used for what comes next. */
  push(bytes: Uint8Array): void
  end(): void
  /** What has come before is read before this is thrown. */
  fail(error: Error): void
}

export interface ChunkSource extends Pausable {
  /** Whether somebody looks at what comes. */
  watched(): boolean
  /** Called once nothing more is wanted. */
  leave(): void
}

/** Milliseconds between two hand-overs of small pieces: about what a screen shows. */
const frame = 33
/** The same while nobody looks. */
const unwatchedFrame = 250
/** Bytes that are handed over without a wait, since reading them is work worth a step of its own. */
const plenty = 16 * 1024
/** Bytes for which there is room at first. */
const firstRoom = 2048
/** Bytes that may wait before the source is asked to wait. */
const maxWaiting = 256 * 1024

type Result = IteratorResult<Uint8Array, undefined>

/**
 * What comes after a silence is handed over at once; small pieces that follow it closely are handed over together, one frame
 * later, or with the end (docs/decisions/a-frame-of-deltas.md). A source that has spoken for a while in small pieces is not
 * listened to all the time (docs/decisions/rests.md). No function here is `async`: there are as many steps as pieces. `now`
 * counts milliseconds.
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

  /** Answers whoever asks, as soon as there is something to say. */
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

/** Memory in which bytes are gathered. */
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
    /** What is taken is the taker's; what comes later goes into the rest. */
    take(): Uint8Array {
      const bytes = room.subarray(0, size)
      room = room.length - size < firstRoom / 2 ? Buffer.allocUnsafe(firstRoom) : room.subarray(size)
      size = 0
      return bytes
    },
  }
}
