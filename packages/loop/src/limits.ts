import { addCost, addUsage, noUsage, totalTokens, type Usage } from "@gong/spec"
import type { Limits } from "./ports.ts"

/** What a run has used, and which of its limits that reaches. */
export interface Budget {
  readonly turns: number
  /** A reply came. */
  turn(): void
  /** A request was paid for, whatever came of it. */
  spend(usage: Usage, cost: number | null): void
  /** The name of the first limit that is reached. */
  reached(now: number): LimitName | null
  /** What the model is to be told before a limit stops it: each of the last turns, and once when most of another is used. */
  warning(now: number): Warning | null
}

export type LimitName = "turns" | "cost" | "tokens" | "time"

export type Warning =
  | { readonly limit: "turns"; readonly left: number }
  | { readonly limit: Exclude<LimitName, "turns">; readonly percent: number }

const warnTurns = 3
/** Of cost, tokens or time: what is left must do for putting things in order. */
const warnShare = 0.8

export function budget(limits: Limits, startedAt: number): Budget {
  let turns = 0
  let usage: Usage = noUsage
  let cost: number | null = 0
  const warned = new Set<LimitName>()
  const shares = (now: number): readonly (readonly [Exclude<LimitName, "turns">, number])[] => [
    ["cost", share(cost ?? 0, limits.maxCost)],
    ["tokens", share(totalTokens(usage), limits.maxTokens)],
    ["time", share(now - startedAt, limits.maxTime)],
  ]
  return {
    get turns() {
      return turns
    },
    turn() {
      turns += 1
    },
    spend(more, price) {
      usage = addUsage(usage, more)
      cost = addCost(cost, price)
    },
    reached(now) {
      if (limits.maxTurns !== undefined && turns >= limits.maxTurns) return "turns"
      return shares(now).find(([, used]) => used >= 1)?.[0] ?? null
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

function share(used: number, limit: number | undefined): number {
  return limit === undefined ? 0 : used / limit
}
