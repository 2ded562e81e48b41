import {
  type AssistantContent,
  type AssistantMessage,
  type EntryOf,
  failure,
  failureOf,
  type InputKind,
  type NewEntry,
  type Reply,
  type RunEnd,
  type Step,
  type ToolCall,
  type ToolResultMessage,
  textOf,
  toolCallsOf,
  type UserMessage,
  userText,
} from "@gong/spec"
import { type CallIds, callIds } from "./call-ids.ts"
import { runCalls } from "./calls.ts"
import { inFront } from "./in-front.ts"
import { type Budget, budget } from "./limits.ts"
import type { LoopPorts } from "./ports.ts"
import { type RepeatWatch, repeatWatch } from "./repeat.ts"
import * as texts from "./texts.ts"

const maxGoOn = 2
const repeatTold = 3
const repeatStopped = 5

interface Run {
  readonly ports: LoopPorts
  readonly budget: Budget
  readonly repeats: RepeatWatch
  readonly callIds: CallIds
  /** How often the model was asked to go on after its reply was cut. */
  goneOn: number
}

/**
 * One run: from waiting input to idle. Every step is to be written or shown before the next is pulled; the last value
 * says how it ended, after a `run_end` entry that says the same. To leave early abort the signal, then `return()`.
 */
export async function* run(ports: LoopPorts): AsyncGenerator<Step, RunEnd, undefined> {
  const state: Run = {
    ports,
    budget: budget(ports.limits, ports.clock.now()),
    repeats: repeatWatch(),
    callIds: callIds(ports.context()),
    goneOn: 0,
  }
  let end: RunEnd
  try {
    end = { ...(yield* outer(state)), turns: state.budget.turns }
  } catch (error) {
    end = { status: "failed", failure: failureOf(error), turns: state.budget.turns }
  }
  yield { entries: [{ type: "run_end", ...end }] }
  return end
}

type Ended = Omit<RunEnd, "turns">

/** Outer loop: prompts and follow-ups. */
async function* outer(state: Run): AsyncGenerator<Step, Ended> {
  let kinds: readonly InputKind[] = ["prompt"]
  for (;;) {
    for (const kind of kinds) yield* inject(state.ports, kind)
    const ended = yield* inner(state)
    if (ended) return ended
    const { inbox, signal } = state.ports
    // A steer that came in after the last look is as good a reason to go on as a follow-up.
    if (!inbox.has("follow_up") && !inbox.has("steer")) return { status: "done" }
    if (signal.aborted) return interrupted()
    kinds = ["follow_up"]
  }
}

/** Inner loop: turns, while there are tool calls or steering messages. Null when there is nothing left to do. */
async function* inner(state: Run): AsyncGenerator<Step, Ended | null> {
  const { ports } = state
  for (;;) {
    // What waits stays in the queue: it was accepted, and an aborted run would not answer it.
    if (state.budget.turns > 0 && ports.signal.aborted) return interrupted()
    yield* inject(ports, "steer")
    const limit = state.budget.reached(ports.clock.now())
    if (limit) return limitEnd(limit)
    const left = state.budget.turnsLeft()
    if (left !== null) yield note("gong.turns", texts.turnsLeft(left))

    const reply = yield* ask(state)
    if (!reply.ok) return yield* replyFailed(state, reply)
    state.budget.add(reply.message)
    const calls = toolCallsOf(reply.message)
    let after: After
    if (calls.length > 0) {
      after = afterCalls(state, calls, yield* inFront([reply.entry], runCalls(ports, calls)))
    } else {
      yield { entries: [reply.entry] }
      after = afterText(state, reply.message)
    }
    if ("ended" in after) return after.ended
    if (after.note) yield after.note
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

type Asked =
  | { readonly ok: true; readonly message: AssistantMessage; readonly entry: NewEntry }
  | Extract<Reply, { ok: false }>

async function* ask(state: Run): AsyncGenerator<Step, Asked> {
  const { ports } = state
  const messages = await ports.hooks.onContext(ports.context())
  for (const notice of ports.hooks.takeNotices()) yield { notice }
  const stream = ports.ask(messages, ports.signal)
  let draftId: string | undefined
  try {
    for (;;) {
      const { value, done } = await stream.next()
      if (!done) {
        if ("draft" in value && value.draft.type === "start") draftId = value.draft.draftId
        yield value
        continue
      }
      if (!value.ok) return value
      const message = state.callIds.unique(value.message)
      return { ok: true, message, entry: { type: "message", message, ...(draftId ? { draftId } : {}) } }
    }
  } finally {
    // Whoever leaves the run at a draft leaves the model's stream as well; one that has ended takes no notice.
    await stream.return({ ok: false, failure: left, partial: null })
  }
}

const left = failure("aborted", texts.aborted)

/** What had arrived is kept when it says anything. */
async function* replyFailed(state: Run, reply: Extract<Reply, { ok: false }>): AsyncGenerator<Step, Ended> {
  const aborted = reply.failure.kind === "aborted" || state.ports.signal.aborted
  const content = said(reply.partial?.content ?? [])
  if (reply.partial && content.length > 0) {
    const stopReason = aborted ? "aborted" : "error"
    yield { entries: [{ type: "message", message: { ...reply.partial, content, stopReason } }] }
  }
  return { status: aborted ? "interrupted" : "failed", failure: reply.failure }
}

/** Up to the last words: calls that never ran are left out, and a thought that led nowhere, which no model takes back. */
function said(content: readonly AssistantContent[]): readonly AssistantContent[] {
  const last = content.findLastIndex((block) => block.type === "text" && block.text.trim() !== "")
  return content.slice(0, last + 1).filter((block) => block.type !== "tool_call")
}

/** What follows a reply: the end of the inner loop (null: nothing is left to do), or the next turn, maybe with a word before it. */
type After = { readonly ended: Ended | null } | { readonly note: Step | null }

function afterCalls(state: Run, calls: readonly ToolCall[], results: readonly ToolResultMessage[]): After {
  const { ports } = state
  if (ports.signal.aborted) return { ended: interrupted() }
  const refused = ports.strict ? results.find((result) => result.status === "refused") : undefined
  if (refused) return { ended: { status: "refused", failure: failure("denied", textOf(refused)) } }
  const seen = state.repeats.seen(calls, results)
  if (seen >= repeatStopped) return { ended: limitEnd("repeat") }
  return { note: seen === repeatTold ? note("gong.repeat", texts.repeated) : null }
}

function afterText(state: Run, { stopReason }: AssistantMessage): After {
  if (stopReason !== "length") return state.ports.inbox.has("steer") ? { note: null } : { ended: null }
  if (state.goneOn >= maxGoOn) return { ended: { status: "failed", failure: failure("cut-off", texts.cutOff) } }
  state.goneOn += 1
  return { note: note("gong.go-on", texts.goOn) }
}

function interrupted(): Ended {
  return { status: "interrupted", failure: failure("aborted", texts.aborted) }
}

function limitEnd(limit: string): Ended {
  return { status: "limit", limit, failure: failure("limit", limitText(limit)) }
}

function limitText(limit: string): string {
  if (limit === "repeat") return "The same call gave the same result 5 times in a row."
  return `The limit of this run was reached: ${limit}.`
}
