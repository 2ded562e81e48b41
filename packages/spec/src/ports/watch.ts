import type { ChangeBody } from "../entry.ts"

/** Finds what commands changed in the workspace, afterwards. */
export interface Watch {
  /** A tool of the session is about to change this file itself: that is no work of a command. A real path. */
  changing(path: string): void
  /** Whether a command ran that may have changed something since the last look; at the end of a run also for a job. */
  isDue(atEnd: boolean): boolean
  /** One look at the workspace; bounded in time, never throws. */
  look(): Promise<Looked>
}

export interface Looked {
  /** Each says in `file` what happened. */
  readonly changes: readonly Omit<ChangeBody, "type">[]
  /** Why changes may be missing from it, half a sentence; null when all was looked at. */
  readonly cut: string | null
}
