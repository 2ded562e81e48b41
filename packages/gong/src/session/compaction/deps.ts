import type { Clock, CompactionBody, Declarations, Failure, Ids, NewEntry, Notification, Provider } from "@gong/spec"
import type { HookRunner } from "@gong/loop"
import type { Context, Tape } from "@gong/tape"
import type { TemplateExpander } from "../input/template-expander.ts"
import type { RetryPolicy } from "../runs/retry.ts"

export interface CompactionPolicy {
  /** Compacts by itself when the context grows too large, or a request was refused for it. */
  readonly auto: boolean
  /** Tokens; neither counts for more than a quarter of the window. */
  readonly reserveTokens: number
  readonly keepTokens: number
  /** A model for summaries; null: the session's own. */
  readonly provider: (() => Promise<Provider>) | null
}

export interface CompactionDeps {
  readonly compaction: CompactionPolicy
  /** The session's model, as it is now. */
  readonly provider: Provider
  readonly hooks: HookRunner
  readonly clock: Clock
  readonly ids: Ids
  readonly retry: RetryPolicy
  readonly tape: Tape
  readonly expander: Pick<TemplateExpander, "skillAt">
  readonly declared: Declarations
  context(): Context
  /** Tokens of the system prompt and the tools. */
  head(): number
  write(entries: readonly NewEntry[]): readonly NewEntry[]
  notify(notification: Notification): void
  /** Puts it on the tape and shows it; resolves when it survives a power cut. */
  compactTape(compaction: Omit<CompactionBody, "type">): Promise<void>
}

export interface CompactionResult {
  readonly status: "done" | "nothing" | "failed" | "cancelled"
  readonly tokensBefore: number
  readonly tokensAfter?: number
  readonly failure?: Failure
}
