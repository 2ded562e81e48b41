import { FailureError } from "@gong/spec"
import { busy } from "./notifications.ts"

/** Lets one piece of work run at a time. */
export interface Exclusive {
  readonly running: boolean
  /** Begins work that `end` ends. Throws FailureError (`denied`) while other work runs. */
  begin(): AbortController
  end(): void
  /** Runs work to its end. Rejects as `begin` throws. */
  run<T>(work: (stop: AbortController) => Promise<T>): Promise<T>
  /** Aborts the work that runs. */
  abort(): void
}

export function exclusiveWork(): Exclusive {
  let active: AbortController | null = null
  const begin = (): AbortController => {
    if (active) throw new FailureError(busy())
    active = new AbortController()
    return active
  }
  const end = (): void => {
    active = null
  }
  return {
    get running() {
      return active !== null
    },
    begin,
    end,
    async run(work) {
      const stop = begin()
      try {
        return await work(stop)
      } finally {
        end()
      }
    },
    abort: () => active?.abort(),
  }
}
