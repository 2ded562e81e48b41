import { estimateMessage, type Message, type PruneBody } from "@gong/spec"
import { type Context, messageIds, shortened } from "@gong/tape"
import type { Budget } from "./budget.ts"
import { fallbackChars } from "./compact.ts"

/** The newest messages that are never pruned: so many times what a compaction keeps, and at most this share of the limit. */
const protectedKeeps = 2
const protectedShare = 1 / 3
/** Characters that remain of an old result. */
const oldChars = 400

/**
 * What makes room without a summary: results of tools that are old enough, shortened. Only when that alone brings the
 * context well below the limit: every time the provider's cache is lost from the first shortened result on, so it is
 * done seldom and in big steps, and never shortly before a compaction. Null otherwise.
 */
export function planPrune(context: Context, tokens: number, { limit, keep }: Budget): PruneBody | null {
  const untouched = Math.min(protectedKeeps * keep, protectedShare * limit)
  const plan = planOver(context, olderThan(context.messages, untouched), oldChars, tokens)
  return plan !== null && plan.tokensAfter <= limit - keep ? plan : null
}

/** When there is no summary: results before the newest `keep` tokens (contract section 13). Null when none gets shorter. */
export function planFallback(context: Context, tokens: number, keep: number): PruneBody | null {
  const { messages } = context
  return planOver(context, keep === 0 ? messages.length : olderThan(messages, keep), fallbackChars, tokens)
}

/** How many messages stand before the newest ones of so many tokens. */
function olderThan(messages: readonly Message[], tokens: number): number {
  let kept = 0
  let at = messages.length
  while (at > 0 && kept <= tokens) kept += tokensAt(messages, --at)
  return at
}

function planOver(context: Context, to: number, chars: number, tokens: number): PruneBody | null {
  let saved = 0
  for (const message of context.messages.slice(0, to)) {
    if (message.role === "tool") saved += estimateMessage(message) - estimateMessage(shortened(message, chars))
  }
  const upTo = saved > 0 ? messageIds(context)[to - 1] : undefined
  if (upTo === undefined) return null
  return { type: "prune", upTo, chars, tokensBefore: tokens, tokensAfter: Math.max(0, tokens - saved) }
}

function tokensAt(messages: readonly Message[], at: number): number {
  const message = messages[at]
  return message === undefined ? 0 : estimateMessage(message)
}
