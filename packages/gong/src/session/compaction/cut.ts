import { estimateMessage, type Message, toolCallsOf } from "@gong/spec"

/** Where the messages part: those before `from` become a summary, the rest stays as it is. */
export interface Cut {
  readonly from: number
  /** Where the turn begins that the cut goes through; null when it falls between two turns. */
  readonly splitTurn: number | null
}

export interface CutOptions {
  /** Tokens of the newest messages to keep. */
  readonly keep: number
  /** Messages to keep instead, whatever their size. */
  readonly windowSize?: number
  /** Whether the user's words stand at this place, with which a turn begins. */
  isStart(at: number): boolean
}

/** So many times the budget may be kept to leave a turn, or a call and its results, whole (conflict C-38). */
const maxKeepFactor = 2

/**
 * From the newest message back until the budget is passed, then on to where a turn begins. A turn that is too long for
 * that is cut before one of its replies: a result is never kept without its call. Null when there is nothing to cut off.
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

/** The messages with no result whose call is not among them: every provider refuses it. */
export function withoutOrphans(messages: readonly Message[]): readonly Message[] {
  const calls = new Set<string>()
  return messages.filter((message) => {
    if (message.role === "assistant") for (const { id } of toolCallsOf(message)) calls.add(id)
    return message.role !== "tool" || calls.has(message.toolCallId)
  })
}

/** For each place: tokens of the message there and of all after it. */
function suffixSums(messages: readonly Message[]): readonly number[] {
  const sums: number[] = []
  let sum = 0
  for (const message of messages.toReversed()) sums.push((sum += estimateMessage(message)))
  return sums.reverse()
}

function sizeAt(sizes: readonly number[], at: number): number {
  return sizes[at] ?? 0
}

/** The last place up to `to` where something holds, or -1. */
function lastWhere(to: number, holds: (at: number) => boolean): number {
  for (let at = to; at >= 0; at--) if (holds(at)) return at
  return -1
}
