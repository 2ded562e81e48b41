import type { TaskResult } from "./run-task.ts"

/** A Markdown table with a row for each agent. */
export function tableOf(results: readonly TaskResult[]): string {
  const names = [...new Set(results.map(({ agent }) => agent))]
  const rows = names.map((name) =>
    rowOf(
      name,
      results.filter(({ agent }) => agent === name),
    ),
  )
  const head = [
    "agent",
    "solved",
    "turns",
    "calls",
    "failed calls",
    "input tokens",
    "output tokens",
    "first request",
    "median time",
  ]
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("")
}

function rowOf(agent: string, results: readonly TaskResult[]): readonly string[] {
  const solved = results.filter((result) => result.solved).length
  const failed = results.map(({ failedCalls }) => failedCalls && sum(Object.values(failedCalls)))
  const first = results.map(({ firstRequestBytes }) => firstRequestBytes).filter((bytes) => bytes !== null)
  return [
    agent,
    `${solved} of ${results.length}`,
    `${sum(results.map(({ turns }) => turns))}`,
    `${sum(results.map(({ calls }) => calls))}`,
    known(failed),
    known(results.map(({ inputTokens }) => inputTokens)),
    known(results.map(({ outputTokens }) => outputTokens)),
    first.length === 0 ? "-" : `${(median(first) / 1000).toFixed(1)} KB`,
    `${median(results.map(({ seconds }) => seconds)).toFixed(1)} s`,
  ]
}

/** The sum, or a dash if none is known. */
function known(values: readonly (number | null)[]): string {
  const all = values.filter((value) => value !== null)
  return all.length === 0 ? "-" : sum(all).toLocaleString("en-US")
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
