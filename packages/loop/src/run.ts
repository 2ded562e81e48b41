import {
  type AssistantContent,
  type AssistantMessage,
  englishOf,
  type EntryOf,
  failure,
  failureOf,
  type InputKind,
  type NewEntry,
  noUsage,
  phrase,
  type Reply,
  type RunEnd,
  type Step,
  textNotification,
  textOf,
  type ToolCall,
  toolCallsOf,
  type ToolResultMessage,
  type UserMessage,
  userText,
} from "@gong/spec"
import { type CallIds, callIds } from "./calls/call-ids.ts"
import { countUsage } from "./limits/usage-accounting.ts"
import { type Ended, interrupted, limitEnd, stoppedByHook } from "./run-end.ts"
import { prependEntries } from "./prepend-entries.ts"
import { type Budget, budget, type Warning } from "./limits/limits.ts"
import type { LoopPorts } from "./ports.ts"
import { type RepeatDetector, repeatDetector } from "./limits/repeat.ts"
import * as texts from "./texts.ts"
import { timeLimit } from "./limits/time-limit.ts"
import { emptyReplyNotification } from "./empty-reply.ts"

const maxContinuations = 2
const repeatsBeforeNote = 3
const repeatsBeforeStop = 5
/** How often hooks may block the end of a run; a hook that always blocks must not cost without bound. */
const maxStopBlocks = 8

interface Run {
  readonly ports: LoopPorts
  readonly budget: Budget
  readonly repeats: RepeatDetector
  readonly callIds: CallIds
  /** How often the model was asked to continue a reply that was cut. */
  continuations: number
  /** How often hooks blocked the end of the run. */
  held: number
}

/**
 * One run, from pending input to idle. The caller stores or shows every step before it pulls the next. Returns how the run
 * ended, after an equal `run_end` entry. To leave early, abort the signal, then call `return()`.
 */
export async function* run(given: LoopPorts): AsyncGenerator<Step, RunEnd, undefined> {
  const time = timeLimit(given)
  const { ports } = time
  const state: Run = {
    ports,
    budget: budget(ports.limits, ports.clock.now()),
    repeats: repeatDetector(),
    callIds: callIds(ports.context(), ports.removedCallIds()),
    continuations: 0,
    held: 0,
  }
  let end: RunEnd
  try {
    let next: NextStep = { take: ["prompt"], note: null }
    while (!("ended" in next)) {
      for (const kind of next.take) yield* inject(ports, kind)
      const ended = yield* beginTurn(state)
      next = ended ? { ended } : ((yield* turn(state)) ?? (yield* idle(state)))
      if ("note" in next && next.note) yield next.note
    }
    const { ended } = next
    end = { ...(ended.status === "interrupted" && time.isUp() ? limitEnd("time") : ended), turns: state.budget.turns }
  } catch (error) {
    end = { status: "failed", failure: failureOf(error), turns: state.budget.turns }
  } finally {
    time.close()
  }
  yield { entries: [{ type: "run_end", ...end }] }
  return end
}

/** What follows a turn: the end of the run, or a note for the model and another turn, with the waiting input of these kinds. */
type NextStep = { readonly ended: Ended } | { readonly take: readonly InputKind[]; readonly note: Step | null }

/** Takes steers and checks the limits. Returns the end of the run where it must not go on. */
async function* beginTurn({ ports, budget }: Run): AsyncGenerator<Step, Ended | null> {
  // Accepted input stays queued, since an aborted run would not answer it.
  if (ports.signal.aborted) return interrupted()
  yield* inject(ports, "steer")
  const uncounted = budget.uncounted()
  if (uncounted) yield { notification: uncounted }
  const limit = budget.reached(ports.clock.now())
  if (limit) return limitEnd(limit)
  const warning = budget.warning(ports.clock.now())
  if (warning) yield warned(warning)
  return null
}

/** The model has nothing left to do: the run ends, unless input waits or a hook blocks the end. */
async function* idle(state: Run): AsyncGenerator<Step, NextStep> {
  const held = !hasWaitingInput(state) && (yield* blockedByHook(state))
  // Input may have arrived while hooks were called.
  if (!held && !hasWaitingInput(state)) return { ended: { status: "done" } }
  const { hooks, signal } = state.ports
  if (signal.aborted) return { ended: interrupted() }
  const wanted = hooks.stopping()
  if (wanted !== null) return { ended: stoppedByHook(wanted) }
  return { take: held ? [] : ["follow_up"], note: null }
}

/** A late steer continues the run like a follow-up. */
function hasWaitingInput({ ports }: Run): boolean {
  return ports.inbox.has("follow_up") || ports.inbox.has("steer")
}

/** Calls the stop gates; the reason of one that blocks becomes a message for the model. */
async function* blockedByHook(state: Run): AsyncGenerator<Step, boolean> {
  const { hooks, signal } = state.ports
  if (signal.aborted) return false
  const gated = await hooks.beforeStop({ again: state.held > 0 })
  for (const notification of hooks.takeNotifications()) yield { notification }
  // A stop request of a hook outranks the block.
  if (gated.answer === "ok" || hooks.stopping() !== null || signal.aborted) return false
  if (state.held >= maxStopBlocks) {
    const text = phrase`hooks blocked the end of the run ${maxStopBlocks} times; it ends now: ${gated.reason}`
    yield { notification: textNotification("hook", "warn", text) }
    return false
  }
  state.held += 1
  yield note("gong.hook", englishOf(gated.reason))
  return true
}

let callsModule: Promise<typeof import("./calls/calls.ts")> | undefined

/** Loaded for the first call of a model; a plain answer does without. */
function loadCalls() {
  return (callsModule ??= import("./calls/calls.ts"))
}

/** One reply and its tool calls. Null: the model has nothing left to do. */
async function* turn(state: Run): AsyncGenerator<Step, NextStep | null> {
  const { hooks, clock } = state.ports
  const { turns } = state.budget
  const startedAt = clock.now()
  let calls: readonly ToolCall[] = []
  hooks.emit("turn.start", () => ({ turn_index: turns }))
  try {
    await fit(state, "limit")
    let reply = yield* request(state)
    // Repeated once, where a compaction helped.
    if (!reply.ok && reply.failure.kind === "context-overflow" && (await fit(state, "overflow")))
      reply = yield* request(state)
    if (!reply.ok) return { ended: yield* replyFailed(state, reply) }
    state.budget.turn(reply.message.usage, reply.message.cost)
    calls = toolCallsOf(reply.message)
    if (calls.length > 0) {
      const { runCalls } = await loadCalls()
      return afterCalls(
        state,
        calls,
        yield* countUsage(state.budget, prependEntries([reply.entry], runCalls(state.ports, calls))),
      )
    }
    yield { entries: [reply.entry] }
    const silent = emptyReplyNotification(reply.message)
    if (silent) yield { notification: silent }
    return afterText(state, reply.message)
  } finally {
    hooks.emit("turn.end", () => ({
      turn_index: turns,
      duration_ms: clock.now() - startedAt,
      tool_calls: calls.map(({ id, name }) => ({ id, tool: name })),
    }))
  }
}

async function* inject(ports: LoopPorts, kind: InputKind): AsyncGenerator<Step, void> {
  const inputs = ports.inbox.take(kind)
  if (inputs.length > 0) yield { entries: inputs.map(injected) }
}

function injected(input: EntryOf<"input">): NewEntry {
  const message: UserMessage = userText(input.text, input.images)
  return { type: "message", message, inputId: input.id }
}

function note(customType: string, text: string): Step {
  return { entries: [{ type: "custom_message", customType, content: [{ type: "text", text }], display: true }] }
}

function warned(warning: Warning): Step {
  if (warning.limit === "turns") return note("gong.turns", texts.turnsLeft(warning.left))
  return note("gong.limit", texts.limitNearlyReached(warning.limit, warning.percent))
}

/** Whether the conversation has changed. */
async function fit({ ports, budget }: Run, reason: "limit" | "overflow"): Promise<boolean> {
  const fitted = await ports.fit(reason, ports.signal)
  budget.spend(fitted.usage, fitted.cost)
  return fitted.changed
}

type RequestResult =
  | { readonly ok: true; readonly message: AssistantMessage; readonly entry: NewEntry }
  | Extract<Reply, { ok: false }>

/** One request of the conversation as it is. */
async function* request(state: Run): AsyncGenerator<Step, RequestResult> {
  const { ports } = state
  const messages = await ports.hooks.onContext(ports.context())
  for (const notification of ports.hooks.takeNotifications()) yield { notification }
  const stream = ports.request(messages, ports.signal)
  let draftId: string | undefined
  try {
    for (;;) {
      const { value, done } = await stream.next()
      if (!done) {
        if ("partial" in value && value.partial.type === "start") draftId = value.partial.draftId
        if ("entries" in value) spendFailed(state, value.entries)
        yield value
        continue
      }
      if (!value.ok) {
        if (value.failure.kind === "context-overflow" && draftId) yield { partial: { type: "discard", draftId } }
        return value
      }
      const message = state.callIds.unique(value.message)
      return { ok: true, message, entry: { type: "message", message, ...(draftId ? { draftId } : {}) } }
    }
  } finally {
    // An early return also returns the model's stream; a finished one ignores it.
    await stream.return({ ok: false, failure: left, partial: null })
  }
}

const left = failure("aborted", texts.aborted)

/** Counts the cost of failed attempts. */
function spendFailed({ budget }: Run, entries: readonly NewEntry[]): void {
  for (const entry of entries) if (entry.type === "model_call") budget.spend(entry.usage, entry.cost)
}

/** Keeps the partial content if there is any text; its cost is in the `model_call` of the failed attempt. */
async function* replyFailed(state: Run, reply: Extract<Reply, { ok: false }>): AsyncGenerator<Step, Ended> {
  const aborted = reply.failure.kind === "aborted" || state.ports.signal.aborted
  const content = keptContent(reply.partial?.content ?? [])
  if (reply.partial && content.length > 0) {
    const stopReason = aborted ? "aborted" : "error"
    yield {
      entries: [{ type: "message", message: { ...reply.partial, content, stopReason, usage: noUsage, cost: 0 } }],
    }
  }
  return { status: aborted ? "interrupted" : "failed", failure: reply.failure }
}

/** Content up to the last text, without calls that never ran and without trailing reasoning, which no model accepts back. */
function keptContent(content: readonly AssistantContent[]): readonly AssistantContent[] {
  const last = content.findLastIndex((block) => block.type === "text" && block.text.trim() !== "")
  return content.slice(0, last + 1).filter((block) => block.type !== "tool_call")
}

function afterCalls(state: Run, calls: readonly ToolCall[], results: readonly ToolResultMessage[]): NextStep {
  const { ports } = state
  if (ports.signal.aborted) return { ended: interrupted() }
  const refused = ports.strict ? results.find((result) => result.status === "refused") : undefined
  if (refused) return { ended: { status: "refused", failure: failure("denied", refused.phrase ?? textOf(refused)) } }
  const wanted = ports.hooks.stopping()
  if (wanted !== null) return { ended: stoppedByHook(wanted) }
  const { times, rounds } = state.repeats.seen(calls, results)
  if (times >= repeatsBeforeStop) return { ended: limitEnd("repeat") }
  return { take: [], note: times === repeatsBeforeNote ? note("gong.repeat", texts.repeated(times, rounds)) : null }
}

function afterText(state: Run, { stopReason }: AssistantMessage): NextStep | null {
  if (stopReason !== "length") return state.ports.inbox.has("steer") ? { take: [], note: null } : null
  if (state.continuations >= maxContinuations)
    return { ended: { status: "failed", failure: failure("cut-off", texts.cutOff) } }
  state.continuations += 1
  return { take: [], note: note("gong.go-on", texts.continueReply) }
}
