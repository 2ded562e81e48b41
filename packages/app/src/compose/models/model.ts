import {
  phrase,
  messageOf,
  type Credential,
  type Model,
  type Provider,
  type ThinkingLevel,
  type Transport,
} from "@gong/spec"
import { addressOf, openProvider, type ProviderRow, type Registry, resolveModel } from "@gong/llm"
import type { KeyChain } from "@gong/config/credentials"
import { modelNames, parseModel } from "@gong/config/model"
import type { Settings } from "@gong/config/settings/resolve"
import { ok, type Outcome, usage } from "@gong/config/usage"

export interface NamedModel {
  readonly model: Model
  readonly thinking: ThinkingLevel
  readonly credential: Credential | null
  /** Whole lines for the user, about the model. */
  readonly lines: readonly string[]
}

export interface ChosenModel extends NamedModel {
  /** Other providers that have keys, when nobody said which to take. */
  readonly others: number
  /** Asked in this order when the one before cannot be. */
  readonly fallbacks: readonly NamedModel[]
}

export type Openable = Pick<ChosenModel, "model" | "credential">

/** Loads the wire format of a model and gives it what it is asked over. */
export function openerOf(
  network: { over(model: Model): Transport },
  ports: Omit<Parameters<typeof openProvider>[1], "credential" | "transport">,
): (chosen: Openable) => Promise<Provider> {
  return ({ model, credential }) => openProvider(model, { ...ports, transport: network.over(model), credential })
}

export interface ModelDeps {
  readonly settings: Settings
  readonly env: Readonly<Record<string, string | undefined>>
  readonly credentials: KeyChain
  readonly registry: Registry
  /** `provider/id` as this session, or the last one here, used it; null when there is none. */
  last(): Promise<string | null>
}

/** The model to ask, its key, and how long it thinks (interface 6.4). What is missing is said before anything is sent. */
export async function chooseModel(place: ModelDeps): Promise<Outcome<ChosenModel>> {
  const { values } = place.settings
  const baseUrl = values.baseUrl ?? undefined
  let ref = values.model
  let others = 0
  if (ref === null && baseUrl !== undefined) {
    return usage(phrase`--base-url needs a model: gong --base-url URL -m MODEL ...`)
  }
  if (ref === null) {
    const last = await place.last()
    if (last !== null && hasKey(place, last)) ref = last
  }
  if (ref === null) {
    const able = withKeys(place)
    const first = able[0] ?? withoutKey(place)
    if (!first?.defaultModel) return noModel()
    ref = `${first.id}/${first.defaultModel}`
    others = Math.max(0, able.length - 1)
  }
  const [first = "", ...rest] = modelNames(ref)
  const found = await namedModel(place, first)
  if (!found.ok) return found
  const fallbacks: NamedModel[] = []
  // A key of the command line was given for the first: another provider must never see it.
  const credentials = place.credentials.reservedFor(found.value.model.provider)
  for (const name of rest) {
    const fallback = await namedModel({ ...place, credentials }, name)
    if (!fallback.ok) return fallback
    fallbacks.push(fallback.value)
  }
  return ok({ ...found.value, others, fallbacks })
}

/** A model that is named, and its key. */
export async function namedModel(place: ModelDeps, ref: string): Promise<Outcome<NamedModel>> {
  const { values } = place.settings
  const baseUrl = values.baseUrl ?? undefined
  const chosen = parseModel(ref)
  if (!chosen.ok) return chosen
  const request = {
    ...chosen.value,
    ...(values.api === null ? {} : { api: values.api }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    env: place.env,
  }
  const resolved = await resolveModel(request, place.registry)
  if (!resolved.ok) return usage(messageOf(resolved.failure))
  const model = values["images.block"] ? { ...resolved.model, images: false } : resolved.model
  const credential = await place.credentials.get(model.provider, model.baseUrl)
  const row = place.registry.find(model.provider)
  if (!credential && row && row.keys.length > 0) return noKey(row)
  return ok({ model, credential, lines: [], thinking: resolved.thinking ?? values.thinking ?? "off" })
}

/** Those with a key of their own; two that would go by the same variable (two sites of one company) count as the first. */
function withKeys(place: ModelDeps): readonly ProviderRow[] {
  const found = new Map<string, ProviderRow>()
  for (const row of place.registry.providers) {
    const usable = row.keys.length > 0 && row.defaultModel !== null
    const [first] = usable ? place.credentials.origins(row.id, originOf(row, place)) : []
    if (!first) continue
    const name = first.kind === "environment" || first.kind === "option" ? first.from : `${row.id}/`
    if (!found.has(name)) found.set(name, row)
  }
  return [...found.values()]
}

/** One that wants none and has a default, which only a user says of one, or an extension of the user's. */
function withoutKey({ registry }: ModelDeps): ProviderRow | undefined {
  return registry.providers.find(({ keys, defaultModel }) => keys.length === 0 && defaultModel !== null)
}

function originOf(row: ProviderRow, { env }: ModelDeps): string {
  return addressOf(row, row.api, env) ?? row.baseUrl
}

function hasKey(place: ModelDeps, ref: string): boolean {
  const row = place.registry.find(ref.slice(0, ref.indexOf("/")))
  return row !== undefined && isOpen(place, row)
}

/** Whether a provider could be asked: it has a key, or needs none. */
export function isOpen(place: ModelDeps, row: ProviderRow): boolean {
  return row.keys.length === 0 || place.credentials.origins(row.id, originOf(row, place)).length > 0
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
