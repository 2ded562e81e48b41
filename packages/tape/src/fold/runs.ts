import type { EntryOf } from "@gong/spec"
import { type Fold, mayHaveRole, indexesWhere } from "./fold.ts"

export interface Runs {
  /** Runs that were begun on this branch. */
  readonly count: number
  /** How the last run that ended did. */
  readonly last: EntryOf<"run_end"> | null
  /** A run was begun and has no end: it is under way, or Gong stopped in it. */
  readonly open: boolean
}

/** A run begins with a user's message and ends with `run_end`; messages put in meanwhile belong to it. */
export const runs: Fold<Runs> = {
  initial: () => ({ count: 0, last: null, open: false }),
  step(state, entry) {
    if (entry.type === "run_end") return { ...state, last: entry, open: false }
    const begins = entry.type === "message" && entry.message.role === "user" && !state.open
    return begins ? { ...state, count: state.count + 1, open: true } : state
  },
  needs: (branch) => indexesWhere(branch, (head) => head.type === "run_end" || mayHaveRole(head, "user")),
}
