import type { ToolCall, ToolResultMessage } from "@gong/spec"
import { textOf } from "@gong/spec"

/** Counts how often a run went through the same rounds with the same results: one again and again, or a few in turn. */
export interface RepeatDetector {
  seen(calls: readonly ToolCall[], results: readonly ToolResultMessage[]): Repeated
}

export interface Repeated {
  /** How often what just ended has now been done in a row; 1 when it is new or in the middle of a cycle. */
  readonly times: number
  /** Rounds of the cycle; 1 for the same round again and again. */
  readonly rounds: number
}

interface Round {
  readonly calls: string
  readonly results: readonly ToolResultMessage[]
  /** It looks at something that goes on (interface part 5 E). */
  readonly polls: boolean
}

/** Rounds of the longest cycle that is told: a model that tries four things in turn is searching. */
const longestCycle = 3

/** Rounds whose results differ, or that poll, never count. */
export function repeatDetector(): RepeatDetector {
  /** The newest last. */
  const rounds: Round[] = []
  /** By length of the cycle: rounds in a row that were the same as the one a cycle before. */
  const same: number[] = []
  return {
    seen(calls, results) {
      const now = roundOf(calls, results)
      let most: Repeated = { times: 1, rounds: 1 }
      for (let length = 1; length <= longestCycle; length++) {
        const matches = isSame(now, rounds[rounds.length - length])
        const matched = matches ? (same[length] ?? 0) + 1 : 0
        same[length] = matched
        const times = matched % length === 0 ? matched / length + 1 : 1
        if (times > most.times) most = { times, rounds: length }
      }
      rounds.push(now)
      if (rounds.length > longestCycle) rounds.shift()
      return most
    },
  }
}

function roundOf(calls: readonly ToolCall[], results: readonly ToolResultMessage[]): Round {
  return {
    calls: calls.map((call) => `${call.name} ${call.broken ?? JSON.stringify(call.arguments)}`).join("\n"),
    results,
    polls: results.some(({ status }) => status === "background"),
  }
}

/** Results are only looked at when the calls are the same: the ordinary round pays for one string. */
function isSame(a: Round, b: Round | undefined): boolean {
  return b !== undefined && a.calls === b.calls && !a.polls && textsOf(a) === textsOf(b)
}

function textsOf({ results }: Round): string {
  return JSON.stringify(results.map(withoutNoise))
}

/** Times, durations and process ids change from run to run and say nothing about progress. */
function withoutNoise(result: ToolResultMessage): string {
  return textOf(result)
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?/g, "<time>")
    .replace(/\b\d\d?:\d\d(:\d\d)?(\.\d+)?\b/g, "<time>")
    .replace(/\b\d+(\.\d+)? ?(ms|s|sec|seconds|m|min|minutes)\b/g, "<duration>")
    .replace(/\b(pid|PID|process)([ :=#]+)\d+/g, "$1$2<pid>")
    .replace(/duration_ms [\d.]+/g, "<duration>")
}
