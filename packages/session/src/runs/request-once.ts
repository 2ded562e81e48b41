import {
  type Clock,
  failure,
  type ModelCallBody,
  type ModelRequest,
  type NewEntry,
  noUsage,
  type PartialUpdate,
  phrase,
  publicFailure,
  type PublishedStep,
  type Reply,
  type Step,
  textNotification,
} from "@gong/spec"
import type { HookRunner } from "@gong/loop"
import type { ModelSelection } from "./model-selection.ts"

/** What is sent around the messages, whichever model receives it. Without `sessionId` they are not the conversation. */
export interface RequestFrame extends Pick<ModelRequest, "system" | "tools" | "sessionId"> {
  /** What the `model_call` of a failed attempt says beside its usage. */
  readonly call: Pick<ModelCallBody, "purpose" | "model">
}

/** Where the progress of a request goes. */
export interface RequestOutput {
  /**
   * Called at once, while the generator itself waits for the provider: for each piece of the reply, which the loop does not use
   * and whose way through each generator would cost time, and for notifications of silence.
   */
  publish(step: PublishedStep): void
  partialsWanted(): boolean
  readonly emit: HookRunner["emit"]
}

export interface Attempt {
  readonly selection: ModelSelection
  readonly request: RequestFrame & Pick<ModelRequest, "messages">
  readonly draftId: string
}

export interface AttemptResult {
  readonly reply: Reply
  /** Text or calls had arrived; reasoning alone does not count. */
  readonly hadOutput: boolean
}

/** One attempt of a request. One that fails leaves a `model_call` with what it cost. */
export async function* requestOnce(
  { selection, request, draftId }: Attempt,
  output: RequestOutput,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<Step, AttemptResult, undefined> {
  const { provider, thinking } = selection
  const { call, ...sent } = request
  const stream = provider.stream({ ...sent, thinking, draftId, signal, partialsWanted: output.partialsWanted })
  const stopReports = reportSilence(provider.model.provider, output, clock)
  let hadOutput = false
  try {
    for (;;) {
      const { value, done } = await stream.next()
      if (!done) {
        if (value.type === "start") {
          if (output.partialsWanted()) yield { partial: value }
          continue
        }
        stopReports()
        hadOutput ||= isOutput(value)
        if (output.partialsWanted()) output.publish({ partial: value })
        continue
      }
      if (!value.ok) yield { entries: [failedCall(call, value)] }
      return { reply: value, hadOutput }
    }
  } finally {
    stopReports()
    // A caller that returns early must not leave the connection open.
    await stream.return({ ok: false, failure: failure("aborted", phrase`Operation aborted`), partial: null })
  }
}

function isOutput({ type }: PartialUpdate): boolean {
  return type === "text" || type === "call" || type === "args"
}

function failedCall(call: RequestFrame["call"], reply: Extract<Reply, { ok: false }>): NewEntry {
  const yuan = reply.partial?.costCny
  return {
    type: "model_call",
    ...call,
    usage: reply.partial?.usage ?? noUsage,
    // Without any reply nothing is billed; otherwise the reply says the cost, which may be unknown.
    cost: reply.partial ? reply.partial.cost : 0,
    ...(yuan === undefined ? {} : { costCny: yuan }),
    failure: publicFailure(reply.failure),
  }
}

/** Milliseconds of silence before the user is shown which provider the session waits for. */
const quiet = 15_000

/** Reports silence every 15 s until the returned function is called. */
function reportSilence(provider: string, { publish }: RequestOutput, clock: Clock): () => void {
  let cancel = (): void => undefined
  let waited = 0
  const again = (): void => {
    cancel = clock.timer(quiet, () => {
      waited += quiet
      const text = phrase`waiting for ${provider} ... ${waited / 1000} s`
      publish({ notification: textNotification("waiting", "info", text) })
      again()
    })
  }
  again()
  return () => cancel()
}
