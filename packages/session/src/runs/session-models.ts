import type { NewEntry } from "@gong/spec"
import { type Fallback, type RunModels, runModels } from "./fallback.ts"
import type { ModelSelection } from "./model-selection.ts"

/** The selection of a session, and that of the run in progress. */
export interface SessionModels {
  /** What the run in progress uses; without one, what the next run begins with. */
  readonly current: ModelSelection
  /** Sets the selection for the next run. */
  select(selection: ModelSelection): void
  beginRun(): RunModels
  /** Ends the run, so that the selection holds again. Entries say so where the run ended with a fallback. */
  endRun(): readonly NewEntry[]
}

export function sessionModels(initial: ModelSelection, fallbacks: readonly Fallback[]): SessionModels {
  let selected = initial
  let run: RunModels | null = null
  return {
    get current() {
      return run?.current ?? selected
    },
    select(selection) {
      selected = selection
    },
    beginRun() {
      run = runModels(selected, fallbacks)
      return run
    },
    endRun() {
      const entries = run?.changesTo(selected) ?? []
      run = null
      return entries
    },
  }
}
