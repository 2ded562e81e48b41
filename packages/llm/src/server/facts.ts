import { type Credential, isRecord, type Model, type Transport } from "@gong/spec"
import { atBaseUrl } from "../base-url.ts"
import { fetchJson, isSame, type OllamaPorts, runningWindow } from "../ollama.ts"

/** What a server tells of a model that it runs. */
export interface ServerFacts {
  /** Tokens that it allocates; null if it does not tell. */
  readonly contextWindow: number | null
  /** Whether its template passes tools to the model; null if it does not tell. */
  readonly tools: boolean | null
}

export interface ServerQuery {
  readonly transport: Transport
  readonly credential: Credential | null
  readonly signal: AbortSignal
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Asks the server of a model for its window and its template: llama.cpp (`meta.n_ctx` and `/props`), vLLM and SGLang
 * (`max_model_len`), LM Studio (`/api/v0/models`), Ollama (`/api/ps`). Only a server that names itself in its list of models
 * gets a second request. Null if it tells nothing. Never throws.
 */
export async function serverFacts({ id, wireId, baseUrl }: Model, query: ServerQuery): Promise<ServerFacts | null> {
  const { origin, pathname, search } = new URL(baseUrl)
  const { credential, ...rest } = query
  const headers = credential === null ? {} : { authorization: `Bearer ${credential.key}` }
  const ports = { ...rest, origin, headers }
  const name = wireId ?? id
  const entry = entryOf(await fetchJson(ports, atBaseUrl(pathname + search, "/models")), name)
  if (entry === null) return null
  const owner = String(entry["owned_by"]).toLowerCase()
  const listed = numberIn(entry, "max_model_len") ?? numberIn(entry["meta"], "n_ctx")
  if (owner === "llamacpp") return llamaFacts(await fetchJson(ports, "/props"), listed)
  if (listed !== null) return { contextWindow: listed, tools: null }
  if (owner === "organization_owner") return studioFacts(entryOf(await fetchJson(ports, "/api/v0/models"), name))
  if (owner === "library") return ollamaFacts(ports, name)
  return null
}

/** The entry of this model in a list; of a list with one model that one, since such a server ignores the name. */
function entryOf(reply: unknown, name: string): Fields | null {
  const data = isRecord(reply) && Array.isArray(reply["data"]) ? reply["data"].filter(isRecord) : []
  return (
    data.find(({ id }) => typeof id === "string" && isSame(id, name)) ?? (data.length === 1 ? (data[0] ?? null) : null)
  )
}

/** The number of slots shares the window, so `n_ctx` of a slot counts. A template for tools names them. */
function llamaFacts(props: unknown, listed: number | null): ServerFacts | null {
  const fields = isRecord(props) ? props : {}
  const contextWindow = numberIn(fields["default_generation_settings"], "n_ctx") ?? numberIn(fields, "n_ctx") ?? listed
  const caps = isRecord(fields["chat_template_caps"]) ? fields["chat_template_caps"]["supports_tools"] : undefined
  const template = fields["chat_template"]
  const named = typeof template === "string" ? /\btools?\b/.test(template) || "chat_template_tool_use" in fields : null
  return { contextWindow, tools: typeof caps === "boolean" ? caps : named }
}

function studioFacts(entry: Fields | null): ServerFacts | null {
  if (entry === null) return null
  const abilities = entry["capabilities"]
  const tools = Array.isArray(abilities) ? abilities.includes("tool_use") : null
  return { contextWindow: numberIn(entry, "loaded_context_length"), tools }
}

async function ollamaFacts(ports: OllamaPorts, name: string): Promise<ServerFacts> {
  return { contextWindow: (await runningWindow(ports, name)) ?? null, tools: null }
}

function numberIn(from: unknown, name: string): number | null {
  const value = isRecord(from) ? from[name] : undefined
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : null
}
