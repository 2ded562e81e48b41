import type { Clock } from "@gong/spec"

/** Virtual time: it stands still until a test moves it, so nothing in a test waits for the wall clock. */
export interface ManualClock extends Clock {
  /** Moves time on, calling every timer that comes due, in the order of their times. */
  advance(ms: number): void
  /** Milliseconds until the next timer; null when none is set. */
  nextTimer(): number | null
  readonly timers: number
}

export function manualClock(start = Date.UTC(2026, 0, 1)): ManualClock {
  let now = start
  let count = 0
  const timers = new Map<number, { readonly at: number; readonly callback: () => void }>()
  const soonest = (): readonly [number, { readonly at: number; readonly callback: () => void }] | null =>
    [...timers].reduce<ReturnType<typeof soonest>>((best, row) => (best && best[1].at <= row[1].at ? best : row), null)
  const timer = (ms: number, callback: () => void): (() => void) => {
    const id = (count += 1)
    timers.set(id, { at: now + ms, callback })
    return () => timers.delete(id)
  }
  return {
    now: () => now,
    timer,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const stop = (): void => {
          cancel()
          reject(signal?.reason)
        }
        const cancel = timer(ms, () => {
          signal?.removeEventListener("abort", stop)
          resolve()
        })
        signal?.addEventListener("abort", stop, { once: true })
      })
    },
    advance(ms) {
      const end = now + ms
      for (let next = soonest(); next && next[1].at <= end; next = soonest()) {
        now = Math.max(now, next[1].at)
        timers.delete(next[0])
        next[1].callback()
      }
      now = end
    },
    nextTimer: () => {
      const next = soonest()
      return next ? Math.max(0, next[1].at - now) : null
    },
    get timers() {
      return timers.size
    },
  }
}
