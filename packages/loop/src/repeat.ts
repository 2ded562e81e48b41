import type { ToolCall, ToolResultMessage } from "@gong/spec"
import { textOf } from "@gong/spec"

/** Counts rounds that did exactly the same with the same result. */
export interface RepeatWatch {
  /** How often this round has now been seen in a row; 1 for a new one. */
  seen(calls: readonly ToolCall[], results: readonly ToolResultMessage[]): number
}

/** Rounds whose results differ, or that look at something that goes on, are polling and never count (interface part 5 E). */
export function repeatWatch(): RepeatWatch {
  let lastCalls = ""
  let lastResults: readonly ToolResultMessage[] = []
  let count = 0
  return {
    seen(calls, results) {
      const now = calls.map((call) => `${call.name} ${call.broken ?? JSON.stringify(call.arguments)}`).join("\n")
      // Results are only looked at when the calls are the same: the ordinary round pays for one string.
      const polls = results.some(({ status }) => status === "background")
      count = now === lastCalls && !polls && sameResults(results, lastResults) ? count + 1 : 1
      lastCalls = now
      lastResults = results
      return count
    },
  }
}

function sameResults(a: readonly ToolResultMessage[], b: readonly ToolResultMessage[]): boolean {
  return a.length === b.length && a.every((result, index) => withoutNoise(result) === withoutNoise(b[index]))
}

/** Times, durations and process ids change from run to run and say nothing about progress. */
function withoutNoise(result: ToolResultMessage | undefined): string {
  if (!result) return ""
  return textOf(result)
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?/g, "<time>")
    .replace(/\b\d\d?:\d\d(:\d\d)?(\.\d+)?\b/g, "<time>")
    .replace(/\b\d+(\.\d+)? ?(ms|s|sec|seconds|m|min|minutes)\b/g, "<duration>")
    .replace(/\b(pid|PID|process)([ :=#]+)\d+/g, "$1$2<pid>")
    .replace(/duration_ms [\d.]+/g, "<duration>")
}
