import type { Clock } from "@gong/spec"

/** Time that stands still until it is told to go on. */
export interface ManualClock extends Clock {
  /** Timers and sleeps that wait. */
  readonly waiting: number
  /** Goes on by `ms`; what falls due on the way is called in order, and what it begins is let settle. */
  advance(ms: number): Promise<void>
  /** Goes to the next timer and calls it back; false when none waits. What it begins is not yet settled. */
  step(): boolean
  /** Goes from one timer to the next until none waits; throws after `limit` of them (default 10,000). Returns the time passed. */
  runUntilIdle(limit?: number): Promise<number>
}

interface Timer {
  readonly at: number
  readonly callback: () => void
}

/**
 * `start`: milliseconds since the epoch; default the beginning of 2026. `settled`: lets what a timer has begun go on; default
 * `settle`.
 */
export function manualClock(start = Date.UTC(2026, 0, 1), settled = settle): ManualClock {
  let now = start
  const timers = new Set<Timer>()

  function timer(ms: number, callback: () => void): () => void {
    const entry = { at: now + Math.max(0, ms), callback }
    timers.add(entry)
    return () => timers.delete(entry)
  }

  /** Of two timers for the same time, the older comes first. */
  function next(): Timer | undefined {
    let first: Timer | undefined
    for (const entry of timers) if (first === undefined || entry.at < first.at) first = entry
    return first
  }

  function fire(entry: Timer): void {
    timers.delete(entry)
    now = Math.max(now, entry.at)
    entry.callback()
  }

  async function advance(ms: number): Promise<void> {
    const until = now + ms
    await settled()
    for (let entry = next(); entry !== undefined && entry.at <= until; entry = next()) {
      fire(entry)
      await settled()
    }
    now = until
  }

  async function runUntilIdle(limit = 10_000): Promise<number> {
    const began = now
    await settled()
    let count = 0
    for (let entry = next(); entry !== undefined; entry = next()) {
      if (++count > limit) throw new Error(`The simulated clock is not idle after ${limit} timers`)
      fire(entry)
      await settled()
    }
    return now - began
  }

  return {
    now: () => now,
    timer,
    sleep: (ms, signal) => sleepOn(timer, ms, signal),
    get waiting() {
      return timers.size
    },
    advance,
    step() {
      const entry = next()
      if (entry !== undefined) fire(entry)
      return entry !== undefined
    },
    runUntilIdle,
  }
}

/** A sleep made of a timer. */
export function sleepOn(timer: Clock["timer"], ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const abort = () => {
      cancel()
      reject(signal?.reason)
    }
    const cancel = timer(ms, () => {
      signal?.removeEventListener("abort", abort)
      resolve()
    })
    return signal?.addEventListener("abort", abort, { once: true })
  })
}

/** Lets every promise that can go on do so: an immediate comes after all of them. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** The same without a turn of the event loop, where nothing real is waited for: Node runs the next tick after all promise jobs. */
export function settlePromises(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}
