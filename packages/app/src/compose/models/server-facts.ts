import {
  type Credential,
  type Model,
  type Notification,
  phrase,
  type Provider,
  textNotification,
  type Transport,
} from "@gong/spec"
import { type ServerFacts, serverFacts, withServerFacts } from "@gong/llm"
import { signalAfter } from "../../ports.ts"

export interface ServerPorts {
  /** Not recorded, since these are no requests of the conversation. */
  over(model: Model): Transport
  notify(notification: Notification): void
}

/** Milliseconds for the answers of a server. */
const answerTimeout = 5_000

/** A model on a server of the user: with the window of the server, and a notification if it cannot be used with tools. */
export function withFactsOf(
  { model, credential }: { readonly model: Model; readonly credential: Credential | null },
  provider: Provider,
  { over, notify }: ServerPorts,
): Provider {
  if (!isOpenAi(model)) return provider
  return withServerFacts(provider, async () => {
    const query = { transport: over(model), credential, signal: signalAfter(answerTimeout) }
    const facts = await serverFacts(model, query)
    if (facts !== null)
      for (const text of factsTexts(model, facts)) notify(textNotification("model-server", "warn", text))
    return facts
  })
}

function isOpenAi({ api }: Model): boolean {
  return api === "openai-completions" || api === "openai-responses"
}

/** Tokens; a smaller window soon loses the task itself. */
const minWindow = 16_000

/** What the user should know of a model's server, with the remedy. */
export function factsTexts({ id, compat }: Model, { contextWindow, tools }: ServerFacts) {
  const small = contextWindow !== null && contextWindow < minWindow
  const withoutTools = tools === false && compat?.calls !== "schema"
  return [
    ...(small
      ? [
          phrase`${id} runs with a window of ${contextWindow} tokens; Gong needs 16k. Start its server with a larger one (llama-server -c 32768).`,
        ]
      : []),
    ...(withoutTools
      ? [
          phrase`The chat template of ${id} has no tools, so the model cannot call any. Start its server with such a template (llama-server --jinja --chat-template-file FILE), or set "compat": {"calls": "schema"} for it in models.json.`,
        ]
      : []),
  ]
}
