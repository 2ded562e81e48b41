import type { FileChange, ToolStatus, UserContent } from "../model/message.ts"

/** A tool's result. `content` is for the model, `details` for people and programs; neither is derived from the other. */
export interface ToolResult<D = Readonly<Record<string, unknown>> | null> {
  readonly content: readonly UserContent[]
  readonly details: D
  readonly isError: boolean
  /** Default: `ok`, or `error` with `isError`. */
  readonly status?: ToolStatus
  readonly files?: readonly FileChange[]
}
