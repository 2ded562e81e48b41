import type { Failure, Provider } from "@gong/spec"

export interface CompactionPolicy {
  /** Compacts without a command when the context grows too large, or after a request that was refused for its length. */
  readonly auto: boolean
  /** Tokens; at most a quarter of the context window counts. */
  readonly reserveTokens: number
  readonly keepTokens: number
  /** The model for summaries; null: the model of the session. */
  readonly provider: (() => Promise<Provider>) | null
}

export interface CompactionResult {
  readonly status: "done" | "nothing" | "failed" | "cancelled"
  readonly tokensBefore: number
  readonly tokensAfter?: number
  readonly failure?: Failure
}
