import { addUsage, type Entry, type EntryOf, noUsage, totalTokens, type Usage } from "@gong/spec"
import type { Limits } from "@gong/loop"
import type { RareState } from "./counts.ts"

export interface LimitWatch {
  /** Texts of violations. */
  seen(entry: Entry): readonly string[]
  /** A request is sent now; the text of its violation. */
  request(now: number): readonly string[]
}

/** Milliseconds that may pass between the end of the time and of the run: tools have 5 s to end, and hooks 5 s each. */
const slack = 20_000

/** No turn begins after a limit, and no request is made after the time limit. */
export function limitWatch(
  limits: Limits,
  count: (state: RareState) => void,
  /** Milliseconds for which the process was paused so far: nothing could end in them. */
  stoodStill: () => number,
): LimitWatch {
  /** Of the run that works, up to the last whole reply and up to now. */
  let spent = nothing
  let spentAtReply = nothing
  let replies = 0
  let startedAt: number | null = null
  let stillBefore = 0

  function reply({ message, timestamp }: EntryOf<"message">): readonly string[] {
    if (message.role === "user" && startedAt === null) {
      startedAt = Date.parse(timestamp)
      stillBefore = stoodStill()
    }
    if (message.role !== "assistant") return []
    if (message.stopReason === "error" || message.stopReason === "aborted") {
      count("partial reply kept")
      return []
    }
    const over = reached(limits, spentAtReply, replies)
    replies += 1
    spent = plus(spent, message.usage, message.cost)
    spentAtReply = spent
    return over === null ? [] : [`reply ${replies} of a run came after its limit of ${over} was reached`]
  }

  function end(entry: EntryOf<"run_end">): readonly string[] {
    const still = stoodStill() - stillBefore
    const took = startedAt === null ? 0 : Date.parse(entry.timestamp) - startedAt - still
    const wrong: string[] = []
    if (took > (limits.maxTime ?? Infinity) + slack) wrong.push(`a run took ${took} ms of ${limits.maxTime}`)
    if (entry.turns !== replies) wrong.push(`a run of ${replies} replies says that it had ${entry.turns} turns`)
    if (entry.limit !== undefined && entry.limit !== "repeat") count(`limit of ${entry.limit}` as RareState)
    return wrong
  }

  return {
    seen(entry) {
      // The summary of a branch is no part of a run.
      if (entry.type === "model_call" && entry.purpose !== "branch") spent = plus(spent, entry.usage, entry.cost)
      if (entry.type === "message") return reply(entry)
      if (entry.type !== "run_end") return []
      const wrong = end(entry)
      spent = nothing
      spentAtReply = nothing
      replies = 0
      startedAt = null
      return wrong
    },
    request(now) {
      if (startedAt === null || now <= startedAt + (limits.maxTime ?? Infinity)) return []
      return [`a request is sent ${now - startedAt} ms into a run that may take ${limits.maxTime}`]
    },
  }
}

interface Spent {
  readonly usage: Usage
  /** As far as it is known. */
  readonly cost: number
}

const nothing: Spent = { usage: noUsage, cost: 0 }

function plus({ usage, cost }: Spent, more: Usage, price: number | null): Spent {
  return { usage: addUsage(usage, more), cost: cost + (price ?? 0) }
}

function reached({ maxTurns, maxCost, maxTokens }: Limits, { usage, cost }: Spent, turns: number): string | null {
  if (maxTurns !== undefined && turns >= maxTurns) return "turns"
  if (maxCost !== undefined && cost >= maxCost) return "cost"
  return maxTokens !== undefined && totalTokens(usage) >= maxTokens ? "tokens" : null
}
