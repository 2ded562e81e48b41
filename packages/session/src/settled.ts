import type { Tape } from "@gong/tape"

/** Resolves with the value when everything written has settled: then it may be acknowledged, or take effect. */
export type Settled = <T>(value: T) => Promise<T>

export function settledOn(tape: Pick<Tape, "settled">): Settled {
  return async (value) => {
    const open = tape.settled()
    if (open !== null) await open
    return value
  }
}

type Flushed = Pick<Tape, "stalled" | "settled" | "flush">

/** The reason why tools may not change anything now, or null. Entries that waited may have been written since, and must settle. */
export function refusesChanges(tape: Flushed, settled: Settled): null | Promise<string | null> {
  if (tape.stalled === null && tape.settled() === null) return null
  return settled(tape.flush() ? null : `the session cannot be written (${tape.stalled?.message}).`)
}
