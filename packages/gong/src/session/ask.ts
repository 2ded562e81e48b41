import {
  type Clock,
  failure,
  type Ids,
  type Message,
  type NewEntry,
  type Notice,
  noUsage,
  type Provider,
  publicFailure,
  type Reply,
  type Step,
  type ThinkingLevel,
  type ToolSpec,
} from "@gong/spec"

export interface AskParts {
  readonly provider: Provider
  readonly thinking: ThinkingLevel
  readonly system: string
  readonly tools: readonly ToolSpec[]
  readonly sessionId: string
  readonly clock: Clock
  readonly ids: Ids
  /** Shown at once, while the generator itself waits for the provider. */
  notify(notice: Notice): void
  draftsWanted(): boolean
}

/** Milliseconds of silence before the user is told who is being waited for. */
const quiet = 15_000

/** One request as the loop sees it: drafts, then a reply or a failure. A failed try leaves a `model_call` on the tape. */
export async function* ask(
  parts: AskParts,
  messages: readonly Message[],
  signal: AbortSignal,
): AsyncGenerator<Step, Reply, undefined> {
  const { provider, system, tools, thinking, sessionId, ids } = parts
  const draftId = ids.entry()
  const stream = provider.stream({ system, tools, messages, thinking, sessionId, draftId, signal })
  const silence = watchSilence(parts)
  try {
    for (;;) {
      const { value, done } = await stream.next()
      if (!done) {
        if (value.type !== "start") silence()
        if (parts.draftsWanted()) yield { draft: value }
        continue
      }
      if (!value.ok) yield { entries: [failedCall(value)] }
      return value
    }
  } finally {
    silence()
    // Left early, the connection must not stay open.
    await stream.return({ ok: false, failure: failure("aborted", "Operation aborted"), partial: null })
  }
}

function failedCall(reply: Extract<Reply, { ok: false }>): NewEntry {
  return {
    type: "model_call",
    purpose: "turn",
    usage: reply.partial?.usage ?? noUsage,
    // Nothing had come, nothing is billed; otherwise what the reply says, which may be unknown.
    cost: reply.partial ? reply.partial.cost : 0,
    failure: publicFailure(reply.failure),
  }
}

function watchSilence(parts: AskParts): () => void {
  let cancel = (): void => undefined
  let waited = 0
  const again = (): void => {
    cancel = parts.clock.timer(quiet, () => {
      waited += quiet
      const text = `waiting for ${parts.provider.model.provider} ... ${waited / 1000} s`
      parts.notify({ code: "waiting", level: "info", text })
      again()
    })
  }
  again()
  return () => cancel()
}
