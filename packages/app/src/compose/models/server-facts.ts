import { type Credential, type Model, type Notification, phrase, textNotification, type Transport } from "@gong/spec"
import { type ServerFacts, serverFacts } from "@gong/llm"
import { signalAfter } from "../../ports.ts"

export interface ServerPorts {
  /** Not recorded, since these are no requests of the conversation. */
  over(model: Model): Transport
  notify(notification: Notification): void
}

/** Milliseconds for the answers of a server. */
const answerTimeout = 5_000

/** Asks the server of a model for its facts, and notifies the user of what is a problem. */
export async function askServer(
  { model, credential }: { readonly model: Model; readonly credential: Credential | null },
  { over, notify }: ServerPorts,
): Promise<ServerFacts | null> {
  const query = { transport: over(model), credential, signal: signalAfter(answerTimeout) }
  const facts = await serverFacts(model, query)
  if (facts !== null)
    for (const text of factsTexts(model, facts)) notify(textNotification("model-server", "warn", text))
  return facts
}

/** Tokens; a smaller window soon loses the task itself. */
export const minWindow = 16_000

/** What the user should know of a model's server, with the remedy. */
function factsTexts({ id, compat }: Model, { contextWindow, tools }: ServerFacts) {
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
