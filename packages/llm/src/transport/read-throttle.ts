/** When a source is listened to: not while its reader is slow, and not while it rests. */
export interface ReadThrottle {
  /** A piece of so many bytes came. */
  came(size: number): void
  /** Whether so much waits for the reader that no more may come. */
  full(is: boolean): void
  /** No rest begins or ends from now on. */
  stop(): void
}

/** What is told only when it changes. */
export interface Pausable {
  /** Nothing more may come until `resume`. */
  pause(): void
  resume(): void
}

/** Milliseconds of one rest: about what a screen shows. */
const rest = 33
/** Milliseconds that a source must have spoken before it rests: a rest may hide its end, and is at most 1/30 of it all. */
const patience = 30 * rest
/** Pieces in the time of a rest that make one worth its while. */
const many = 4
/** Bytes of a piece of which nobody would say that it is small. */
const large = 16 * 1024
/** Milliseconds after a rest within which a piece comes that had been waiting. */
const atOnce = 2

/**
 * A source that has brought small pieces for a while, and quickly, rests from time to time: to wake up for each of them
 * costs more than they do (docs/decisions/rests.md). `now` counts milliseconds.
 */
export function createReadThrottle({ pause, resume }: Pausable, now: () => number): ReadThrottle {
  let paused = false
  let isFull = false
  let resting: NodeJS.Timeout | null = null
  let firstAt: number | null = null
  /** Since when pieces are counted. */
  let since = -Infinity
  let pieces = 0
  /** When the last rest ended. */
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
