import { estimateMessage, type Message, toolCallsOf } from "@gong/spec"

/** The cut of a compaction: messages before `from` become a summary, the rest stays. */
export interface Cut {
  readonly from: number
  /** The start of the turn that the cut divides; null when the cut is between two turns. */
  readonly splitTurn: number | null
}

export interface CutOptions {
  /** Tokens of the newest messages to keep. */
  readonly keep: number
  /** The number of messages to keep instead, of any size. */
  readonly windowSize?: number
  /** Whether a message of the user at this index begins a turn. */
  isStart(at: number): boolean
}

/** To keep a turn, or a call and its results, whole, up to this multiple of the budget is kept (conflict C-38). */
const maxKeepFactor = 2

/**
 * Goes back from the newest message until the budget is exceeded, then to the start of a turn. A turn that is too long is cut
 * before one of its replies: a result is never kept without its call. Null when nothing can be removed.
 */
export function findCut(messages: readonly Message[], options: CutOptions): Cut | null {
  const { keep, windowSize, isStart } = options
  const sizes = suffixSums(messages)
  const wanted =
    windowSize === undefined ? sizes.findLastIndex((size) => size > keep) : Math.max(0, messages.length - windowSize)
  if (wanted <= 0 && (windowSize !== undefined || wanted === -1)) return null
  const most = windowSize === undefined ? maxKeepFactor * keep : Infinity
  const start = lastWhere(wanted, isStart)
  if (start > 0 && sizeAt(sizes, start) <= most) return { from: start, splitTurn: null }
  const isReply = (at: number): boolean => messages[at]?.role === "assistant"
  const reply = lastWhere(wanted, isReply)
  const next = messages.findIndex((_, at) => at > wanted && (isReply(at) || isStart(at)))
  const from = reply > 0 && sizeAt(sizes, reply) <= most ? reply : next === -1 ? reply : next
  if (from <= 0) return null
  return { from, splitTurn: isStart(from) ? null : Math.max(0, lastWhere(from, isStart)) }
}

/** The messages without results whose call is missing: every provider refuses these. */
export function withoutOrphans(messages: readonly Message[]): readonly Message[] {
  const calls = new Set<string>()
  return messages.filter((message) => {
    if (message.role === "assistant") for (const { id } of toolCallsOf(message)) calls.add(id)
    return message.role !== "tool" || calls.has(message.toolCallId)
  })
}

/** For each index: the tokens of this message and all later ones. */
function suffixSums(messages: readonly Message[]): readonly number[] {
  const sums: number[] = []
  let sum = 0
  for (const message of messages.toReversed()) sums.push((sum += estimateMessage(message)))
  return sums.reverse()
}

function sizeAt(sizes: readonly number[], at: number): number {
  return sizes[at] ?? 0
}

/** The last index up to `to` for which the condition holds, or -1. */
function lastWhere(to: number, holds: (at: number) => boolean): number {
  for (let at = to; at >= 0; at--) if (holds(at)) return at
  return -1
}
