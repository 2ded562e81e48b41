import { addUsage, type Notification, noUsage, textNotification, totalTokens, type Usage } from "@gong/spec"
import type { Limits } from "./ports.ts"
import { uncounted } from "./texts.ts"

/** What a run has used, and which of its limits that reaches. */
export interface Budget {
  readonly turns: number
  /** A reply came. */
  turn(usage: Usage, cost: number | null): void
  /** Another request was paid for, whatever came of it. */
  spend(usage: Usage, cost: number | null): void
  /** The name of the first limit that is reached, or why the one of cost cannot be watched. */
  reached(now: number): Reached | null
  /** What the user is to be told of the limit of cost, once: not all that was spent is in it. */
  uncounted(): Notification | null
  /** What the model is to be told before a limit stops it: each of the last turns, and once when most of another is used. */
  warning(now: number): Warning | null
}

export type LimitName = "turns" | "cost" | "tokens" | "time"

/** `unknown-cost`: a reply did not say what it used, and the next one would not either. */
export type Reached = LimitName | "unknown-cost"

export type Warning =
  | { readonly limit: "turns"; readonly left: number }
  | { readonly limit: Exclude<LimitName, "turns">; readonly percent: number }

const warnTurns = 3
/** Of cost, tokens or time: what is left must do for putting things in order. */
const warnShare = 0.8

export function budget(limits: Limits, startedAt: number): Budget {
  let turns = 0
  let usage: Usage = noUsage
  /** As far as it is known. */
  let cost = 0
  let replyUnknown = false
  let unknown = false
  let told = limits.maxCost === undefined
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
      if (told || !unknown) return null
      told = true
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
