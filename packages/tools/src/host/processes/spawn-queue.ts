import type { ExecResult } from "@gong/spec"

/** Starts the commands of many sessions in order, with a limit on concurrent starts. */
export interface SpawnQueue {
  /** Starts the command when a slot is free. A command aborted before that counts as killed. */
  run(signal: AbortSignal, start: () => Promise<ExecResult>): Promise<ExecResult>
}

/**
 * Milliseconds after which a running command releases its slot. So no command waits forever, nor for one that itself
 * needs another command.
 */
const maxHeld = 250

/**
 * Forking blocks the event loop while the system copies this process. At most one process is started per turn of the
 * loop, and `places` limits how many compete for the CPU during start-up.
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
