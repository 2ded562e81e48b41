import type { Failure } from "../text/failure.ts"

/** How a run ended; the process exit status and the `result` line follow from it. */
export type RunStatus = "done" | "failed" | "limit" | "refused" | "interrupted"

export interface RunEnd {
  readonly status: RunStatus
  readonly turns: number
  readonly failure?: Failure
  /** Which limit: `turns`, `cost`, `tokens`, `time` or `repeat`. */
  readonly limit?: string
}
