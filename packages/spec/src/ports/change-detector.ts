import type { ChangeBody } from "../session/entry.ts"

/** Detects workspace changes made by commands, after the fact. */
export interface ChangeDetector {
  /** A tool of the session is about to change this file, so the change is not attributed to a command. A real path. */
  expectChange(path: string): void
  /** Whether a command may have changed something since the last scan; at the end of a run background jobs count too. */
  isDue(atEnd: boolean): boolean
  /** Scans the workspace; bounded in time, never throws. */
  scan(): Promise<ScanResult>
}

export interface ScanResult {
  /** Each has its outcome in `file`. */
  readonly changes: readonly Omit<ChangeBody, "type">[]
  /** Why changes may be missing, as a sentence fragment; null for a complete scan. */
  readonly cut: string | null
}
