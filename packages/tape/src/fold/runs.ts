import type { EntryOf } from "@gong/spec"
import { type Fold, mayHaveRole, indexesWhere } from "./fold.ts"

export interface Runs {
  /** The number of runs that began on this branch. */
  readonly count: number
  /** The end of the last run that has one. */
  readonly last: EntryOf<"run_end"> | null
  /** A run began and has no end: it is in progress, or Gong stopped during it. */
  readonly open: boolean
}

/** A run begins with a message of the user and ends with `run_end`; messages in between belong to it. */
export const runs: Fold<Runs> = {
  initial: () => ({ count: 0, last: null, open: false }),
  step(state, entry) {
    if (entry.type === "run_end") return { ...state, last: entry, open: false }
    const begins = entry.type === "message" && entry.message.role === "user" && !state.open
    return begins ? { ...state, count: state.count + 1, open: true } : state
  },
  needs: (branch) => indexesWhere(branch, (head) => head.type === "run_end" || mayHaveRole(head, "user")),
}
