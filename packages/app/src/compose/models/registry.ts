import { phrase } from "@gong/spec"
import {
  createRegistry,
  customProvider,
  type Facts,
  findProvider,
  type ModelFacts,
  type ProviderRow,
  type Registry,
  tidyBaseUrl,
} from "@gong/llm"
import type { ModelsFile } from "@gong/config/models/read"
import type { OwnProvider } from "@gong/config/models/schema"
import { ok, type Outcome, usage } from "@gong/config/usage"

/** Gong's providers and models with the user's `models.json` on top. A provider that Gong does not know needs a base URL. */
export function registryOf(
  file: ModelsFile | null,
  newer: (provider: string) => Promise<Facts | undefined>,
): Outcome<Registry> {
  const providers: ProviderRow[] = []
  const models: Record<string, Record<string, Partial<ModelFacts>>> = {}
  for (const [id, own] of Object.entries(file?.providers ?? {})) {
    models[id] = Object.fromEntries(Object.entries(own.models ?? {}).map(([name, facts]) => [name, factsOf(facts)]))
    // What --base-url leads to has no row of its own: its models may be described all the same.
    if (id === customProvider && own.baseUrl === undefined) continue
    const known = findProvider(id)
    if (!known && own.baseUrl === undefined) {
      return usage(phrase`${file?.path}: "${id}" is no provider that Gong knows; give it a "baseUrl".`)
    }
    if (id.includes("/") || id === customProvider)
      return usage(phrase`${file?.path}: "${id}" cannot be the name of a provider.`)
    providers.push(rowOf(id, own, known))
  }
  return ok(createRegistry({ providers, models, newer }))
}

/** A provider as the user describes it, on top of what Gong knows. */
export function rowOf(id: string, own: OwnProvider, known: ProviderRow | undefined): ProviderRow {
  const { models: _, baseUrl, compat, ...rest } = own
  const base: ProviderRow = known ?? {
    id,
    name: id,
    api: "openai-completions",
    baseUrl: "",
    keys: [],
    defaultModel: null,
  }
  const merged = { ...base.compat, ...compat }
  const api = own.api ?? base.api
  const { [api]: address = base.baseUrl, ...also } = addressesOf(base, baseUrl)
  return {
    ...base,
    ...rest,
    api,
    baseUrl: tidyBaseUrl(address),
    ...(Object.keys(also).length > 0 ? { also } : {}),
    ...(Object.keys(merged).length > 0 ? { compat: merged } : {}),
  }
}

/** Where each wire format is asked. Whoever moves a provider moves all of it: its key must not go where it was before. */
function addressesOf(base: ProviderRow, moved: string | undefined): NonNullable<ProviderRow["also"]> {
  const known = { [base.api]: base.baseUrl, ...base.also }
  if (moved === undefined) return known
  return Object.fromEntries(Object.keys(known).map((api) => [api, moved]))
}

export function factsOf({ deployment, ...facts }: NonNullable<OwnProvider["models"]>[string]): Partial<ModelFacts> {
  const { price } = facts
  // What a tier costs is looked up from the largest down.
  const tiers = price?.tiers?.toSorted((a, b) => a.above - b.above)
  return {
    ...facts,
    ...(price && tiers ? { price: { ...price, tiers } } : {}),
    ...(deployment === undefined ? {} : { wireId: deployment }),
  }
}
