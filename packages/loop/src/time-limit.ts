import type { LoopPorts } from "./ports.ts"

/** A run's ports whose signal also ends when its time is up: a request, a wait and a tool are left like any other run. */
export interface TimeLimit {
  readonly ports: LoopPorts
  /** The time, and not the caller, ended the run. */
  isUp(): boolean
  /** To be called when the run is over: nothing rings after it. */
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
