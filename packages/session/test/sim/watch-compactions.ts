import type { PublishedStep } from "@gong/spec"
import type { RareState } from "./counts.ts"

export interface CompactionWatch {
  /** `stalled`: the disk is full now. */
  seen(step: PublishedStep, stalled: boolean): void
  /** Another process starts. */
  restart(): void
}

/** Counts the outcomes of the compactions of a world. */
export function compactionWatch(count: (state: RareState) => void): CompactionWatch {
  let working = false

  function notification({ notification }: Extract<PublishedStep, { notification: unknown }>): void {
    if (notification.code === "compaction_start") working = true
    if (notification.code === "queue" && working) count("compaction steered")
    if (notification.code !== "compaction_end") return
    working = false
    if (notification.status === "failed") count("compaction failed")
    if (notification.status === "cancelled" && notification.failure.kind === "denied")
      count("compaction refused by a gate")
  }

  return {
    seen(step, stalled) {
      if ("notification" in step) notification(step)
      if (!("entries" in step)) return
      for (const entry of step.entries) {
        if (entry.type === "prune") count("results pruned")
        if (entry.type !== "compaction") continue
        working = false
        count("compaction done")
        if (entry.reason === "overflow") count("compaction after overflow")
        if (entry.reason === "manual") count("compaction by hand")
        if (stalled) count("compaction on a full disk")
      }
    },
    restart() {
      if (working) count("compaction cut by a crash")
      working = false
    },
  }
}
