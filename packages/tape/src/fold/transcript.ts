import type { AssistantMessage, Entry, EntryOf, InputKind, ToolCall, ToolResultMessage, UserContent } from "@gong/spec"
import { never, toolCallsOf } from "@gong/spec"
import type { Fold } from "./fold.ts"

/** One row of a session for people. Every frontend renders these rows and nothing else. */
export type Row =
  | UserRow
  | AssistantRow
  | ToolRow
  | RunEndRow
  | { readonly kind: "compaction"; readonly id: string; readonly summary: string; readonly tokensBefore: number }
  | { readonly kind: "branch"; readonly id: string; readonly fromId: string; readonly summary: string }
  | {
      readonly kind: "custom"
      readonly id: string
      readonly customType: string
      readonly content: readonly UserContent[]
      readonly details: unknown
    }
  | { readonly kind: "model"; readonly id: string; readonly provider: string; readonly modelId: string }

export interface UserRow {
  readonly kind: "user"
  readonly id: string
  readonly timestamp: string
  readonly content: readonly UserContent[]
  /** The kind of its input; `prompt` when it is unknown. */
  readonly input: InputKind
}

export interface AssistantRow {
  readonly kind: "assistant"
  readonly id: string
  readonly timestamp: string
  readonly message: AssistantMessage
}

/** A call with its result, at the position of the call. */
export interface ToolRow {
  readonly kind: "tool"
  /** The reply that made the call. */
  readonly id: string
  readonly call: ToolCall
  /** Null before the tool starts. */
  readonly start: EntryOf<"tool_start"> | null
  /** Null while it runs, or when Gong stopped during it. */
  readonly result: ToolResultMessage | null
}

export interface RunEndRow {
  readonly kind: "run_end"
  readonly id: string
  readonly timestamp: string
  readonly end: EntryOf<"run_end">
}

export interface Transcript {
  /** Rows are added at the end; only the row of a call without a result is replaced, by a new object. */
  readonly rows: readonly Row[]
}

interface State extends Transcript {
  readonly rows: Row[]
  /** The row of each call without a result, and its index. */
  readonly open: Map<string, { readonly at: number; readonly row: ToolRow }>
  readonly inputs: Map<string, InputKind>
}

/** The active branch as rows for people: the same for terminal, web, print, export and `sessions show`. */
export const transcript: Fold<Transcript> = {
  initial: (): State => ({ rows: [], open: new Map(), inputs: new Map() }),
  step(state, entry) {
    step(state as State, entry)
    return state
  },
}

function step(state: State, entry: Entry): void {
  const { id, timestamp } = entry
  switch (entry.type) {
    case "message":
      return message(state, entry)
    case "input":
      state.inputs.set(id, entry.kind)
      return
    case "tool_start":
      return replace(state, entry.callId, { start: entry })
    case "run_end":
      return add(state, { kind: "run_end", id, timestamp, end: entry })
    case "compaction":
      return add(state, { kind: "compaction", id, summary: entry.summary, tokensBefore: entry.tokensBefore })
    case "branch_summary":
      return add(state, { kind: "branch", id, fromId: entry.fromId, summary: entry.summary })
    case "model_change":
      return add(state, { kind: "model", id, provider: entry.provider, modelId: entry.modelId })
    case "custom_message": {
      const { customType, content, details } = entry
      if (entry.display) add(state, { kind: "custom", id, customType, content, details })
      return
    }
    default:
      return
  }
}

function message(state: State, entry: EntryOf<"message">): void {
  const { id, timestamp, message, inputId } = entry
  switch (message.role) {
    case "user": {
      const input = state.inputs.get(inputId ?? "") ?? "prompt"
      state.inputs.delete(inputId ?? "")
      return add(state, { kind: "user", id, timestamp, content: message.content, input })
    }
    case "assistant":
      add(state, { kind: "assistant", id, timestamp, message })
      for (const call of toolCallsOf(message)) addCall(state, id, call)
      return
    case "tool":
      if (!state.open.has(message.toolCallId)) addCall(state, id, callOf(message))
      replace(state, message.toolCallId, { result: message })
      state.open.delete(message.toolCallId)
      return
    default:
      return never(message)
  }
}

function add(state: State, row: Row): void {
  state.rows.push(row)
}

function addCall(state: State, id: string, call: ToolCall): void {
  const row: ToolRow = { kind: "tool", id, call, start: null, result: null }
  state.open.set(call.id, { at: state.rows.length, row })
  add(state, row)
}

function replace(state: State, callId: string, change: Partial<Pick<ToolRow, "start" | "result">>): void {
  const known = state.open.get(callId)
  if (known === undefined) return
  const row = { ...known.row, ...change }
  state.open.set(callId, { at: known.at, row })
  state.rows[known.at] = row
}

/** A call for a result whose reply is not on the tape. */
function callOf(message: ToolResultMessage): ToolCall {
  return { type: "tool_call", id: message.toolCallId, name: message.toolName, arguments: {} }
}
