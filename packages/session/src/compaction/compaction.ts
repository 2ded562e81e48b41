import { FailureError, noUsage } from "@gong/spec"
import type { FitResult } from "@gong/loop"
import { budgetOf, contextCounter, inProgress, shouldCompact } from "./budget.ts"
import { type CompactionContext, conversationOf, headTokens } from "./context.ts"
import type { CompactionResult } from "./policy.ts"
import type { Spending } from "./summarizer.ts"
import type { CompactionRequest } from "./compact-session.ts"

/** Keeps the context of one session inside the window of its model. */
export interface Compaction {
  readonly working: boolean
  /** For the loop: before a request, and after a request that was refused as too long. */
  fit(reason: "limit" | "overflow", signal: AbortSignal): Promise<FitResult>
  /** A compaction by command; `focus` may be empty. Rejects (`denied`, `compaction_in_progress`) during another one. */
  compact(focus: string): Promise<CompactionResult>
  /** Stops a compaction by command. */
  abort(): void
  /** Resolves when a run may begin: after a compaction by command. The run may try again what failed before. */
  beginRun(): Promise<void>
}

/** Loaded when the context is too large. */
const loadWork = () => import("./compact-session.ts")

export function compactionOf(context: CompactionContext): Compaction {
  const policy = () => context.deps.settings().compaction
  const { models } = context.core
  /** For the model in use, which may differ from run to run. */
  const budget = () => {
    const { reserveTokens, keepTokens } = policy()
    return budgetOf(models.current.provider.model.contextWindow, reserveTokens, keepTokens)
  }
  let working = false
  /** The last compaction by command. */
  let asked: { readonly stop: AbortController; readonly work: Promise<CompactionResult> } | null = null
  /** A summary has failed in this run. */
  let failedBefore = false

  const count = contextCounter()
  const tokensNow = (): number => {
    const { messages, countedFrom } = conversationOf(context)
    return count(messages, countedFrom, () => headTokens(context))
  }

  async function guarded(
    wanted: Pick<CompactionRequest, "reason" | "focus" | "drop" | "signal" | "spent">,
  ): Promise<CompactionResult> {
    working = true
    try {
      const { compactSession } = await loadWork()
      const tokens = tokensNow()
      const { keep } = budget()
      // The estimates may be far off, so each drop removes at least half.
      return await compactSession(context, { ...wanted, tokens, keep: wanted.drop ? Math.min(keep, tokens / 2) : keep })
    } finally {
      working = false
    }
  }

  /** True when the conversation has changed. */
  async function shrink(reason: "limit" | "overflow", signal: AbortSignal, spent: Spending): Promise<boolean> {
    const { pruneOld, shortenResults } = await loadWork()
    if (reason === "limit" && pruneOld(context, tokensNow(), budget())) return true
    if (!failedBefore) {
      const { status } = await guarded({ reason, focus: null, signal, spent })
      if (status === "done") return true
      failedBefore = status === "failed"
      // No request was refused yet: messages that cannot be removed stay as they are.
      if (status === "cancelled" || signal.aborted || (status === "nothing" && reason === "limit")) return false
    }
    if (reason === "limit") return shortenResults(context, tokensNow(), budget().keep)
    const shortened = shortenResults(context, tokensNow(), 0)
    if (shortened && tokensNow() <= budget().limit) return true
    // Without a summary and with short results only this is left: a session can always go on.
    const { status } = await guarded({ reason, focus: null, drop: true, signal, spent })
    return shortened || status === "done"
  }

  return {
    get working() {
      return working
    },
    abort: () => asked?.stop.abort(),
    async beginRun() {
      await asked?.work.catch(() => undefined)
      failedBefore = false
    },
    async compact(focus) {
      if (working) throw new FailureError(inProgress())
      const stop = new AbortController()
      const wanted = { reason: "manual", focus: focus === "" ? null : focus, signal: stop.signal } as const
      const work = guarded({ ...wanted, spent: nothingSpent() })
      asked = { stop, work }
      return work
    },
    async fit(reason, signal) {
      const spent = nothingSpent()
      const wanted = reason === "overflow" || (!failedBefore && shouldCompact(tokensNow(), budget()))
      const may = policy().auto && !working && !signal.aborted
      const changed = wanted && may && (await shrink(reason, signal, spent))
      return { changed, ...spent }
    },
  }
}

function nothingSpent(): Spending {
  return { usage: noUsage, cost: 0 }
}
