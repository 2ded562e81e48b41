import { isRecord, type Transport } from "@gong/spec"
import { fetchJson, listOllama } from "./ollama.ts"
import { atBaseUrl } from "./base-url.ts"
import type { ProviderRow } from "./provider-row.ts"
import { addressFault, addressOf } from "./resolve.ts"

/** A model of a server on this machine. */
export interface LocalModel {
  readonly name: string
  /** Null where the server does not say. */
  readonly tools: boolean | null
  /** Tokens; null where the server does not say. */
  readonly contextWindow: number | null
  /** On the disk; null where the server does not say. */
  readonly bytes: number | null
}

export interface LocalServer {
  readonly row: ProviderRow
  /** `127.0.0.1:11434`. */
  readonly host: string
  readonly models: readonly LocalModel[]
}

export interface LocalSearch {
  readonly transport: Transport
  readonly env: Readonly<Record<string, string | undefined>>
  /** Ends the search: whoever has not answered by then is not there. */
  readonly signal: AbortSignal
  /** For what those are asked that are there. */
  readonly details: AbortSignal
}

/** The model servers on this machine that answer with at least one model, all asked at once; never throws. */
export async function localServers(rows: readonly ProviderRow[], search: LocalSearch): Promise<readonly LocalServer[]> {
  const asked = rows.filter(({ local }) => local !== undefined).map((row) => look(row, search))
  return (await Promise.all(asked)).filter(({ models }) => models.length > 0)
}

async function look(row: ProviderRow, { transport, env, signal, details }: LocalSearch): Promise<LocalServer> {
  const address = addressOf(row, row.api, env) ?? row.baseUrl
  // Nobody is where a variable names no host: who asks for a model there is told.
  if (addressFault(row, address, env) !== null) return { row, host: address, models: [] }
  const { origin, host, pathname, search } = new URL(address)
  const ports = { transport, origin, signal, details }
  if (row.local === "ollama") return { row, host, models: (await listOllama(ports)) ?? [] }
  const reply = await fetchJson(ports, atBaseUrl(pathname + search, "/models"))
  const data = isRecord(reply) && Array.isArray(reply["data"]) ? reply["data"] : []
  return { row, host, models: data.slice(0, maxModels).flatMap(modelOf) }
}

/** Models of one server: a list for people, not an inventory. */
const maxModels = 50

function modelOf(entry: unknown): readonly LocalModel[] {
  if (!isRecord(entry) || typeof entry["id"] !== "string") return []
  // vLLM says it; LM Studio and llama.cpp do not say it here.
  const window = entry["max_model_len"]
  return [{ name: entry["id"], tools: null, contextWindow: typeof window === "number" ? window : null, bytes: null }]
}
