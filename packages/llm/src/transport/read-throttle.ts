/** Decides when a source is read: not while its reader is slow, and not during a pause. */
export interface ReadThrottle {
  /** A chunk of `size` bytes was received. */
  came(size: number): void
  /** Whether the buffer is full, so that no more may come. */
  full(is: boolean): void
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
const rest = 33
/** Milliseconds of activity before the first pause. A pause may delay the end, by at most 1/30 of the total. */
const patience = 30 * rest
/** Chunks per pause length that make a pause worthwhile. */
const many = 4
/** Bytes from which a chunk is not small. */
const large = 16 * 1024
/** Milliseconds after a pause within which a chunk counts as having waited. */
const atOnce = 2

/**
 * A source that sends many small chunks is paused periodically: waking up for each costs more than processing it
 * (docs/decisions/rests.md). `now` is in milliseconds.
 */
export function createReadThrottle({ pause, resume }: Pausable, now: () => number): ReadThrottle {
  let paused = false
  let isFull = false
  let resting: NodeJS.Timeout | null = null
  let firstAt: number | null = null
  /** Start of the counting interval. */
  let since = -Infinity
  let pieces = 0
  /** End of the last pause. */
  let restedAt = -Infinity

  function settle(): void {
    const wanted = isFull || resting !== null
    if (paused === wanted) return
    paused = wanted
    if (paused) pause()
    else resume()
  }

  function begin(): void {
    pieces = 0
    resting ??= setTimeout(end, rest)
    settle()
  }

  function end(): void {
    resting = null
    restedAt = now()
    settle()
  }

  return {
    came(size) {
      const at = now()
      firstAt ??= at
      if (at - firstAt < patience || size >= large) return
      if (at - restedAt < atOnce) return begin()
      if (at - since > rest) [since, pieces] = [at, 0]
      if (++pieces >= many) begin()
    },
    full(is) {
      isFull = is
      settle()
    },
    stop() {
      if (resting !== null) clearTimeout(resting)
    },
  }
}
