import type { Failure } from "@gong/spec"
import type { SessionsContext } from "../context.ts"
import type { SessionReads } from "../reads.ts"

/** The paths that reads need. */
export type ThreadContext = Pick<SessionsContext, "sessions" | "trash" | "index">

export interface Request {
  readonly id: number
  readonly context: ThreadContext
  readonly verb: keyof SessionReads
  readonly values: readonly unknown[]
}

export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: Failure }
  /** An internal error: its stack. */
  | { readonly id: number; readonly broken: string }
