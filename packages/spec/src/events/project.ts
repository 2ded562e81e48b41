import { never } from "../assert.ts"
import type { Entry, EntryOf } from "../session/entry.ts"
import type { Event } from "./event.ts"
import { publicFailure } from "./event.ts"
import { ofNotification } from "./of-notification.ts"
import { type AssistantMessage, toolCallsOf, type ToolResultMessage } from "../model/message.ts"
import { addCost, addUsage, noUsage, totalTokens, type Usage } from "../model/usage.ts"
import type { PartialUpdate, PublishedStep } from "../session/step.ts"

/**
 * Turns steps into the events of protocol 1, live or from a stored tape. The only translation between the two; every
 * frontend uses it. Keeps the minimum state of the run, and no messages.
 */
export interface Projection {
  project(step: PublishedStep): readonly Event[]
}

export interface ProjectionOptions {
  /** Whether partials become message_start, message_update and tool_execution_update. */
  readonly partial: boolean
  /** Tokens; of the current model. */
  readonly contextWindow: number
}

interface State {
  /** The open run, named by the id of its input entry; null for none. */
  run: string | null
  turn: number
  turnOpen: boolean
  usage: Usage
  cost: number | null
  contextTokens: number
  /** Calls of the open turn without a result. */
  readonly waiting: Map<string, Readonly<Record<string, unknown>>>
  readonly sources: Map<string, EntryOf<"input">>
  /** Projections of subtask sessions, by the id of the call. */
  readonly tasks: Map<string, Projection>
  /** Empty until a reply begins; partials before that belong to an unknown reply and are skipped. */
  draftId: string
  readonly partialCalls: Map<number, { id: string; name: string }>
}

export function projection(options: ProjectionOptions): Projection {
  const state: State = {
    run: null,
    turn: 0,
    turnOpen: false,
    usage: noUsage,
    cost: 0,
    contextTokens: 0,
    waiting: new Map(),
    sources: new Map(),
    tasks: new Map(),
    draftId: "",
    partialCalls: new Map(),
  }
  return {
    project(step) {
      if ("inside" in step) return inRun(state, ofTask(state, step, options))
      if ("partial" in step) return options.partial ? ofPartial(state, step.partial) : []
      if ("notification" in step) return inRun(state, [ofNotification(step.notification)])
      const events: Event[] = []
      for (const entry of step.entries) events.push(...ofEntry(state, entry, options))
      return events
    },
  }
}

/** Events of a subtask, with the id of the call as their parent. */
function ofTask(
  { tasks }: State,
  { inside, step }: Extract<PublishedStep, { inside: string }>,
  options: ProjectionOptions,
): readonly Event[] {
  const known = tasks.get(inside) ?? projection(options)
  tasks.set(inside, known)
  return known.project(step).map((event) => ({ ...event, parent: inside }))
}

function inRun({ run }: State, events: readonly Event[]): readonly Event[] {
  return run === null ? events : events.map((event) => ({ ...event, run }))
}

function ofEntry(state: State, entry: Entry, options: ProjectionOptions): readonly Event[] {
  const before = state.run
  const events = eventsOf(state, entry, options)
  // The first and the last entry of a run belong to it as well.
  const run = state.run ?? before
  return events.map((event) => ({ ...event, ...(run === null ? {} : { run }), entry: entry.id }))
}

function eventsOf(state: State, entry: Entry, options: ProjectionOptions): readonly Event[] {
  switch (entry.type) {
    case "input":
      state.sources.set(entry.id, entry)
      return []
    case "message":
      return ofMessage(state, entry, options)
    case "tool_start":
      return [
        {
          type: "tool_execution_start",
          toolCallId: entry.callId,
          name: entry.name,
          args: entry.arguments ?? state.waiting.get(entry.callId) ?? {},
          title: entry.title,
        },
      ]
    case "compaction":
      return [ofCompaction(state, entry)]
    case "prune":
      state.contextTokens = entry.tokensAfter
      return []
    case "model_change":
      return [{ type: "model_select", model: `${entry.provider}/${entry.modelId}`, reason: entry.reason ?? "user" }]
    case "run_end": {
      const closing = closeTurn(state, options)
      const failed: readonly Event[] = entry.failure ? [{ type: "failure", failure: publicFailure(entry.failure) }] : []
      state.run = null
      return [...closing, ...failed, { type: "agent_end", status: entry.status }]
    }
    case "input_drop":
    case "change":
    case "prompt":
    case "model_call":
    case "thinking_level_change":
    case "branch_summary":
    case "custom":
    case "custom_message":
    case "label":
    case "session_info":
    case "anchor":
      return []
  }
}

function ofMessage(state: State, entry: EntryOf<"message">, options: ProjectionOptions): readonly Event[] {
  const message = entry.message
  switch (message.role) {
    case "user":
      return [
        ...openRun(state, entry),
        ...openTurn(state),
        { type: "message_end", message: { id: entry.id, role: "user", content: message.content } },
      ]
    case "assistant": {
      const opening = openTurn(state)
      const event = ofAssistant(state, entry.draftId ?? entry.id, message)
      return [...opening, event, ...(state.waiting.size === 0 ? closeTurn(state, options) : [])]
    }
    case "tool": {
      state.waiting.delete(message.toolCallId)
      state.tasks.delete(message.toolCallId)
      return [ofResult(message), ...(state.waiting.size === 0 ? closeTurn(state, options) : [])]
    }
    default:
      return never(message)
  }
}

function ofAssistant(state: State, id: string, message: AssistantMessage): Event {
  for (const call of toolCallsOf(message)) state.waiting.set(call.id, call.arguments)
  state.usage = addUsage(state.usage, message.usage)
  state.cost = addCost(state.cost, message.cost)
  state.contextTokens = totalTokens(message.usage)
  return {
    type: "message_end",
    message: {
      id,
      role: "assistant",
      content: message.content,
      model: `${message.model.provider}/${message.model.id}`,
      stopReason: message.stopReason,
    },
    usage: message.usage,
    cost: message.cost,
    ...(message.costCny === undefined ? {} : { costCny: message.costCny }),
    ...(message.durationMs === undefined ? {} : { durationMs: message.durationMs }),
    ...(message.firstTokenMs === undefined ? {} : { firstTokenMs: message.firstTokenMs }),
  }
}

function ofResult(message: ToolResultMessage): Event {
  return {
    type: "tool_execution_end",
    toolCallId: message.toolCallId,
    name: message.toolName,
    status: message.status,
    content: message.content,
    details: message.details,
    ...(message.files ? { files: message.files } : {}),
    durationMs: message.durationMs ?? 0,
  }
}

function ofCompaction(state: State, { tokensBefore, tokensAfter, summary }: EntryOf<"compaction">): Event {
  if (tokensAfter !== undefined) state.contextTokens = tokensAfter
  return {
    type: "compaction_end",
    status: "done",
    tokensBefore,
    ...(tokensAfter === undefined ? {} : { tokensAfter }),
    summary,
  }
}

function openRun(state: State, entry: EntryOf<"message">): readonly Event[] {
  const input = entry.inputId === undefined ? undefined : state.sources.get(entry.inputId)
  // A prompt never joins a run. If one is still open, a crash cut it off before its end was written.
  if (state.run !== null && input?.kind !== "prompt") return []
  // A message of an imported session may have no input.
  state.run = entry.inputId ?? entry.id
  state.turn = 0
  state.turnOpen = false
  state.waiting.clear()
  state.sources.clear()
  return [{ type: "agent_start", prompt: input?.text ?? "", source: input?.source ?? "user" }]
}

function openTurn(state: State): readonly Event[] {
  if (state.turnOpen || state.run === null) return []
  state.turnOpen = true
  state.turn += 1
  state.usage = noUsage
  state.cost = 0
  return [{ type: "turn_start", turn: state.turn }]
}

function closeTurn(state: State, options: ProjectionOptions): readonly Event[] {
  state.waiting.clear()
  if (!state.turnOpen) return []
  state.turnOpen = false
  return [
    {
      type: "turn_end",
      turn: state.turn,
      usage: state.usage,
      cost: state.cost,
      contextTokens: state.contextTokens,
      contextWindow: options.contextWindow,
    },
  ]
}

function ofPartial(state: State, partial: PartialUpdate): readonly Event[] {
  switch (partial.type) {
    case "start": {
      state.draftId = partial.draftId
      state.partialCalls.clear()
      const start: Event = {
        type: "message_start",
        message: { id: partial.draftId, role: "assistant", model: `${partial.model.provider}/${partial.model.id}` },
      }
      return inRun(state, [...openTurn(state), start])
    }
    case "text":
    case "thinking":
      if (state.draftId === "") return []
      return inRun(state, [
        { type: "message_update", id: state.draftId, kind: partial.type, index: partial.index, delta: partial.delta },
      ])
    case "call":
      if (state.draftId === "") return []
      state.partialCalls.set(partial.index, { id: partial.id, name: partial.name })
      return inRun(state, [ofPartialCall(state, partial.index, "")])
    case "args":
      if (state.draftId === "") return []
      return inRun(state, [ofPartialCall(state, partial.index, partial.delta)])
    case "progress":
      return inRun(state, [{ type: "tool_execution_update", toolCallId: partial.callId, delta: partial.delta }])
    case "discard":
      return []
  }
}

function ofPartialCall(state: State, index: number, delta: string): Event {
  const call = state.partialCalls.get(index)
  return {
    type: "message_update",
    id: state.draftId,
    kind: "tool_call",
    index,
    delta,
    ...(call ? { toolCallId: call.id, name: call.name } : {}),
  }
}
