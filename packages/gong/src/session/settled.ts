import type { Tape } from "@gong/tape"

/** Resolves with a value when what was written is as durable as it has to be: then it may be acknowledged, or take effect. */
export type Settled = <T>(value: T) => Promise<T>

export function settledOn(tape: Tape): Settled {
  return async (value) => {
    const open = tape.settled()
    if (open !== null) await open
    return value
  }
}

/** Why nothing may be changed now. What was written has settled before this is asked, but for what had to wait. */
export function refusesChanges(tape: Tape, settled: Settled): null | Promise<string | null> {
  if (tape.stalled === null) return null
  return settled(tape.flush() ? null : `the session cannot be written (${tape.stalled?.message}).`)
}
