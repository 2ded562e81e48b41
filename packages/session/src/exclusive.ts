import { FailureError } from "@gong/spec"
import { busy } from "./notifications.ts"

/** Lets one piece of work run at a time. */
export interface Exclusive {
  readonly running: boolean
  /** Rejects with FailureError (`denied`) while other work runs. */
  run<T>(work: (stop: AbortController) => Promise<T>): Promise<T>
  /** Aborts the work that runs. */
  abort(): void
}

export function exclusiveWork(): Exclusive {
  let active: AbortController | null = null
  return {
    get running() {
      return active !== null
    },
    async run(work) {
      if (active) throw new FailureError(busy())
      const stop = new AbortController()
      active = stop
      try {
        return await work(stop)
      } finally {
        active = null
      }
    },
    abort: () => active?.abort(),
  }
}
