import type { Clock } from "@gong/spec"

/** The time of the recording: it stands still, follows the tape, and jumps where somebody waits for nothing but time. */
export interface ReplayClock extends Clock {
  /** Sleeps that wait. */
  readonly sleeping: number
  /** It is at least as late as this; nothing falls due by it. */
  reach(now: number): void
  /** Jumps to the next timer and calls it back; false when none waits. */
  step(): boolean
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
    reach(later) {
      now = Math.max(now, later)
    },
    step() {
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
