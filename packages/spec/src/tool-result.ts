import type { FileChange, ToolStatus, UserContent } from "./message.ts"

/** What a tool gives back. `content` goes to the model, `details` to people and programs; neither is made from the other. */
export interface ToolResult<D = Readonly<Record<string, unknown>> | null> {
  readonly content: readonly UserContent[]
  readonly details: D
  readonly isError: boolean
  /** Default: `ok`, or `error` with `isError`. */
  readonly status?: ToolStatus
  readonly files?: readonly FileChange[]
}
