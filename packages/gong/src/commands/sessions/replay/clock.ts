import type { Clock } from "@gong/spec"

/** The time of the recording: follows the tape, and jumps to the next timer if nothing else is pending. */
export interface ReplayClock extends Clock {
  /** Number of pending sleeps. */
  readonly sleeping: number
  /** Advances to this time, if it is later, without running timers. */
  advanceTo(now: number): void
  /** Jumps to the next timer and runs it; false if there is none. */
  runNextTimer(): boolean
}

interface Timer {
  readonly at: number
  call(): void
}

/** `start`: milliseconds since the epoch. */
export function replayClock(start: number): ReplayClock {
  let now = start
  let sleeping = 0
  const timers = new Set<Timer>()
  const timer: Clock["timer"] = (ms, call) => {
    const one = { at: now + Math.max(0, ms), call }
    timers.add(one)
    return () => timers.delete(one)
  }
  return {
    now: () => now,
    timer,
    sleep(ms, signal) {
      sleeping += 1
      return new Promise<void>((resolve, reject) => {
        const cancel = timer(ms, resolve)
        const stop = (): void => {
          cancel()
          reject(signal?.reason)
        }
        if (signal?.aborted) stop()
        else signal?.addEventListener("abort", stop, { once: true })
      }).finally(() => (sleeping -= 1))
    },
    get sleeping() {
      return sleeping
    },
    advanceTo(later) {
      now = Math.max(now, later)
    },
    runNextTimer() {
      let next: Timer | undefined
      for (const one of timers) if (next === undefined || one.at < next.at) next = one
      if (next === undefined) return false
      timers.delete(next)
      now = Math.max(now, next.at)
      next.call()
      return true
    },
  }
}
