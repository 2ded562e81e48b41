import type { ChangeBody } from "../entry.ts"

/** Detects workspace changes made by commands, after the fact. */
export interface Watch {
  /** A tool of the session is about to change this file, so no command gets the credit. A real path. */
  changing(path: string): void
  /** Whether a command may have changed something since the last scan; at the end of a run background jobs count too. */
  isDue(atEnd: boolean): boolean
  /** Scans the workspace; bounded in time, never throws. */
  look(): Promise<Looked>
}

export interface Looked {
  /** Each has its outcome in `file`. */
  readonly changes: readonly Omit<ChangeBody, "type">[]
  /** Why changes may be missing, as a sentence fragment; null for a complete scan. */
  readonly cut: string | null
}
