import { estimateMessage, type Failure, failure, type Message, type Model, totalTokens, phrase } from "@gong/spec"

/** Tokens reserved for the next request and its reply (contract section 13). */
export const reserveTokens = 16_384
/** A compaction keeps the newest messages up to this many tokens. */
export const keepRecentTokens = 20_000
/** Each is at most this share of the context window, so that small models work as well (interface 5 M). */
const maxShare = 0.25

export interface Budget {
  /** Above this many tokens the context is compacted. */
  readonly limit: number
  readonly keep: number
}

/** The budget of a context window; `reserve` and `keep` from the settings. */
export function budgetOf(window: number, reserve = reserveTokens, keep = keepRecentTokens): Budget {
  const most = Math.floor(window * maxShare)
  return { limit: window - Math.min(reserve, most), keep: Math.min(keep, most) }
}

/** Tokens that a request for a summary may take: the context window of the model, or `window`, less its reply. */
export function requestRoom(model: Model, reserve: number, window = model.contextWindow): number {
  return window - Math.min(Math.max(reserve, model.maxOutput), window / 2)
}

/** Contract section 13: strictly more, so that a context that just fits is not compacted. */
export function shouldCompact(contextTokens: number, { limit }: Budget): boolean {
  return contextTokens > limit
}

/**
 * Tokens of the next request: the provider's count for its last complete reply, plus an estimate of later messages. Without a
 * count from `countedFrom` on, everything is estimated; `head` is the estimate for the system prompt and the tools.
 */
export type ContextCounter = (messages: readonly Message[], countedFrom: number, head: () => number) => number

/** Counts one conversation repeatedly; as long as its array only grows, only new messages are counted. */
export function contextCounter(): ContextCounter {
  let known: readonly Message[] | null = null
  let length = 0
  /** The count of the last reply that has one; 0 without one. */
  let counted = 0
  /** The estimate of later messages. */
  let after = 0
  return (messages, countedFrom, head) => {
    if (messages !== known || messages.length < length) {
      // Messages before the last count are not estimated: a resumed conversation may be long.
      const at = messages.findLastIndex((message, place) => place >= countedFrom && reported(message) > 0)
      known = messages
      length = Math.max(at, 0)
      counted = 0
      after = 0
    }
    for (const message of messages.slice(length)) {
      const count = length >= countedFrom ? reported(message) : 0
      if (count > 0) counted = count
      after = count > 0 ? 0 : after + estimateMessage(message)
      length += 1
    }
    return counted > 0 ? counted + after : head() + after
  }
}

/** The failure of a second compaction at the same time. */
export function inProgress(): Failure {
  return failure("denied", phrase`compaction_in_progress: this session is being compacted already.`)
}

/** The provider's count; 0 where it is missing or incomplete. */
function reported(message: Message): number {
  if (message.role !== "assistant" || message.stopReason === "error" || message.stopReason === "aborted") return 0
  return totalTokens(message.usage)
}
