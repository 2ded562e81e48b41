import { failureOf, type NewEntry, type PublishedStep, type RunEnd, type Step } from "@gong/spec"
import type { CommandChanges } from "../changes/command-changes.ts"

export interface DriveDeps {
  readonly write: (bodies: readonly NewEntry[]) => unknown
  readonly publish: (step: PublishedStep) => void
  /** Null: changes by commands are not recorded. */
  readonly commandChanges: CommandChanges | null
  /** As `Store.settled`. */
  readonly settled: () => Promise<void> | null
}

/** Pulls a run to its end. Before the loop takes its next step, an entry is written, settled and published. */
export async function drive(
  steps: AsyncGenerator<Step, RunEnd, undefined>,
  stop: AbortController,
  { write, publish, commandChanges, settled }: DriveDeps,
): Promise<RunEnd> {
  try {
    for (;;) {
      const { value, done } = await steps.next()
      if (done) return value
      if (!("entries" in value)) publish(value)
      else {
        const scan = commandChanges?.before(value.entries)
        if (scan) await scan
        write(value.entries)
        const open = settled()
        if (open !== null) await open
        commandChanges?.after(value.entries)
      }
    }
  } catch (error) {
    // The tape refuses entries, for example because another process has its lock: no effect may happen without its entry.
    // `return()` alone would wait for the running tool (engine D7).
    stop.abort()
    await steps.return({ status: "failed", turns: 0 })
    return { status: "failed", turns: 0, failure: failureOf(error) }
  }
}
