import { type Entry, type NewEntry, type PublishedStep, syncTime } from "@gong/spec"
import type { AppendEntry, Tape } from "@gong/tape"
import { storageWarning } from "./notifications.ts"
import { type Settled, settledOn } from "./settled.ts"

/** The only writer of a session's tape while the session is open. */
export interface SessionWriter {
  /** Appends entries, with the sync that each needs, and publishes them. */
  write(bodies: readonly NewEntry[]): readonly Entry[]
  /** Publishes the entries that `append` returns, and a warning when the disk has stopped accepting entries. */
  publishWritten(append: () => readonly Entry[]): readonly Entry[]
  readonly settled: Settled
}

/** `isReadOnly`: whether a tool, by its name, only reads. */
export function sessionWriter(
  tape: Tape,
  isReadOnly: (tool: string) => boolean,
  publish: (step: PublishedStep) => void,
): SessionWriter {
  function publishWritten(append: () => readonly Entry[]): readonly Entry[] {
    const stalledBefore = tape.stalled
    const entries = append()
    publish({ entries })
    if (tape.stalled && !stalledBefore) publish({ notification: storageWarning(tape.stalled) })
    return entries
  }
  return {
    write(bodies) {
      const times = bodies.map((body) => syncTime(body, isReadOnly))
      const sync = times.includes("before")
      return publishWritten(() => {
        const entries = tape.append(bodies as readonly AppendEntry[], { sync })
        if (!sync && times.includes("behind")) tape.beginSync()
        return entries
      })
    },
    publishWritten,
    settled: settledOn(tape),
  }
}
