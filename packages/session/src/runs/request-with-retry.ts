import { type Clock, type Ids, failure, phrase, publicFailure, type Reply, type Step } from "@gong/spec"
import type { RunModels } from "./fallback.ts"
import type { ModelSelection } from "./model-selection.ts"
import { type Attempt, requestOnce, type RequestOutput, type SessionRequest } from "./request-once.ts"
import { nextTry, type RetryPolicy } from "./retry.ts"

export interface RequestDeps {
  /** The model to use; `next` changes to a fallback. */
  readonly models: Pick<RunModels, "current" | "next">
  readonly clock: Clock
  readonly ids: Ids
  readonly retry: RetryPolicy
  readonly output: RequestOutput
}

/** One request with its retries, and its telemetry events. */
export async function* requestWithRetry(
  deps: RequestDeps,
  request: SessionRequest,
  signal: AbortSignal,
): AsyncGenerator<Step, Reply, undefined> {
  const { clock, models } = deps
  const { emit } = deps.output
  const startedAt = clock.now()
  emit("llm.start", () => modelOf(models.current))
  // The result for a caller that returns early.
  let reply = aborted
  try {
    reply = yield* attempts(deps, request, signal)
    return reply
  } finally {
    const { usage = null, stopReason = null } = (reply.ok ? reply.message : reply.partial) ?? {}
    const fail = reply.ok ? null : publicFailure(reply.failure)
    emit("llm.stop", () => ({
      ...modelOf(models.current),
      duration_ms: clock.now() - startedAt,
      usage,
      stop_reason: stopReason,
      failure: fail,
    }))
  }
}

/** The names of the model for telemetry. */
export function modelOf({ provider: { model } }: Pick<ModelSelection, "provider">): {
  readonly model: string
  readonly provider: string
} {
  return { model: model.id, provider: model.provider }
}

/**
 * One request as the loop sees it: its start, then a reply or a failure. A failed attempt leaves a `model_call` on the tape and
 * is repeated where that may help. Tools run only after the reply has ended, so no attempt repeats an effect.
 */
async function* attempts(
  deps: RequestDeps,
  request: SessionRequest,
  signal: AbortSignal,
): AsyncGenerator<Step, Reply, undefined> {
  const { clock, ids, models, output, retry } = deps
  let hadOutputBefore = false
  for (let retries = 0; ; retries++) {
    const draftId = ids.entry()
    const attempt: Attempt = { selection: models.current, request, draftId }
    const { reply, hadOutput } = yield* requestOnce(attempt, output, clock, signal)
    if (retries > 0) yield { notification: { code: "retry_end", attempt: retries, ok: reply.ok } }
    if (reply.ok || signal.aborted) return reply
    const next = nextTry({ failure: reply.failure, retries, hadOutput, hadOutputBefore }, retry)
    if (!next.again) {
      const change = await models.next(next.failure)
      if (change === null) return { ...reply, failure: next.failure }
      output.emit("model.select", () => modelOf(models.current))
      if (output.partialsWanted()) yield { partial: { type: "discard", draftId } }
      yield { entries: change.entries }
      yield { notification: change.notification }
      ;[retries, hadOutputBefore] = [-1, false]
      continue
    }
    hadOutputBefore ||= hadOutput
    const { delayMs, of } = next
    if (output.partialsWanted()) yield { partial: { type: "discard", draftId } }
    yield { notification: { code: "retry_start", attempt: retries + 1, of, delayMs, failure: reply.failure, draftId } }
    if (await slept(clock, delayMs, signal)) continue
    yield { notification: { code: "retry_end", attempt: retries + 1, ok: false } }
    return aborted
  }
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
