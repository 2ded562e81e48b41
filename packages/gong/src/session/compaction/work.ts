import {
  type CompactionReason,
  type EntryOf,
  estimateTokens,
  failure,
  type Message,
  type Notification,
  phrase,
  type PruneBody,
  textNotification,
  toolCallsOf,
} from "@gong/spec"
import { type Context, messageIds, type Tape } from "@gong/tape"
import { type Budget, requestRoom } from "./budget.ts"
import { withoutCarried } from "./carried.ts"
import { compact, type Compacted } from "./compact.ts"
import type { CompactionResult, CompactionDeps } from "./deps.ts"
import { planFallback, planPrune } from "./prune.ts"
import { lastPrompt, type SkillUse, skillUses } from "./skills.ts"
import { askForSummary, type Spending, summarizer } from "./summarizer.ts"
import type { Summarized, SummaryRequest } from "./summary.ts"

export interface CompactionRequest {
  readonly reason: CompactionReason
  /** What the summary should keep above all. */
  readonly focus: string | null
  /** Tokens of the context now. */
  readonly tokens: number
  readonly keep: number
  readonly signal: AbortSignal
  readonly spent: Spending
}

/** What a compaction takes away is at least this share of what it keeps: less would be asked for again at once. */
const leastShare = 0.25

/** One compaction, from the cut to its entry on the tape. A hook may cancel it, which changes nothing. */
export async function compactNow(parts: CompactionDeps, wanted: CompactionRequest): Promise<CompactionResult> {
  const { reason, focus, tokens, keep, signal, spent } = wanted
  const { tape } = parts
  const context = parts.context()
  const ids = messageIds(context)
  const earlier = compactionAt(tape, ids[0])
  const first = earlier ? 1 : 0
  let begun = false
  const summarize = async (request: SummaryRequest): Promise<Summarized> => {
    begun = true
    parts.notify({ code: "compaction_start", reason, tokens })
    const gate = await parts.hooks.beforeSessionOp("compact", { reason, tokens, focus })
    for (const notification of parts.hooks.takeNotifications()) parts.notify(notification)
    if (gate.answer === "block") return { ok: false, failure: failure("denied", gate.reason) }
    return askForSummary(summarizer(parts, "compaction"), request, spent, signal)
  }
  const compacted = await compact(context.messages.slice(first), {
    maxTokens: 0,
    declared: parts.declared,
    keepTokens: keep,
    requestTokens: await requestTokensOf(parts, wanted),
    leastTokens: reason === "manual" ? 0 : keep * leastShare,
    earlier: earlier && { written: withoutCarried(earlier.summary, earlier.carried), carried: earlier.carried ?? null },
    focus,
    isStart: (at) => context.messages[at + first]?.role === "user" && isInput(tape, ids[at + first]),
    summarize,
  })
  const end = endOf(compacted, context, tokens, parts.head())
  if (compacted.status === "done") {
    const { summary, carried, from } = compacted
    const { tokensBefore, tokensAfter = 0 } = end
    const firstKeptEntryId = ids[from + first] ?? ""
    const callIds = context.messages.slice(0, from + first).flatMap(callsIn)
    await parts.compactTape({ summary, firstKeptEntryId, tokensBefore, tokensAfter, reason, carried, callIds })
  } else if (begun || reason === "manual") parts.notify(endNotification(end))
  return end
}

function callsIn(message: Message): readonly string[] {
  return message.role === "assistant" ? toolCallsOf(message).map(({ id }) => id) : []
}

/** Shortens old results where that alone is enough; false: it is not. */
export function pruneOld(parts: CompactionDeps, tokens: number, budget: Budget): boolean {
  return prune(parts, planPrune(parts.context(), tokens, budget, skillsIn(parts)))
}

/** Without a summary: shortens the results before the newest `keep` tokens; false: none gets shorter. */
export function shortenResults(parts: CompactionDeps, tokens: number, keep: number): boolean {
  return prune(parts, planFallback(parts.context(), tokens, keep, skillsIn(parts)))
}

function skillsIn({ tape, context, declared, expander: { skillAt } }: CompactionDeps): readonly SkillUse[] {
  const { messages } = context()
  return skillUses(messages, { skillAt, declared, taskFrom: lastPrompt(tape, messageIds(context())) })
}

function prune(parts: CompactionDeps, plan: PruneBody | null): boolean {
  if (plan === null) return false
  parts.write([plan])
  parts.notify(pruneNotification(plan))
  return true
}

/** Tokens that the request for a summary may take: the window of the model that is asked, less its reply. */
async function requestTokensOf(
  { compaction, provider }: CompactionDeps,
  { reason, tokens }: CompactionRequest,
): Promise<number> {
  const { model } = compaction.provider ? await compaction.provider() : provider
  // A provider that refuses less than its window promises has a smaller one.
  const refused = reason === "overflow" && compaction.provider === null
  return requestRoom(model, compaction.reserveTokens, refused ? Math.min(model.contextWindow, tokens) : undefined)
}

/** The compaction whose summary is the first message; null when there was none. */
function compactionAt(tape: Tape, id: string | undefined): EntryOf<"compaction"> | null {
  const entry = id === undefined ? null : tape.entry(id)
  return entry?.type === "compaction" ? entry : null
}

/** Words of the user, and not what Gong says to the model in between: with those no turn begins. */
function isInput(tape: Tape, id: string | undefined): boolean {
  return id !== undefined && tape.entry(id)?.type === "message"
}

function endOf(compacted: Compacted, context: Context, tokensBefore: number, head: number): CompactionResult {
  switch (compacted.status) {
    case "done": {
      // Both are estimated, and what the provider counted says how far off estimates are here.
      const share = (head + estimateTokens(compacted.messages)) / (head + estimateTokens(context.messages))
      return { status: "done", tokensBefore, tokensAfter: Math.round(tokensBefore * share) }
    }
    case "unchanged":
      return {
        status: "nothing",
        tokensBefore,
        failure: failure("limit", phrase`There is nothing to compact yet.`),
      }
    case "failed": {
      const status = compacted.failure.kind === "denied" ? "cancelled" : "failed"
      return { status, tokensBefore, failure: compacted.failure }
    }
  }
}

function endNotification({ status, tokensBefore, failure: why }: CompactionResult): Notification {
  const ended = status === "done" ? "failed" : status
  return { code: "compaction_end", status: ended, tokensBefore, failure: why ?? failure("internal", "no reason") }
}

function pruneNotification({ tokensBefore, tokensAfter }: PruneBody): Notification {
  const text = phrase`old tool results are sent shortened from here on: about ${tokensBefore} -> ${tokensAfter} tokens`
  return textNotification("pruned", "info", text)
}
