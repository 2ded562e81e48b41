import {
  type Api,
  baseUrlFault,
  failure,
  type Failure,
  type Model,
  type ModelApi,
  phrase,
  type Phrase,
  type Text,
  type ThinkingLevel,
} from "@gong/spec"
import { tidyBaseUrl } from "./base-url.ts"
import { type Facts, type ModelFacts, unknownModel } from "./catalogue.ts"
import type { ProviderRow } from "./provider-row.ts"
import { createRegistry, familyCompat, type Registry } from "./registry.ts"

/** A parsed model argument: `PROVIDER/ID[:thinking]`. */
export interface ModelQuery {
  /** Null for an id alone. */
  readonly provider: string | null
  readonly id: string
  readonly thinking?: ThinkingLevel | null
  readonly api?: Api
  /** `--base-url`: accepts any id, and the provider is `custom`. */
  readonly baseUrl?: string
  /** Provides the variables that override base URLs (`ANTHROPIC_BASE_URL`, ...). */
  readonly env?: Readonly<Record<string, string | undefined>>
}

export type Resolved =
  | { readonly ok: true; readonly model: Model; readonly thinking: ThinkingLevel | null }
  /** Nothing was sent; the message suggests similar names. */
  | { readonly ok: false; readonly failure: Failure }

/** Resolves a model without network access; loads the catalogue of its provider. */
export async function resolveModel(request: ModelQuery, registry: Registry = createRegistry()): Promise<Resolved> {
  const { provider, id, baseUrl } = request
  if (baseUrl !== undefined) return custom(request, baseUrl, registry)
  const row = provider === null ? await serverOf(id, registry) : registry.find(provider)
  if (row === undefined) return provider === null ? unknownId(id, registry) : unknownProvider(provider, id, registry)
  const models = await registry.modelsOf(row.id)
  const facts = factsIn(models, id)
  if (facts === undefined && !isPlausible(row, models, id)) return unknownId(id, registry, row)
  const api = request.api ?? row.api
  const address = addressOf(row, api, request.env ?? {})
  if (address === null) return refuse(phrase`${row.name} does not speak ${api}. It speaks ${spokenBy(row)}.`)
  const fault = addressFault(row, address, request.env ?? {})
  if (fault !== null) return refuse(fault)
  return found(row.id, id, api, tidyBaseUrl(address), facts ?? familyFacts(row, models), row, request)
}

type Env = Readonly<Record<string, string | undefined>>

/** The base URL of a provider for a wire format; null if it does not support the format. A variable's value may be invalid. */
export function addressOf(row: ProviderRow, api: ModelApi, env: Env): string | null {
  const own = api === row.api ? row.baseUrl : row.also?.[api]
  if (own === undefined) return null
  const mover = moverOf(row, env)
  if (mover === undefined) return own
  return mover === row.hostKey ? atHost(own, env[mover] ?? "") : (env[mover] ?? own)
}

/** The variable that overrides its base URL; undefined for none. */
function moverOf({ baseUrlKeys = [], hostKey }: ProviderRow, env: Env): string | undefined {
  return [...baseUrlKeys, ...(hostKey === undefined ? [] : [hostKey])].find((name) => env[name])
}

/**
 * `0.0.0.0:11434`, `gpu-box`, `:11434` or `https://gpu-box`: the same variable holds the listen address of a server and the
 * address for its clients. An invalid value is returned unchanged.
 */
function atHost(own: string, host: string): string {
  const given = (host.includes("://") ? host : `http://${host}`).replace("://:", "://127.0.0.1:")
  if (baseUrlFault(given) !== null) return host
  const { protocol, hostname } = new URL(given)
  // A URL drops the default port of its scheme.
  const port = /^[^/]*\/\/[^/]*:(\d+)(?:\/|$)/.exec(given)?.[1]
  const { port: ownPort, pathname } = new URL(own)
  const name = hostname === "0.0.0.0" ? "127.0.0.1" : hostname
  return `${protocol}//${name}:${port ?? (protocol === "https:" ? "443" : ownPort)}${pathname}`
}

/** Why the address from `addressOf` is unusable, with the remedy; null if it is usable. */
export function addressFault(row: ProviderRow, address: string, env: Env): Phrase | null {
  // An extension with its own transport needs no address.
  if (address.startsWith("extension:")) return null
  const fault = baseUrlFault(address)
  const mover = moverOf(row, env)
  if (fault !== null && mover !== undefined) {
    const how = mover === row.hostKey ? phrase`${address} is no host. Write HOST:PORT or http://HOST:PORT.` : fault
    return phrase`${mover}: ${how}`
  }
  // A row's address may contain a placeholder for the user's own name.
  return fault !== null || address.includes("RESOURCE") ? noAddress(row, address) : null
}

function spokenBy({ api, also }: ProviderRow): Text {
  return Object.keys(also ?? {}).reduce<Text>((said, other) => phrase`${said} and ${other}`, api)
}

function noAddress({ id, name, baseUrlKeys = [] }: ProviderRow, address: string): Phrase {
  const file = phrase`"baseUrl" of "${id}" in models.json`
  const how = baseUrlKeys.reduceRight((rest, key) => phrase`${`${key}=...`}, or ${rest}`, file)
  return phrase`${name} has no usable base URL (${address}). Give one: ${how}`
}

function found(
  provider: string,
  id: string,
  api: ModelApi,
  baseUrl: string,
  facts: ModelFacts,
  row: ProviderRow | undefined,
  request: ModelQuery,
): Resolved {
  const compat = { ...row?.compat, ...facts.compat }
  const body = row?.body || facts.body ? { body: { ...row?.body, ...facts.body } } : {}
  const headers = row?.headers && provider === row.id ? { headers: row.headers } : {}
  const model: Model = { provider, id, api, baseUrl, ...facts, compat, ...body, ...headers }
  return { ok: true, model, thinking: request.thinking ?? null }
}

/** Provider of models at `--base-url`. */
export const customProvider = "custom"

/** Any id at any address. A known provider contributes facts about the model, but not its key. */
async function custom(request: ModelQuery, baseUrl: string, registry: Registry): Promise<Resolved> {
  const fault = baseUrlFault(baseUrl)
  if (fault !== null) return refuse(fault)
  const row = request.provider === null ? undefined : registry.find(request.provider)
  const id = request.provider === null || row ? request.id : `${request.provider}/${request.id}`
  const listed = await registry.modelsOf(row?.id ?? customProvider)
  const facts = factsIn(listed, row ? request.id : id)
  const lent = row?.api === "extension" ? undefined : row?.api
  const api = request.api ?? lent ?? "openai-completions"
  return found(customProvider, id, api, tidyBaseUrl(baseUrl), facts ?? unknownModel, row, request)
}

function factsIn(models: Facts, id: string): ModelFacts | undefined {
  return Object.hasOwn(models, id) ? models[id] : undefined
}

/** Provider of an id alone: the first that lists it, otherwise the one whose ids match. */
async function serverOf(id: string, registry: Registry): Promise<ProviderRow | undefined> {
  for (const row of registry.providers) if (factsIn(await registry.modelsOf(row.id), id)) return row
  for (const row of registry.providers) {
    if (row.family && isPlausible(row, await registry.modelsOf(row.id), id)) return row
  }
  return undefined
}

/** A model newer than the catalogue is accepted; an id that differs from a known one by a letter or two is a typo. */
function isPlausible(row: ProviderRow, models: Facts, id: string): boolean {
  return row.family === undefined || (row.family.test(id) && !Object.keys(models).some((name) => isSlip(name, id)))
}

/** Digits do not count, since another version is another model. */
function isSlip(name: string, id: string): boolean {
  const edits = distance(letters(name), letters(id))
  return edits === 1 || edits === 2
}

function letters(id: string): string {
  return id.replaceAll(/[\d.-]+/g, "")
}

/** A new model of a provider has the abilities of its default; its limits are a guess. */
function familyFacts(row: ProviderRow, models: Facts): ModelFacts {
  const like = row.family && row.defaultModel ? factsIn(models, row.defaultModel) : undefined
  if (!like) return unknownModel
  const { reasoning, images } = like
  return { ...unknownModel, reasoning, images, ...familyCompat(row, models) }
}

function unknownProvider(provider: string, id: string, { providers }: Registry): Resolved {
  const names = nearest(
    provider,
    providers.map((row) => row.id),
  )
  return refuse(
    phrase`unknown provider "${provider}" in ${provider}/${id}. ${orList(names)}For another endpoint: --base-url URL`,
  )
}

async function unknownId(id: string, registry: Registry, row?: ProviderRow): Promise<Resolved> {
  const lists = (row ? [row] : registry.providers).map(async ({ id: provider }) =>
    Object.keys(await registry.modelsOf(provider)).map((name) => `${provider}/${name}`),
  )
  const names = nearest(row ? `${row.id}/${id}` : id, (await Promise.all(lists)).flat())
  return refuse(
    phrase`unknown model "${row ? `${row.id}/${id}` : id}". ${orList(names)}For another endpoint: --base-url URL`,
  )
}

function orList([first, second]: readonly string[]): Text {
  if (first === undefined) return ""
  return second === undefined ? phrase`Did you mean ${first}? ` : phrase`Did you mean ${first} or ${second}? `
}

function refuse(message: Phrase): Resolved {
  return { ok: false, failure: failure("bad-request", message) }
}

/** At most two similar names, the most similar first. */
function nearest(wanted: string, names: readonly string[]): readonly string[] {
  const limit = Math.max(3, Math.floor(wanted.length / 3))
  return names
    .map((name) => {
      const tail = name.slice(name.indexOf("/") + 1)
      return { name, far: Math.min(distance(wanted, name), distance(wanted, tail)) }
    })
    .filter(({ far }) => far <= limit)
    .toSorted((a, b) => a.far - b.far)
    .slice(0, 2)
    .map(({ name }) => name)
}

/** Edit distance (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same))
    }
    row = next
  }
  return row[b.length] ?? 0
}
