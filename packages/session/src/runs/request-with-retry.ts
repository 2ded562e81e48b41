import { type Clock, type Ids, failure, phrase, publicFailure, type Reply, type Step } from "@gong/spec"
import type { LoopPorts } from "@gong/loop"
import type { RunModels } from "./fallback.ts"
import type { ModelSelection } from "./model-selection.ts"
import { type Attempt, type AttemptResult, type RequestFrame, requestOnce, type RequestOutput } from "./request-once.ts"
import { nextTry, type RetryPolicy } from "./retry.ts"

export interface RequestDeps {
  /** The model to use; `next` changes to a fallback. */
  readonly models: Pick<RunModels, "current" | "next">
  readonly clock: Clock
  readonly ids: Ids
  readonly retry: RetryPolicy
  readonly output: RequestOutput
}

/**
 * Sends a conversation as the loop sees it: its start, then a reply or a failure. A failed attempt leaves a `model_call` on the
 * tape and is repeated where that may help. Tools run only after the reply has ended, so no attempt repeats an effect.
 */
export type RequestWithRetry = LoopPorts["request"]

/** Requests with the same frame around different messages. */
export function requestsWithRetry(deps: RequestDeps, frame: RequestFrame): RequestWithRetry {
  const { clock, models, output, ids } = deps
  return async function* requestWithRetry(messages, signal) {
    const tries: Tries = { retries: 0, hadOutputBefore: false }
    const startedAt = clock.now()
    output.emit("llm.start", () => modelOf(models.current))
    let reply: Reply | null = null
    try {
      while (reply === null) {
        const attempt = { selection: models.current, request: { ...frame, messages }, draftId: ids.entry() }
        const result = yield* requestOnce(attempt, output, clock, signal)
        reply = yield* afterAttempt(deps, tries, { ...attempt, ...result }, signal)
      }
      return reply
    } finally {
      // A caller that returns early leaves without a reply.
      const last = reply ?? aborted
      const { usage = null, stopReason = null } = (last.ok ? last.message : last.partial) ?? {}
      const fail = last.ok ? null : publicFailure(last.failure)
      output.emit("llm.stop", () => ({
        ...modelOf(models.current),
        duration_ms: clock.now() - startedAt,
        usage,
        stop_reason: stopReason,
        failure: fail,
      }))
    }
  }
}

/** The names of the model for telemetry. */
export function modelOf({ provider: { model } }: Pick<ModelSelection, "provider">): {
  readonly model: string
  readonly provider: string
} {
  return { model: model.id, provider: model.provider }
}

interface Tries {
  /** Of the current model. */
  retries: number
  hadOutputBefore: boolean
}

/** The reply to return; null where the request is sent again, after a delay or to a fallback. */
async function* afterAttempt(
  { clock, models, output, retry }: RequestDeps,
  tries: Tries,
  { reply, hadOutput, draftId }: Pick<Attempt, "draftId"> & AttemptResult,
  signal: AbortSignal,
): AsyncGenerator<Step, Reply | null, undefined> {
  const { retries } = tries
  if (retries > 0) yield { notification: { code: "retry_end", attempt: retries, ok: reply.ok } }
  if (reply.ok || signal.aborted) return reply
  const next = nextTry({ failure: reply.failure, hadOutput, ...tries }, retry)
  if (!next.again) {
    const change = await models.next(next.failure)
    if (change === null) return { ...reply, failure: next.failure }
    output.emit("model.select", () => modelOf(models.current))
    if (output.partialsWanted()) yield { partial: { type: "discard", draftId } }
    yield { entries: change.entries }
    yield { notification: change.notification }
    Object.assign(tries, { retries: 0, hadOutputBefore: false })
    return null
  }
  Object.assign(tries, { retries: retries + 1, hadOutputBefore: tries.hadOutputBefore || hadOutput })
  const { delayMs, of } = next
  if (output.partialsWanted()) yield { partial: { type: "discard", draftId } }
  yield { notification: { code: "retry_start", attempt: retries + 1, of, delayMs, failure: reply.failure, draftId } }
  if (await slept(clock, delayMs, signal)) return null
  yield { notification: { code: "retry_end", attempt: retries + 1, ok: false } }
  return aborted
}

const aborted: Reply = { ok: false, failure: failure("aborted", phrase`Operation aborted`), partial: null }

/** False when the run was stopped during the wait. */
async function slept(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await clock.sleep(ms, signal)
  } catch {
    // Only the signal ends a sleep early.
  }
  return !signal.aborted
}
