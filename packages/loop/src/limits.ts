import { addCost, addUsage, type AssistantMessage, noUsage, totalTokens, type Usage } from "@gong/spec"
import type { Limits } from "./ports.ts"

/** What a run has used, and which of its limits that reaches. */
export interface Budget {
  readonly turns: number
  add(message: AssistantMessage): void
  /** The name of the first limit that is reached. */
  reached(now: number): "turns" | "cost" | "tokens" | "time" | null
  /** Turns left when few are, so that the model can be told; else null. */
  turnsLeft(): number | null
}

const warnTurns = 3

export function budget(limits: Limits, startedAt: number): Budget {
  let turns = 0
  let usage: Usage = noUsage
  let cost: number | null = 0
  return {
    get turns() {
      return turns
    },
    add(message) {
      turns += 1
      usage = addUsage(usage, message.usage)
      cost = addCost(cost, message.cost)
    },
    reached(now) {
      if (limits.maxTurns !== undefined && turns >= limits.maxTurns) return "turns"
      if (limits.maxCost !== undefined && (cost ?? 0) >= limits.maxCost) return "cost"
      if (limits.maxTokens !== undefined && totalTokens(usage) >= limits.maxTokens) return "tokens"
      if (limits.maxTime !== undefined && now - startedAt >= limits.maxTime) return "time"
      return null
    },
    turnsLeft() {
      if (limits.maxTurns === undefined || turns === 0) return null
      const left = limits.maxTurns - turns
      return left > 0 && left <= warnTurns ? left : null
    },
  }
}
