import { failureOf, type NewEntry, type PublishedStep, type RunEnd, type Step } from "@gong/spec"
import type { CommandChanges } from "../changes/command-changes.ts"

export interface DriveDeps {
  readonly write: (bodies: readonly NewEntry[]) => unknown
  readonly publish: (step: PublishedStep) => void
  readonly found: CommandChanges | null
  /** As `Store.settled`. */
  readonly settled: () => Promise<void> | null
}

/** Pulls a run to its end. An entry is on the tape, as durable as it has to be, and shown, before the loop takes its next step. */
export async function drive(
  steps: AsyncGenerator<Step, RunEnd, undefined>,
  stop: AbortController,
  { write, publish, found, settled }: DriveDeps,
): Promise<RunEnd> {
  try {
    for (;;) {
      const { value, done } = await steps.next()
      if (done) return value
      if (!("entries" in value)) publish(value)
      else {
        const finding = found?.before(value.entries)
        if (finding) await finding
        write(value.entries)
        const open = settled()
        if (open !== null) await open
        found?.after(value.entries)
      }
    }
  } catch (error) {
    // The tape itself refused, e.g. another process took it: nothing may happen that it cannot hold.
    // `return()` alone would wait for the running tool (engine D7).
    stop.abort()
    await steps.return({ status: "failed", turns: 0 })
    return { status: "failed", turns: 0, failure: failureOf(error) }
  }
}
