import type { ToolCall, ToolResultMessage } from "@gong/spec"
import { textOf } from "@gong/spec"

/** Counts how often a run repeated the same rounds with the same results: a single round, or a cycle of a few. */
export interface RepeatDetector {
  seen(calls: readonly ToolCall[], results: readonly ToolResultMessage[]): Repeated
}

export interface Repeated {
  /** Repetitions of the cycle that just ended; 1 if it is new or incomplete. */
  readonly times: number
  /** Length of the cycle in rounds. */
  readonly rounds: number
}

interface Round {
  readonly calls: string
  readonly results: readonly ToolResultMessage[]
  /** Polls a background job (interface part 5 E). */
  readonly polls: boolean
}

/** Length of the longest detected cycle in rounds; a model that alternates between four things is searching. */
const longestCycle = 3

/** Rounds with different results, or that poll, never count. */
export function repeatDetector(): RepeatDetector {
  /** Newest last. */
  const rounds: Round[] = []
  /** By cycle length: consecutive rounds equal to the one a cycle before. */
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

/** Compares results only for equal calls, so an ordinary round costs one string. */
function isSame(a: Round, b: Round | undefined): boolean {
  return b !== undefined && a.calls === b.calls && !a.polls && textsOf(a) === textsOf(b)
}

function textsOf({ results }: Round): string {
  return JSON.stringify(results.map(withoutNoise))
}

/** Replaces times, durations and process ids, which change from run to run without any progress. */
function withoutNoise(result: ToolResultMessage): string {
  return textOf(result)
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?/g, "<time>")
    .replace(/\b\d\d?:\d\d(:\d\d)?(\.\d+)?\b/g, "<time>")
    .replace(/\b\d+(\.\d+)? ?(ms|s|sec|seconds|m|min|minutes)\b/g, "<duration>")
    .replace(/\b(pid|PID|process)([ :=#]+)\d+/g, "$1$2<pid>")
    .replace(/duration_ms [\d.]+/g, "<duration>")
}
