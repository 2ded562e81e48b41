import {
  phrase,
  messageOf,
  type Credential,
  type Model,
  type Provider,
  type ThinkingLevel,
  type Transport,
} from "@gong/spec"
import {
  addressOf,
  findProvider,
  isFamily,
  isNearby,
  newestOf,
  openProvider,
  type ProviderRow,
  type Registry,
  resolveModel,
  withServerFacts,
} from "@gong/llm"
import type { KeyChain } from "@gong/config/credentials"
import { type ModelChoice, modelNames, parseModel } from "@gong/config/model"
import type { Settings } from "@gong/config/settings/resolve"
import { ok, type Outcome, usage } from "@gong/config/usage"
import type { ServerPorts } from "./server-facts.ts"

export interface NamedModel {
  readonly model: Model
  readonly thinking: ThinkingLevel
  readonly credential: Credential | null
  /** Whole lines about the model, for the user. */
  readonly lines: readonly string[]
}

export interface ChosenModel extends NamedModel {
  /** Number of other providers with keys, if none was selected. */
  readonly others: number
  /** Used in this order after failures. */
  readonly fallbacks: readonly NamedModel[]
}

export type Openable = Pick<ChosenModel, "model" | "credential">

/** Opens models over this network; loads their protocols on demand. */
export function openerOf(
  network: { over(model: Model): Transport; unrecorded?(model: Model): Transport },
  ports: Omit<Parameters<typeof openProvider>[1], "credential" | "transport">,
  notify?: ServerPorts["notify"],
): (chosen: Openable) => Promise<Provider> {
  return async (chosen) => {
    const { model, credential } = chosen
    const provider = await openProvider(model, { ...ports, transport: network.over(model), credential })
    if (notify === undefined || !canAsk(model)) return provider
    const { over, unrecorded = over } = network
    // Loaded when the first reply has begun.
    return withServerFacts(provider, async () =>
      (await import("./server-facts.ts")).askServer(chosen, { over: unrecorded, notify }),
    )
  }
}

/** Ollama was asked before the session was opened. */
function canAsk({ api, provider, baseUrl }: Model): boolean {
  const isOpenAi = api === "openai-completions" || api === "openai-responses"
  return isOpenAi && isNearby({ api, provider, baseUrl }) && findProvider(provider)?.local !== "ollama"
}

export interface ModelDeps {
  readonly settings: Settings
  readonly env: Readonly<Record<string, string | undefined>>
  readonly credentials: KeyChain
  readonly registry: Registry
  /** `provider/id` last used in this session, or in the newest session of the workspace; null for none. */
  last(): Promise<string | null>
}

/** The model, its key and its thinking level (interface 6.4). Fails before the first request if one is missing. */
export async function chooseModel(deps: ModelDeps): Promise<Outcome<ChosenModel>> {
  const { values } = deps.settings
  const baseUrl = values.baseUrl ?? undefined
  let ref = values.model
  let others = 0
  if (ref === null && baseUrl !== undefined) {
    return usage(phrase`--base-url needs a model: gong --base-url URL -m MODEL ...`)
  }
  if (ref === null) {
    const last = await deps.last()
    if (last !== null && isUsableModel(deps, last)) ref = last
  }
  if (ref === null) {
    const candidates = providersWithKeys(deps)
    const first = candidates[0] ?? keylessProvider(deps)
    if (!first?.defaultModel) return noModel()
    ref = `${first.id}/${first.defaultModel}`
    others = Math.max(0, candidates.length - 1)
  }
  const [first = "", ...rest] = modelNames(ref)
  const found = await namedModel(deps, first)
  if (!found.ok) return found
  const fallbacks: NamedModel[] = []
  // A key of the command line belongs to the first model and must not be sent to another provider.
  const credentials = deps.credentials.reservedFor(found.value.model.provider)
  for (const name of rest) {
    const fallback = await namedModel({ ...deps, credentials }, name)
    if (!fallback.ok) return fallback
    fallbacks.push(fallback.value)
  }
  return ok({ ...found.value, others, fallbacks })
}

/** The model of a reference, with its key. */
export async function namedModel(deps: ModelDeps, ref: string): Promise<Outcome<NamedModel>> {
  const { values } = deps.settings
  const baseUrl = values.baseUrl ?? undefined
  const parsed = parseModel(ref)
  if (!parsed.ok) return parsed
  const chosen = baseUrl === undefined ? await withFamily(deps, parsed.value) : ok(parsed.value)
  if (!chosen.ok) return chosen
  const request = {
    ...chosen.value,
    ...(values.api === null ? {} : { api: values.api }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    env: deps.env,
  }
  const resolved = await resolveModel(request, deps.registry)
  if (!resolved.ok) return usage(messageOf(resolved.failure))
  const model = values["images.block"] ? { ...resolved.model, images: false } : resolved.model
  const credential = await deps.credentials.get(model.provider, model.baseUrl)
  const row = deps.registry.find(model.provider)
  if (!credential && row && row.keys.length > 0) return noKey(row)
  return ok({ model, credential, lines: [], thinking: resolved.thinking ?? values.thinking ?? "off" })
}

/** A short name, such as `sonnet`, stands for the newest model of its family at a provider with a key. */
async function withFamily(deps: ModelDeps, chosen: ModelChoice): Promise<Outcome<ModelChoice>> {
  if (chosen.provider !== null || !isFamily(chosen.id)) return ok(chosen)
  const hasKey = (row: ProviderRow) =>
    row.keys.length > 0 && deps.credentials.origins(row.id, originOf(row, deps)).length > 0
  const newest = await newestOf(chosen.id, deps.registry, hasKey)
  if (newest === null)
    return usage(phrase`"${chosen.id}": no provider with a key has such a model. gong models ${chosen.id} lists them.`)
  const at = newest.indexOf("/")
  return ok({ ...chosen, provider: newest.slice(0, at), id: newest.slice(at + 1) })
}

/** Providers with a key. Of several that use the same variable (two sites of one company) only the first counts. */
function providersWithKeys(deps: ModelDeps): readonly ProviderRow[] {
  const found = new Map<string, ProviderRow>()
  for (const row of deps.registry.providers) {
    const usable = row.keys.length > 0 && row.defaultModel !== null
    const [first] = usable ? deps.credentials.origins(row.id, originOf(row, deps)) : []
    if (!first) continue
    const name = first.kind === "environment" || first.kind === "option" ? first.from : `${row.id}/`
    if (!found.has(name)) found.set(name, row)
  }
  return [...found.values()]
}

/** A provider without key and with a default model; only configured by a user or an extension of the user. */
function keylessProvider({ registry }: ModelDeps): ProviderRow | undefined {
  return registry.providers.find(({ keys, defaultModel }) => keys.length === 0 && defaultModel !== null)
}

function originOf(row: ProviderRow, { env }: ModelDeps): string {
  return addressOf(row, row.api, env) ?? row.baseUrl
}

function isUsableModel(deps: ModelDeps, ref: string): boolean {
  const row = deps.registry.find(ref.slice(0, ref.indexOf("/")))
  return row !== undefined && isUsable(deps, row)
}

/** Whether a provider has a key, or needs none. */
export function isUsable(deps: ModelDeps, row: ProviderRow): boolean {
  return row.keys.length === 0 || deps.credentials.origins(row.id, originOf(row, deps)).length > 0
}

function noModel(): Outcome<never> {
  const { error } = usage(
    phrase`no model is configured.`,
    phrase`  Give a key:   export ANTHROPIC_API_KEY=...   (also OPENAI_API_KEY, GEMINI_API_KEY, DEEPSEEK_API_KEY, ... see gong models --keys)`,
    phrase`  Or an endpoint: gong --base-url http://127.0.0.1:11434/v1 -m MODEL "..."      Or look first: gong demo`,
  )
  return { ok: false, error: { ...error, noModel: true } }
}

function noKey(row: ProviderRow): Outcome<never> {
  return usage(phrase`no key for ${row.name}. Give one: gong login ${row.id}  or: export ${row.keys[0]}=...`)
}
