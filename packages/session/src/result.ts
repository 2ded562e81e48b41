import {
  addCost,
  addUsage,
  addYuan,
  type AssistantMessage,
  cacheHitRate,
  type Entry,
  type FileChange,
  noUsage,
  publicFailure,
  type ResultEvent,
  type RunEnd,
  textOf,
  type ToolResultMessage,
  toolCallsOf,
  type Usage,
} from "@gong/spec"
import { type FilesChanged, filesChanged } from "@gong/tape"
import type { Session } from "./session-api.ts"

/** The summary of one run, folded from its entries, for the `result` line, the cost line and the printed answer. */
export interface RunSummary {
  readonly text: string
  readonly turns: number
  readonly toolCalls: number
  readonly usage: Usage
  readonly cost: number | null
  readonly costCny?: number
  readonly models: ResultEvent["models"]
  readonly files: readonly FileChange[]
  readonly denials: ResultEvent["denials"]
}

interface SummaryState {
  pieces: string[]
  cut: boolean
  toolCalls: number
  usage: Usage
  cost: number | null
  costCny: number | undefined
  turns: number
  readonly models: Map<string, { usage: Usage; cost: number | null }>
  files: FilesChanged
  readonly calls: Map<string, Readonly<Record<string, unknown>>>
  readonly denials: ResultEvent["denials"][number][]
}

/** Call `add` with every entry of the run, in order. */
export function runSummary(): { add(entry: Entry): void; summary(): RunSummary } {
  const state: SummaryState = {
    pieces: [],
    cut: false,
    toolCalls: 0,
    usage: noUsage,
    cost: 0,
    costCny: undefined,
    turns: 0,
    models: new Map(),
    files: filesChanged.initial(),
    calls: new Map(),
    denials: [],
  }
  return {
    add(entry) {
      if (entry.type === "model_call") addUsageOf(state, entry.model ?? null, entry)
      state.files = filesChanged.step(state.files, entry)
      if (entry.type !== "message") return
      if (entry.message.role === "assistant") addReply(state, entry.message)
      if (entry.message.role === "tool") addResult(state, entry.message)
    },
    summary: () => ({
      text: state.pieces.join(""),
      turns: state.turns,
      toolCalls: state.toolCalls,
      usage: state.usage,
      cost: state.cost,
      ...(state.costCny === undefined ? {} : { costCny: state.costCny }),
      models: Object.fromEntries(state.models),
      files: [...state.files.values()],
      denials: state.denials,
    }),
  }
}

function addReply(state: SummaryState, message: AssistantMessage): void {
  const calls = toolCallsOf(message)
  for (const call of calls) state.calls.set(call.id, call.arguments)
  // A reply that reached the output limit and its continuation are one answer.
  state.pieces = state.cut ? [...state.pieces, textOf(message)] : [textOf(message)]
  state.cut = message.stopReason === "length" && calls.length === 0
  state.toolCalls += calls.length
  state.turns += 1
  addUsageOf(state, `${message.model.provider}/${message.model.id}`, message)
}

type Spending = Pick<AssistantMessage, "usage" | "cost" | "costCny">

function addUsageOf(state: SummaryState, model: string | null, { usage, cost, costCny }: Spending): void {
  state.usage = addUsage(state.usage, usage)
  state.cost = addCost(state.cost, cost)
  state.costCny = addYuan(state.costCny, costCny)
  if (model === null) return
  const known = state.models.get(model) ?? { usage: noUsage, cost: 0 }
  state.models.set(model, { usage: addUsage(known.usage, usage), cost: addCost(known.cost, cost) })
}

function addResult(state: SummaryState, message: ToolResultMessage): void {
  if (message.status === "refused") {
    const args = state.calls.get(message.toolCallId) ?? {}
    state.denials.push({
      tool: message.toolName,
      args,
      reason: textOf(message),
      ...(message.phrase && { phrase: message.phrase }),
    })
  }
  state.calls.delete(message.toolCallId)
}

/** The end of a run and its exit status. Entries that are not on the disk make it a failure with their reason. */
export async function endWithStorage(session: Pick<Session, "unwritten">, end: RunEnd, exit: number) {
  const failure = await session.unwritten()
  if (failure === null) return { end, exit }
  return { end: { failure, ...end }, exit: exit || 1 }
}

/** The last line of a run for programs. */
export function resultEvent(
  end: RunEnd,
  exit: number,
  summary: RunSummary,
  session: string,
  durationMs: number,
): ResultEvent {
  return {
    type: "result",
    status: end.status,
    exit,
    text: summary.text,
    ...(end.failure ? { failure: publicFailure(end.failure) } : {}),
    ...(end.limit === undefined ? {} : { limit: end.limit }),
    session,
    turns: end.turns,
    toolCalls: summary.toolCalls,
    usage: summary.usage,
    cost: summary.cost,
    ...(summary.costCny === undefined ? {} : { costCny: summary.costCny }),
    cacheHitRate: cacheHitRate(summary.usage),
    models: summary.models,
    files: summary.files,
    denials: summary.denials,
    durationMs,
  }
}
