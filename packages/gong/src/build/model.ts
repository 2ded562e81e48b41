import type { Credential, Credentials, Model, ThinkingLevel } from "@gong/spec"
import { type ProviderRow, providers, resolveModel } from "@gong/llm"
import { parseModel } from "../config/model.ts"
import type { Settings } from "../config/settings/resolve.ts"
import { ok, type Outcome, usage } from "../config/usage.ts"

export interface ChosenModel {
  readonly model: Model
  readonly thinking: ThinkingLevel
  readonly credential: Credential | null
  /** Other providers that have keys, when nobody said which to take. */
  readonly others: number
}

export interface ModelPlace {
  readonly settings: Settings
  readonly env: Readonly<Record<string, string | undefined>>
  readonly credentials: Credentials
  /** `provider/id` as this session, or the last one here, used it; null when there is none. */
  last(): string | null
}

/** The model to ask, its key, and how long it thinks (interface 6.4). What is missing is said before anything is sent. */
export async function chooseModel(place: ModelPlace): Promise<Outcome<ChosenModel>> {
  const { values } = place.settings
  const baseUrl = values.baseUrl ?? undefined
  let ref = values.model
  let others = 0
  if (ref === null && baseUrl !== undefined) {
    return usage("--base-url needs a model: gong --base-url URL -m MODEL ...")
  }
  if (ref === null) {
    const last = place.last()
    if (last !== null && (await hasKey(place, last))) ref = last
  }
  if (ref === null) {
    const able = await withKeys(place)
    const [first] = able
    if (!first?.defaultModel) return noModel()
    ref = `${first.id}/${first.defaultModel}`
    others = able.length - 1
  }
  const chosen = parseModel(ref)
  if (!chosen.ok) return chosen
  const resolved = resolveModel({
    ...chosen.value,
    ...(values.api === null ? {} : { api: values.api }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    baseUrls: { anthropic: place.env["ANTHROPIC_BASE_URL"], openai: place.env["OPENAI_BASE_URL"] },
  })
  if (!resolved.ok) return usage(resolved.failure.message)
  const model = values["images.block"] ? { ...resolved.model, images: false } : resolved.model
  if (!isSpoken(model)) return usage(`${model.provider} speaks ${model.api}, which this version does not speak yet.`)
  const credential = await place.credentials.get(model.provider, model.baseUrl)
  const row = rowOf(model.provider)
  if (!credential && row && row.keys.length > 0) return noKey(row)
  return ok({ model, credential, others, thinking: resolved.thinking ?? values.thinking ?? "off" })
}

function rowOf(provider: string): ProviderRow | undefined {
  return providers.find((row) => row.id === provider)
}

async function withKeys(place: ModelPlace): Promise<readonly ProviderRow[]> {
  const found: ProviderRow[] = []
  for (const row of providers) {
    const usable = row.keys.length > 0 && row.defaultModel !== null && isSpoken(row)
    if (usable && (await place.credentials.get(row.id, row.baseUrl))) found.push(row)
  }
  return found
}

/** Whether this version speaks the provider's wire format: a key alone must not choose what cannot be asked. */
function isSpoken({ api }: { readonly api: string }): boolean {
  return api !== "google-generative-ai"
}

async function hasKey(place: ModelPlace, ref: string): Promise<boolean> {
  const row = rowOf(ref.slice(0, ref.indexOf("/")))
  if (!row) return false
  return row.keys.length === 0 || (await place.credentials.get(row.id, row.baseUrl)) !== null
}

function noModel(): Outcome<never> {
  const { error } = usage(
    "no model is configured.",
    "  Give a key:   export ANTHROPIC_API_KEY=...   (also OPENAI_API_KEY, DEEPSEEK_API_KEY, ...)",
    '  Or an endpoint: gong --base-url http://127.0.0.1:11434/v1 -m MODEL "..."      Or look first: gong demo',
  )
  return { ok: false, error: { ...error, noModel: true } }
}

function noKey(row: ProviderRow): Outcome<never> {
  return usage(`no key for ${row.name}. Give one: export ${row.keys[0]}=...  (or --api-key-env NAME)`)
}
