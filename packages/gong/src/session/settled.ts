import type { Tape } from "@gong/tape"

/** Resolves with a value when what was written is as durable as it has to be: then it may be acknowledged, or take effect. */
export type Settled = <T>(value: T) => Promise<T>

export function settledOn(tape: Pick<Tape, "settled">): Settled {
  return async (value) => {
    const open = tape.settled()
    if (open !== null) await open
    return value
  }
}

type Flushed = Pick<Tape, "stalled" | "settled" | "flush">

/** Why nothing may be changed now. What had to wait may have been written meanwhile, and has to settle first. */
export function refusesChanges(tape: Flushed, settled: Settled): null | Promise<string | null> {
  if (tape.stalled === null && tape.settled() === null) return null
  return settled(tape.flush() ? null : `the session cannot be written (${tape.stalled?.message}).`)
}
