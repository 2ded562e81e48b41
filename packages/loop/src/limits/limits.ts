import { addUsage, type Notification, noUsage, textNotification, totalTokens, type Usage } from "@gong/spec"
import type { Limits } from "../ports.ts"
import { uncounted } from "../texts.ts"

/** Consumption of a run, and which limit it reaches. */
export interface Budget {
  readonly turns: number
  /** Counts a reply. */
  turn(usage: Usage, cost: number | null): void
  /** Counts any other paid request, whatever its outcome. */
  spend(usage: Usage, cost: number | null): void
  /** The first limit that is reached, or why the cost limit cannot be enforced. */
  reached(now: number): Reached | null
  /** A notification, sent once, that the cost limit does not include everything. */
  uncounted(): Notification | null
  /** A warning for the model ahead of a limit: in each of the last turns, and once when most of another limit is used. */
  warning(now: number): Warning | null
}

export type LimitName = "turns" | "cost" | "tokens" | "time"

/** `unknown-cost`: a reply reported no usage, and the next one would not either. */
export type Reached = LimitName | "unknown-cost"

export type Warning =
  | { readonly limit: "turns"; readonly left: number }
  | { readonly limit: Exclude<LimitName, "turns">; readonly percent: number }

const warnTurns = 3
/** Share of cost, tokens or time at which the model is warned; the rest must suffice to finish. */
const warnShare = 0.8

export function budget(limits: Limits, startedAt: number): Budget {
  let turns = 0
  let usage: Usage = noUsage
  /** The known part. */
  let cost = 0
  let replyUnknown = false
  let unknown = false
  let notified = limits.maxCost === undefined
  const warned = new Set<LimitName>()
  const shares = (now: number): readonly (readonly [Exclude<LimitName, "turns">, number])[] => [
    ["cost", share(cost, limits.maxCost)],
    ["tokens", share(totalTokens(usage), limits.maxTokens)],
    ["time", share(now - startedAt, limits.maxTime)],
  ]
  const add = (more: Usage, price: number | null): void => {
    usage = addUsage(usage, more)
    cost += price ?? 0
  }
  return {
    get turns() {
      return turns
    },
    turn(more, price) {
      turns += 1
      add(more, price)
      replyUnknown ||= price === null
    },
    spend(more, price) {
      add(more, price)
      unknown ||= price === null
    },
    reached(now) {
      if (limits.maxTurns !== undefined && turns >= limits.maxTurns) return "turns"
      const full = shares(now).find(([, used]) => used >= 1)?.[0]
      return full ?? (replyUnknown && limits.maxCost !== undefined ? "unknown-cost" : null)
    },
    uncounted() {
      if (notified || !unknown) return null
      notified = true
      return textNotification("cost", "warn", uncounted)
    },
    warning(now) {
      if (turns === 0) return null
      const left = (limits.maxTurns ?? Infinity) - turns
      if (left > 0 && left <= warnTurns) return { limit: "turns", left }
      const next = shares(now).find(([name, used]) => used >= warnShare && !warned.has(name))
      if (next === undefined) return null
      warned.add(next[0])
      return { limit: next[0], percent: Math.floor(next[1] * 100) }
    },
  }
}

function share(used: number, limit = Infinity): number {
  return used / limit
}
