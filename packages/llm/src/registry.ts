import { type Facts, type ModelFacts, snapshotOf, unknownModel } from "./catalogue.ts"
import type { ProviderRow } from "./provider-row.ts"
import { providerRows } from "./provider-rows.ts"

/** The user's additions to the built-in tables. */
export interface OwnModels {
  /** Replace the row with the same id, or are appended. */
  readonly providers: readonly ProviderRow[]
  /** By provider: changes to the catalogue, and additional models. */
  readonly models: Readonly<Record<string, Readonly<Record<string, Partial<ModelFacts>>>>>
  /** A newer catalogue of this provider; undefined for none. */
  readonly newer: (provider: string) => Promise<Facts | undefined>
}

export const noOwnModels: OwnModels = { providers: [], models: {}, newer: () => Promise.resolve(undefined) }

/** Providers and their models. */
export interface Registry {
  /** In the order of precedence for a default. */
  readonly providers: readonly ProviderRow[]
  find(id: string): ProviderRow | undefined
  /** All known models of a provider, loaded on request; empty for an unknown provider. */
  modelsOf(provider: string): Promise<Facts>
}

/** The built-in tables with the user's changes. Reads nothing itself. */
export function createRegistry(own: OwnModels = noOwnModels): Registry {
  const named = new Map(own.providers.map((row) => [row.id, row]))
  const known = providerRows.map((row) => named.get(row.id) ?? row)
  const providers = [...known, ...own.providers.filter(({ id }) => !known.some((row) => row.id === id))]
  return {
    providers,
    find: (id) => providers.find((row) => row.id === id),
    async modelsOf(provider) {
      const shipped = await snapshotOf(provider)
      const newer = await own.newer(provider)
      const row = providers.find(({ id }) => id === provider)
      const listed = newer && row ? refreshed(shipped, newer, row) : shipped
      const changes = Object.hasOwn(own.models, provider) ? own.models[provider] : undefined
      return changes === undefined ? listed : changed(listed, changes)
    },
  }
}

/** A newer catalogue updates limits and prices; wire format options stay as shipped. */
function refreshed(shipped: Facts, newer: Facts, row: ProviderRow): Facts {
  const known = (id: string) => (Object.hasOwn(shipped, id) ? shipped[id] : undefined) ?? familyCompat(row, shipped)
  const models = Object.entries(newer).map(([id, facts]) => [id, { ...known(id), ...facts }] as const)
  return { ...shipped, ...Object.fromEntries(models) }
}

/** A new model uses the wire format options of its provider's default. */
export function familyCompat(row: ProviderRow, models: Facts): Pick<ModelFacts, "compat"> {
  const like = row.family && row.defaultModel ? models[row.defaultModel] : undefined
  return like?.compat?.adaptiveThinking ? { compat: { adaptiveThinking: true } } : {}
}

function changed(listed: Facts, changes: Readonly<Record<string, Partial<ModelFacts>>>): Facts {
  const known = (id: string) => (Object.hasOwn(listed, id) ? listed[id] : undefined) ?? unknownModel
  const models = Object.entries(changes).map(([id, change]) => [id, { ...known(id), ...change }] as const)
  return { ...listed, ...Object.fromEntries(models) }
}
