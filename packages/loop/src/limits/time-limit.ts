import type { LoopPorts } from "../ports.ts"

/** The ports of a run with a signal that also aborts at the time limit, so requests, waits and tools end as on any abort. */
export interface TimeLimit {
  readonly ports: LoopPorts
  /** Whether the time limit, and not the caller, ended the run. */
  isUp(): boolean
  /** Cancels the timer; to be called at the end of the run. */
  close(): void
}

export function timeLimit(given: LoopPorts): TimeLimit {
  const { maxTime } = given.limits
  if (maxTime === undefined) return { ports: given, isUp: () => false, close: () => undefined }
  const stop = new AbortController()
  let up = false
  const cancel = given.clock.timer(maxTime, () => {
    up = !given.signal.aborted
    stop.abort()
  })
  return {
    ports: { ...given, signal: AbortSignal.any([given.signal, stop.signal]) },
    isUp: () => up,
    close: cancel,
  }
}
