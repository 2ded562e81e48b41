import type { ExecResult } from "@gong/spec"

/** Commands of many sessions start one after the other, so many beside one another. */
export interface SpawnQueue {
  /** Starts the command when it is its turn. One whose signal aborts before that counts as killed. */
  run(signal: AbortSignal, start: () => Promise<ExecResult>): Promise<ExecResult>
}

/**
 * Milliseconds after which a command that still runs gives its place to the next one: so no command waits without end for
 * others, nor for one that itself needs another command.
 */
const maxHeld = 250

/**
 * Starting a process stops the event loop for as long as the system needs to copy this one. At most one is started in each
 * turn of the loop, and `places` bounds how many compete for the processors at their beginning.
 */
export function createSpawnQueue(places: number): SpawnQueue {
  const waiting = new Set<() => void>()
  let free = places
  let scheduled = false

  const schedule = (): void => {
    if (scheduled || free === 0 || waiting.size === 0) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      const [first] = waiting
      first?.()
      schedule()
    })
  }
  const started = async (start: () => Promise<ExecResult>): Promise<ExecResult> => {
    free -= 1
    let held = true
    const leave = (): void => {
      if (held) free += 1
      held = false
      schedule()
    }
    const timer = setTimeout(leave, maxHeld)
    try {
      return await start()
    } finally {
      clearTimeout(timer)
      leave()
    }
  }
  return {
    run(signal, start) {
      const { promise, resolve } = Promise.withResolvers<ExecResult>()
      const begin = (): void => {
        waiting.delete(begin)
        signal.removeEventListener("abort", abort)
        resolve(started(start))
      }
      const abort = (): void => {
        waiting.delete(begin)
        resolve({ code: null, signal: "SIGKILL" })
      }
      if (signal.aborted) abort()
      else {
        signal.addEventListener("abort", abort, { once: true })
        waiting.add(begin)
        schedule()
      }
      return promise
    },
  }
}
