import { type Model, type RunEnd, type ToolContext, type ToolResult, type ToolStatus, totalTokens } from "@gong/spec"
import type { Tape } from "@gong/tape"
import { type TaskDetails, toolResult, truncateHead } from "@gong/tools"
import type { RunSummary } from "@gong/session/result"
import { shortId } from "@gong/session/short-id"

export interface TaskOutcome {
  readonly end: RunEnd
  readonly summary: RunSummary
  readonly tape: Tape
  readonly model: Model
}

/** The last message of a task and its costs, as the result of the call. A long message is stored as an artifact. */
export async function taskResult(outcome: TaskOutcome, { artifacts }: ToolContext): Promise<ToolResult<TaskDetails>> {
  const { end, summary } = outcome
  const shown = truncateHead(summary.text)
  const artifact = shown.truncated ? await artifacts?.put(new TextEncoder().encode(summary.text)) : undefined
  const rest = artifact === undefined ? "" : `\n\n[All of it: read artifact:${artifact}]`
  const message = shown.truncated ? `${shown.content}${rest}` : summary.text.trim()
  const text = [endText(end), message || "(It said nothing.)", effortText(outcome)].filter((part) => part !== "")
  return {
    ...toolResult(text.join("\n\n"), detailsOf(outcome, artifact), end.status !== "done"),
    status: statuses[end.status],
    ...(summary.files.length > 0 && { files: summary.files }),
  }
}

const statuses: Readonly<Record<RunEnd["status"], ToolStatus>> = {
  done: "ok",
  failed: "error",
  limit: "error",
  refused: "refused",
  interrupted: "aborted",
}

function endText({ status, failure, limit }: RunEnd): string {
  switch (status) {
    case "done":
      return ""
    case "limit":
      return `The task was ended by its limit (${limit}). What it said last:`
    case "interrupted":
      return "The task was stopped. What it said last:"
    case "refused":
    case "failed":
      return `The task failed: ${failure?.message ?? status}. What it said last:`
  }
}

function effortText({ end, summary, tape }: TaskOutcome): string {
  const calls = `${summary.toolCalls} tool call${summary.toolCalls === 1 ? "" : "s"}`
  const denied = summary.denials.length === 0 ? [] : [`${summary.denials.length} refused`]
  return `[task ${shortId(tape.id)}: ${[`${end.turns} turn${end.turns === 1 ? "" : "s"}`, calls, ...denied].join(", ")}]`
}

function detailsOf({ end, summary, tape, model }: TaskOutcome, artifact: string | undefined): TaskDetails {
  return {
    session: tape.id,
    tape: tape.store.path,
    model: `${model.provider}/${model.id}`,
    status: end.status,
    turns: end.turns,
    tool_calls: summary.toolCalls,
    cost: summary.cost,
    tokens: totalTokens(summary.usage),
    ...(artifact !== undefined && { artifact }),
  }
}
