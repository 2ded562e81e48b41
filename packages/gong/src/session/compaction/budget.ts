import { estimateMessage, type Failure, failure, type Message, type Model, totalTokens, phrase } from "@gong/spec"

/** Tokens that are held free for the next request and its reply (contract section 13). */
export const reserveTokens = 16_384
/** Tokens of the newest messages that a compaction keeps as they are. */
export const keepRecentTokens = 20_000
/** Neither is more than this share of the window, so that small models work as well (interface 5 M). */
const maxShare = 0.25

export interface Budget {
  /** A context of more tokens than this is compacted. */
  readonly limit: number
  readonly keep: number
}

/** What a window of so many tokens leaves; `reserve` and `keep` as the user set them. */
export function budgetOf(window: number, reserve = reserveTokens, keep = keepRecentTokens): Budget {
  const most = Math.floor(window * maxShare)
  return { limit: window - Math.min(reserve, most), keep: Math.min(keep, most) }
}

/** Tokens that a request for a summary may take: the window of the model that is asked, or `window`, less its reply. */
export function requestRoom(model: Model, reserve: number, window = model.contextWindow): number {
  return window - Math.min(Math.max(reserve, model.maxOutput), window / 2)
}

/** Contract section 13: strictly more, so that a context that just fits is left alone. */
export function shouldCompact(contextTokens: number, { limit }: Budget): boolean {
  return contextTokens > limit
}

/**
 * Tokens of the next request: what the provider counted for its last whole reply, and an estimate of what came after.
 * Where no reply from `countedFrom` on has counted, an estimate of it all, `head` for the system prompt and the tools.
 */
export type ContextCounter = (messages: readonly Message[], countedFrom: number, head: () => number) => number

/** Counts one conversation again and again: as long as its array only grows, what is new is all that is looked at. */
export function contextCounter(): ContextCounter {
  let known: readonly Message[] | null = null
  let length = 0
  /** Of the last reply that counted; 0 where none did. */
  let counted = 0
  /** Behind it. */
  let after = 0
  return (messages, countedFrom, head) => {
    if (messages !== known || messages.length < length) {
      // What stands before the last count is never weighed: a resumed conversation may be long.
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

/** Of two compactions at the same time the second one is refused. */
export function inProgress(): Failure {
  return failure("denied", phrase`compaction_in_progress: this session is being compacted already.`)
}

/** 0 where the provider counted nothing, or only a part. */
function reported(message: Message): number {
  if (message.role !== "assistant" || message.stopReason === "error" || message.stopReason === "aborted") return 0
  return totalTokens(message.usage)
}
