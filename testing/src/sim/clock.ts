import type { Clock } from "@gong/spec"

/** A clock that advances only on request. */
export interface ManualClock extends Clock {
  /** Pending timers and sleeps. */
  readonly waiting: number
  /** Advances by `ms`, calls due timers in order, and waits for the work that they start. */
  advance(ms: number): Promise<void>
  /** Advances to the next timer and calls it; false if there is none. Does not wait for the work that it starts. */
  step(): boolean
  /** Advances from timer to timer until none is pending; throws after `limit` of them (default 10,000). Returns the elapsed time. */
  runUntilIdle(limit?: number): Promise<number>
}

interface Timer {
  readonly at: number
  readonly callback: () => void
}

/**
 * `start`: milliseconds since the epoch; default the beginning of 2026. `settled`: waits for the work that a timer starts;
 * default `settle`.
 */
export function manualClock(start = Date.UTC(2026, 0, 1), settled = settle): ManualClock {
  let now = start
  const timers = new Set<Timer>()

  function timer(ms: number, callback: () => void): () => void {
    const entry = { at: now + Math.max(0, ms), callback }
    timers.add(entry)
    return () => timers.delete(entry)
  }

  /** Of two timers for the same time, the older one is first. */
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

/** A sleep based on a timer. */
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

/** Runs all promise continuations: an immediate comes after them. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** The same without an event loop turn, if no real I/O is pending: Node runs the next tick after all promise jobs. */
export function settlePromises(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}
