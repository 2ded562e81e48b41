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
import { type CompactionContext, conversationOf, headTokens, writeCompaction } from "./context.ts"
import type { CompactionResult } from "./policy.ts"
import { droppedText } from "./texts.ts"
import { planFallback, planPrune } from "./prune.ts"
import { lastPrompt, type SkillUse, skillUses } from "./skills.ts"
import { requestSummary, type Spending, summaryModel } from "./summarizer.ts"
import type { Summarized, SummaryRequest } from "./summary.ts"

export interface CompactionRequest {
  readonly reason: CompactionReason
  /** What the summary must cover above all; null: nothing special. */
  readonly focus: string | null
  /** The tokens of the context now. */
  readonly tokens: number
  readonly keep: number
  /** No model is asked: what is removed is dropped without a summary. */
  readonly drop?: boolean
  readonly signal: AbortSignal
  readonly spent: Spending
}

/** A compaction removes at least this share of what it keeps; after less, the next one would follow at once. */
const leastShare = 0.25

/** One compaction, from the cut to its entry on the tape. A hook may cancel it; then nothing changes. */
export async function compactSession(context: CompactionContext, wanted: CompactionRequest): Promise<CompactionResult> {
  const { reason, focus, tokens, keep } = wanted
  const { core, deps } = context
  const conversation = conversationOf(context)
  const ids = messageIds(conversation)
  const earlier = compactionAt(core.tape, ids[0])
  const first = earlier ? 1 : 0
  let begun = false
  const compacted = await compact(conversation.messages.slice(first), {
    maxTokens: 0,
    declared: deps.declared,
    keepTokens: keep,
    requestTokens: await requestTokensOf(context, wanted),
    leastTokens: reason === "manual" ? 0 : keep * leastShare,
    earlier: earlier && { written: withoutCarried(earlier.summary, earlier.carried), carried: earlier.carried ?? null },
    focus,
    isStart: (at) => conversation.messages[at + first]?.role === "user" && isInput(core.tape, ids[at + first]),
    async summarize(request) {
      if (wanted.drop) return { ok: true, text: droppedText(earlier?.summary ?? "") }
      begun = true
      return summarize(context, wanted, request)
    },
  })
  const end = endOf(compacted, conversation, tokens, headTokens(context))
  if (compacted.status === "done") {
    const { summary, carried, from } = compacted
    const { tokensBefore, tokensAfter = 0 } = end
    const firstKeptEntryId = ids[from + first] ?? ""
    const callIds = conversation.messages.slice(0, from + first).flatMap(callsIn)
    await writeCompaction(context, { summary, firstKeptEntryId, tokensBefore, tokensAfter, reason, carried, callIds })
    if (wanted.drop) core.notify(dropNotification(tokensBefore, tokensAfter))
  } else if (begun || reason === "manual") core.notify(endNotification(end))
  return end
}

/** Requests the summary, unless a hook cancels the compaction. */
async function summarize(
  context: CompactionContext,
  { reason, focus, tokens, signal, spent }: CompactionRequest,
  request: SummaryRequest,
): Promise<Summarized> {
  const { hooks, notify } = context.core
  notify({ code: "compaction_start", reason, tokens })
  const gate = await hooks.beforeSessionOp("compact", { reason, tokens, focus })
  for (const notification of hooks.takeNotifications()) notify(notification)
  if (gate.answer === "block") return { ok: false, failure: failure("denied", gate.reason) }
  return requestSummary(context, { purpose: "compaction", ...request }, spent, signal)
}

function callsIn(message: Message): readonly string[] {
  return message.role === "assistant" ? toolCallsOf(message).map(({ id }) => id) : []
}

/** Shortens old results where that alone is enough; false where it is not. */
export function pruneOld(context: CompactionContext, tokens: number, budget: Budget): boolean {
  return prune(context, planPrune(conversationOf(context), tokens, budget, skillsIn(context)))
}

/** Without a summary: shortens the results before the newest `keep` tokens; false when none gets shorter. */
export function shortenResults(context: CompactionContext, tokens: number, keep: number): boolean {
  return prune(context, planFallback(conversationOf(context), tokens, keep, skillsIn(context)))
}

function skillsIn(context: CompactionContext): readonly SkillUse[] {
  const { declared, expander } = context.deps
  const conversation = conversationOf(context)
  const taskFrom = lastPrompt(context.core.tape, messageIds(conversation))
  return skillUses(conversation.messages, { skillAt: expander.skillAt, declared, taskFrom })
}

function prune({ core }: CompactionContext, plan: PruneBody | null): boolean {
  if (plan === null) return false
  core.writer.write([plan])
  core.notify(pruneNotification(plan))
  return true
}

/** Tokens that the request for the summary may take: the context window of the model that writes it, less its reply. */
async function requestTokensOf(context: CompactionContext, { reason, tokens }: CompactionRequest): Promise<number> {
  const { provider, reserveTokens } = context.deps.settings().compaction
  const { model } = await summaryModel(context)
  // A provider that refuses less than the stated context window has a smaller one.
  const refused = reason === "overflow" && provider === null
  return requestRoom(model, reserveTokens, refused ? Math.min(model.contextWindow, tokens) : undefined)
}

/** The compaction whose summary is the first message; null when there was none. */
function compactionAt(tape: Tape, id: string | undefined): EntryOf<"compaction"> | null {
  const entry = id === undefined ? null : tape.entry(id)
  return entry?.type === "compaction" ? entry : null
}

/** Whether a message is the user's, and not one that Gong inserted: only the user's begin a turn. */
function isInput(tape: Tape, id: string | undefined): boolean {
  return id !== undefined && tape.entry(id)?.type === "message"
}

function endOf(compacted: Compacted, context: Context, tokensBefore: number, head: number): CompactionResult {
  switch (compacted.status) {
    case "done": {
      // Both are estimates; the count of the provider corrects them.
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

function dropNotification(before: number, after: number): Notification {
  const text = phrase`no summary could be made: the oldest turns are no longer sent to the model: about ${before} -> ${after} tokens`
  return textNotification("pruned", "warn", text)
}

function pruneNotification({ tokensBefore, tokensAfter }: PruneBody): Notification {
  const text = phrase`old tool results are sent shortened from here on: about ${tokensBefore} -> ${tokensAfter} tokens`
  return textNotification("pruned", "info", text)
}
