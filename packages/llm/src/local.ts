import { isRecord, type Transport } from "@gong/spec"
import { fetchJson, listOllama } from "./ollama.ts"
import { atBaseUrl } from "./base-url.ts"
import type { ProviderRow } from "./provider-row.ts"
import { addressFault, addressOf } from "./resolve.ts"

/** A model of a local server. */
export interface LocalModel {
  readonly name: string
  /** Null if unknown. */
  readonly tools: boolean | null
  /** Tokens; null if unknown. */
  readonly contextWindow: number | null
  /** Size on disk; null if unknown. */
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
  /** Ends the search; servers without an answer by then do not count. */
  readonly signal: AbortSignal
  /** For the details of found servers. */
  readonly details: AbortSignal
}

/** The model servers on this machine with at least one model, queried in parallel; never throws. */
export async function localServers(rows: readonly ProviderRow[], search: LocalSearch): Promise<readonly LocalServer[]> {
  const asked = rows.filter(({ local }) => local !== undefined).map((row) => look(row, search))
  return (await Promise.all(asked)).filter(({ models }) => models.length > 0)
}

async function look(row: ProviderRow, { transport, env, signal, details }: LocalSearch): Promise<LocalServer> {
  const address = addressOf(row, row.api, env) ?? row.baseUrl
  // An invalid address from a variable is reported when a model of this provider is selected.
  if (addressFault(row, address, env) !== null) return { row, host: address, models: [] }
  const { origin, host, pathname, search } = new URL(address)
  const ports = { transport, origin, signal, details }
  if (row.local === "ollama") return { row, host, models: (await listOllama(ports)) ?? [] }
  const reply = await fetchJson(ports, atBaseUrl(pathname + search, "/models"))
  const data = isRecord(reply) && Array.isArray(reply["data"]) ? reply["data"] : []
  return { row, host, models: data.slice(0, maxModels).flatMap(modelOf) }
}

/** Models listed per server. */
const maxModels = 50

function modelOf(entry: unknown): readonly LocalModel[] {
  if (!isRecord(entry) || typeof entry["id"] !== "string") return []
  // vLLM and llama.cpp report it; LM Studio does not, in this list.
  const window = entry["max_model_len"] ?? (isRecord(entry["meta"]) ? entry["meta"]["n_ctx"] : undefined)
  return [{ name: entry["id"], tools: null, contextWindow: typeof window === "number" ? window : null, bytes: null }]
}
