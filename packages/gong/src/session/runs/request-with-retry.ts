import {
  type Clock,
  type PartialUpdate,
  type Failure,
  failure,
  type Ids,
  type Message,
  type ModelCallBody,
  type NewEntry,
  type Notification,
  noUsage,
  phrase,
  type Provider,
  publicFailure,
  type Reply,
  type Step,
  textNotification,
  type ThinkingLevel,
  type ToolSpec,
} from "@gong/spec"
import type { HookRunner } from "@gong/loop"
import type { FallbackChange } from "./fallback.ts"
import { nextTry, type RetryPolicy } from "./retry.ts"

export interface RequestDeps {
  readonly provider: Provider
  readonly thinking: ThinkingLevel
  readonly system: string
  readonly tools: readonly ToolSpec[]
  /** Absent for a request that is no part of the conversation. */
  readonly sessionId?: string
  /** As what a try that failed stands on the tape. */
  readonly call: Pick<ModelCallBody, "purpose" | "model">
  readonly clock: Clock
  readonly ids: Ids
  readonly retry: RetryPolicy
  /** Has `provider` and `thinking` be those of the next model, where there is one that may do better. */
  fallBack(failure: Failure): Promise<FallbackChange | null>
  /** Shown at once, while the generator itself waits for the provider. */
  notify(notification: Notification): void
  partialsWanted(): boolean
  /** Shows a piece of the reply at once: the loop does nothing with it, and each generator on the way there has its price. */
  show(partial: PartialUpdate): void
  readonly emit: HookRunner["emit"]
}

/** Milliseconds of silence before the user is told who is being waited for. */
const quiet = 15_000

/** One request with its retries, as watchers see it. */
export async function* requestWithRetry(
  parts: RequestDeps,
  messages: readonly Message[],
  signal: AbortSignal,
): AsyncGenerator<Step, Reply, undefined> {
  const { clock, emit } = parts
  const startedAt = clock.now()
  emit("llm.start", () => modelOf(parts))
  // Whoever leaves early leaves no reply.
  let reply = left
  try {
    reply = yield* tries(parts, messages, signal)
    return reply
  } finally {
    const { usage = null, stopReason = null } = (reply.ok ? reply.message : reply.partial) ?? {}
    const fail = reply.ok ? null : publicFailure(reply.failure)
    emit("llm.stop", () => ({
      ...modelOf(parts),
      duration_ms: clock.now() - startedAt,
      usage,
      stop_reason: stopReason,
      failure: fail,
    }))
  }
}

/** Current whenever it is asked: a request may end with another model than it began with. */
export function modelOf({ provider: { model } }: Pick<RequestDeps, "provider">): {
  readonly model: string
  readonly provider: string
} {
  return { model: model.id, provider: model.provider }
}

/**
 * One request as the loop sees it: how it begins, then a reply or a failure. A try that failed leaves a `model_call` on the
 * tape and is made again where that may help; tools run only after the reply is over, so no try repeats an effect.
 */
async function* tries(
  parts: RequestDeps,
  messages: readonly Message[],
  signal: AbortSignal,
): AsyncGenerator<Step, Reply, undefined> {
  let hadOutputBefore = false
  for (let retries = 0; ; retries++) {
    const draftId = parts.ids.entry()
    const { reply, hadOutput } = yield* tryOnce(parts, messages, draftId, signal)
    if (retries > 0) yield { notification: { code: "retry_end", attempt: retries, ok: reply.ok } }
    if (reply.ok || signal.aborted) return reply
    const next = nextTry({ failure: reply.failure, retries, hadOutput, hadOutputBefore }, parts.retry)
    if (!next.again) {
      const change = await parts.fallBack(next.failure)
      if (change === null) return { ...reply, failure: next.failure }
      if (parts.partialsWanted()) yield { partial: { type: "discard", draftId } }
      yield { entries: change.entries }
      yield { notification: change.notification }
      ;[retries, hadOutputBefore] = [-1, false]
      continue
    }
    hadOutputBefore ||= hadOutput
    const attempt = retries + 1
    const { delayMs, of } = next
    if (parts.partialsWanted()) yield { partial: { type: "discard", draftId } }
    yield { notification: { code: "retry_start", attempt, of, delayMs, failure: reply.failure, draftId } }
    if (await slept(parts.clock, delayMs, signal)) continue
    yield { notification: { code: "retry_end", attempt, ok: false } }
    return left
  }
}

const left: Reply = { ok: false, failure: failure("aborted", phrase`Operation aborted`), partial: null }

interface Tried {
  readonly reply: Reply
  /** Words or calls had come; a thought alone says nothing to anybody. */
  readonly hadOutput: boolean
}

async function* tryOnce(
  parts: RequestDeps,
  messages: readonly Message[],
  draftId: string,
  signal: AbortSignal,
): AsyncGenerator<Step, Tried, undefined> {
  const { provider, system, tools, thinking, sessionId } = parts
  const stream = provider.stream({
    system,
    tools,
    messages,
    thinking,
    ...(sessionId === undefined ? {} : { sessionId }),
    draftId,
    signal,
    partialsWanted: parts.partialsWanted,
  })
  const silence = watchSilence(parts)
  let hadOutput = false
  try {
    for (;;) {
      const { value, done } = await stream.next()
      if (!done) {
        if (value.type === "start") {
          if (parts.partialsWanted()) yield { partial: value }
          continue
        }
        silence()
        hadOutput ||= isOutput(value)
        if (parts.partialsWanted()) parts.show(value)
        continue
      }
      if (!value.ok) yield { entries: [failedCall(parts.call, value)] }
      return { reply: value, hadOutput }
    }
  } finally {
    silence()
    // Left early, the connection must not stay open.
    await stream.return(left)
  }
}

function isOutput({ type }: PartialUpdate): boolean {
  return type === "text" || type === "call" || type === "args"
}

/** False when the run was stopped on the way. */
async function slept(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await clock.sleep(ms, signal)
  } catch {
    // Only the signal ends a sleep early.
  }
  return !signal.aborted
}

function failedCall(call: RequestDeps["call"], reply: Extract<Reply, { ok: false }>): NewEntry {
  const yuan = reply.partial?.costCny
  return {
    type: "model_call",
    ...call,
    usage: reply.partial?.usage ?? noUsage,
    // Nothing had come, nothing is billed; otherwise what the reply says, which may be unknown.
    cost: reply.partial ? reply.partial.cost : 0,
    ...(yuan === undefined ? {} : { costCny: yuan }),
    failure: publicFailure(reply.failure),
  }
}

function watchSilence(parts: RequestDeps): () => void {
  let cancel = (): void => undefined
  let waited = 0
  const again = (): void => {
    cancel = parts.clock.timer(quiet, () => {
      waited += quiet
      const text = phrase`waiting for ${parts.provider.model.provider} ... ${waited / 1000} s`
      parts.notify(textNotification("waiting", "info", text))
      again()
    })
  }
  again()
  return () => cancel()
}
