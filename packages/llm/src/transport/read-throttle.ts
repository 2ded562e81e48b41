/** Decides when a source is read: not while its reader is slow, and not during a pause. */
export interface ReadThrottle {
  /** A chunk of `size` bytes was received. */
  received(size: number): void
  /** Whether the buffer is full, so that no more may come. */
  setFull(is: boolean): void
  /** Ends throttling. */
  stop(): void
}

/** Called only on changes. */
export interface Pausable {
  /** No more data until `resume`. */
  pause(): void
  resume(): void
}

/** Length of one pause in milliseconds: about one screen frame. */
const pauseLength = 33
/** Milliseconds of activity before the first pause. A pause may delay the end, by at most 1/30 of the total. */
const warmUp = 30 * pauseLength
/** Chunks per pause length that make a pause worthwhile. */
const minChunks = 4
/** Bytes from which a chunk is not small. */
const largeChunk = 16 * 1024
/** Milliseconds after a pause within which a chunk counts as having waited. */
const afterPause = 2

/**
 * A source that sends many small chunks is paused periodically: waking up for each costs more than processing it
 * (docs/decisions/rests.md). A pause begins after everything that was read at once: TLS through a proxy delivers each record as a
 * chunk of its own, and only one of those that waited would arrive between two pauses. `now` is in milliseconds.
 */
export function createReadThrottle({ pause, resume }: Pausable, now: () => number): ReadThrottle {
  let paused = false
  let isFull = false
  /** Ends the current or planned pause. */
  let pauseTimer: NodeJS.Timeout | null = null
  /** Begins a planned pause. */
  let pauseStart: NodeJS.Immediate | null = null
  let firstAt: number | null = null
  /** Start of the counting interval. */
  let since = -Infinity
  let chunkCount = 0
  /** End of the last pause. */
  let lastPauseEnd = -Infinity

  function update(): void {
    const wanted = isFull || (pauseTimer !== null && pauseStart === null)
    if (paused === wanted) return
    paused = wanted
    if (paused) pause()
    else resume()
  }

  function beginPause(): void {
    chunkCount = 0
    if (pauseTimer !== null) return
    pauseTimer = setTimeout(endPause, pauseLength)
    pauseStart = setImmediate(startPause)
  }

  function startPause(): void {
    pauseStart = null
    update()
  }

  function endPause(): void {
    pauseTimer = null
    lastPauseEnd = now()
    update()
  }

  return {
    received(size) {
      const at = now()
      firstAt ??= at
      if (at - firstAt < warmUp || size >= largeChunk) return
      if (at - lastPauseEnd < afterPause) return beginPause()
      if (at - since > pauseLength) [since, chunkCount] = [at, 0]
      if (++chunkCount >= minChunks) beginPause()
    },
    setFull(is) {
      isFull = is
      update()
    },
    stop() {
      if (pauseStart !== null) clearImmediate(pauseStart)
      if (pauseTimer !== null) clearTimeout(pauseTimer)
    },
  }
}
