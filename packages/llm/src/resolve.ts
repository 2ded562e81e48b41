import { type Api, failure, type Failure, type Model, type ThinkingLevel } from "@gong/spec"
import { knownModels, lookUp, type ModelFacts, unknownModel } from "./catalogue.ts"
import { findProvider, type ProviderRow, providers } from "./providers.ts"

/** What a user asked for: `PROVIDER/ID[:thinking]`, taken apart. */
export interface ModelRequest {
  /** Null when the id stood alone. */
  readonly provider: string | null
  readonly id: string
  readonly thinking?: ThinkingLevel | null
  readonly api?: Api
  /** `--base-url`: any id goes there, and the provider is `custom`. */
  readonly baseUrl?: string
  /** `ANTHROPIC_BASE_URL`, `OPENAI_BASE_URL`: another address of a known provider, by its id. */
  readonly baseUrls?: Readonly<Record<string, string | undefined>>
}

export type Resolved =
  | { readonly ok: true; readonly model: Model; readonly thinking: ThinkingLevel | null }
  /** Nothing was sent; the message names what is nearest. */
  | { readonly ok: false; readonly failure: Failure }

/** Finds the model that is meant. Loads nothing, asks nobody. */
export function resolveModel(request: ModelRequest): Resolved {
  const { provider, id, baseUrl } = request
  if (baseUrl !== undefined) return custom(request, baseUrl)
  const row = provider === null ? serverOf(id) : findProvider(provider)
  if (row === undefined) return provider === null ? unknownId(id) : unknownProvider(provider, id)
  const facts = lookUp(row.id, id)
  if (facts === undefined && !isPlausible(row, id)) return unknownId(id, row)
  const elsewhere = request.baseUrls?.[row.id]
  const address = elsewhere ? withoutSlash(elsewhere) : row.baseUrl
  return found(row.id, id, request.api ?? row.api, address, facts ?? familyFacts(row), row, request)
}

function found(
  provider: string,
  id: string,
  api: Api,
  baseUrl: string,
  facts: ModelFacts,
  row: ProviderRow | undefined,
  request: ModelRequest,
): Resolved {
  const compat = { ...row?.compat, ...facts.compat }
  const model: Model = { provider, id, api, baseUrl, ...facts, compat }
  return { ok: true, model, thinking: request.thinking ?? null }
}

/** Any id at any address. A provider that Gong knows only lends what is known of the model; its key stays away. */
function custom(request: ModelRequest, baseUrl: string): Resolved {
  const { protocol = null } = URL.canParse(baseUrl) ? new URL(baseUrl) : {}
  if (protocol !== "http:" && protocol !== "https:") {
    return refuse(`${baseUrl} is no base URL. Write http://HOST:PORT/v1 or https://HOST/v1.`)
  }
  const row = request.provider === null ? undefined : findProvider(request.provider)
  const id = request.provider === null || row ? request.id : `${request.provider}/${request.id}`
  const facts = row ? lookUp(row.id, request.id) : undefined
  const api = request.api ?? row?.api ?? "openai-completions"
  return found("custom", id, api, withoutSlash(baseUrl), facts ?? unknownModel, row, request)
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "")
}

/** Who serves an id that stands alone: the first provider that lists it, else the one whose ids look like it. */
function serverOf(id: string): ProviderRow | undefined {
  return providers.find((row) => lookUp(row.id, id)) ?? providers.find((row) => row.family && isPlausible(row, id))
}

/** A model newer than the table is let through; one that differs from a known id by a letter or two is a slip. */
function isPlausible(row: ProviderRow, id: string): boolean {
  return row.family === undefined || (row.family.test(id) && !namesOf(row).some((name) => isSlip(name, id)))
}

/** Digits do not count: another version is another model. */
function isSlip(name: string, id: string): boolean {
  const edits = distance(letters(name), letters(id))
  return edits === 1 || edits === 2
}

function letters(id: string): string {
  return id.replaceAll(/[\d.-]+/g, "")
}

function namesOf(row: ProviderRow): readonly string[] {
  const prefix = `${row.id}/`
  return knownModels()
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
}

/** A new model of a provider thinks and sees like its default; its limits are a guess. */
function familyFacts(row: ProviderRow): ModelFacts {
  const like = row.family && row.defaultModel ? lookUp(row.id, row.defaultModel) : undefined
  if (!like) return unknownModel
  const { reasoning, images } = like
  return { ...unknownModel, reasoning, images, compat: { adaptiveThinking: like.compat?.adaptiveThinking ?? false } }
}

function unknownProvider(provider: string, id: string): Resolved {
  const names = nearest(
    provider,
    providers.map((row) => row.id),
  )
  return refuse(
    `unknown provider "${provider}" in ${provider}/${id}. ${orList(names)}For another endpoint: --base-url URL`,
  )
}

function unknownId(id: string, row?: ProviderRow): Resolved {
  const names = nearest(
    row ? `${row.id}/${id}` : id,
    row ? knownModels().filter((name) => name.startsWith(`${row.id}/`)) : knownModels(),
  )
  return refuse(`unknown model "${row ? `${row.id}/` : ""}${id}". ${orList(names)}For another endpoint: --base-url URL`)
}

function orList(names: readonly string[]): string {
  return names.length > 0 ? `Did you mean ${names.join(" or ")}? ` : ""
}

function refuse(message: string): Resolved {
  return { ok: false, failure: failure("bad-request", message) }
}

/** At most two names that are near, the nearest first. */
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

/** Letters to add, drop or change (Levenshtein). */
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
