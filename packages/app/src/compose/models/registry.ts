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

/** The shipped providers and models, overridden by the user's `models.json`. An unknown provider needs a base URL. */
export function registryOf(
  file: ModelsFile | null,
  refreshed: (provider: string) => Promise<Facts | undefined>,
): Outcome<Registry> {
  const providers: ProviderRow[] = []
  const models: Record<string, Record<string, Partial<ModelFacts>>> = {}
  for (const [id, own] of Object.entries(file?.providers ?? {})) {
    models[id] = Object.fromEntries(Object.entries(own.models ?? {}).map(([name, facts]) => [name, factsOf(facts)]))
    // The provider of --base-url has no row, but its models may have facts.
    if (id === customProvider && own.baseUrl === undefined) continue
    const known = findProvider(id)
    if (!known && own.baseUrl === undefined) {
      return usage(phrase`${file?.path}: "${id}" is no provider that Gong knows; give it a "baseUrl".`)
    }
    if (id.includes("/") || id === customProvider)
      return usage(phrase`${file?.path}: "${id}" cannot be the name of a provider.`)
    providers.push(rowOf(id, own, known))
  }
  return ok(createRegistry({ providers, models, newer: refreshed }))
}

/** The provider of the user's file, merged with the known one. */
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

/** The address of each protocol. A new base URL replaces all of them, so that its key is never sent to the old address. */
function addressesOf(base: ProviderRow, moved: string | undefined): NonNullable<ProviderRow["also"]> {
  const known = { [base.api]: base.baseUrl, ...base.also }
  if (moved === undefined) return known
  return Object.fromEntries(Object.keys(known).map((api) => [api, moved]))
}

export function factsOf({ deployment, ...facts }: NonNullable<OwnProvider["models"]>[string]): Partial<ModelFacts> {
  const { price } = facts
  // The lookup expects ascending tiers.
  const tiers = price?.tiers?.toSorted((a, b) => a.above - b.above)
  return {
    ...facts,
    ...(price && tiers ? { price: { ...price, tiers } } : {}),
    ...(deployment === undefined ? {} : { wireId: deployment }),
  }
}
