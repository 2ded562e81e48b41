import { type Facts, type ModelFacts, snapshotOf, unknownModel } from "./catalogue.ts"
import type { ProviderRow } from "./provider-row.ts"
import { providerRows } from "./provider-rows.ts"

/** What a user says beyond Gong's own tables. */
export interface OwnModels {
  /** Replace the row with the same id, or stand behind all others. */
  readonly providers: readonly ProviderRow[]
  /** By provider: what differs from the catalogue, and models that it does not list. */
  readonly models: Readonly<Record<string, Readonly<Record<string, Partial<ModelFacts>>>>>
  /** A newer catalogue of this provider than the one that was shipped; undefined: none. */
  readonly newer: (provider: string) => Promise<Facts | undefined>
}

export const noOwnModels: OwnModels = { providers: [], models: {}, newer: () => Promise.resolve(undefined) }

/** Who serves which models. */
export interface Registry {
  /** In the order in which a default is chosen. */
  readonly providers: readonly ProviderRow[]
  find(id: string): ProviderRow | undefined
  /** All known models of a provider; read when they are asked for. Empty for one that is not known. */
  modelsOf(provider: string): Promise<Facts>
}

/** Gong's own tables with what the user says on top. Reads nothing itself. */
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

/** A newer catalogue knows limits and prices; what its wire format wants of a model stays as it was shipped. */
function refreshed(shipped: Facts, newer: Facts, row: ProviderRow): Facts {
  const known = (id: string) => (Object.hasOwn(shipped, id) ? shipped[id] : undefined) ?? familyCompat(row, shipped)
  const models = Object.entries(newer).map(([id, facts]) => [id, { ...known(id), ...facts }] as const)
  return { ...shipped, ...Object.fromEntries(models) }
}

/** A model that was not there before is asked like its provider's default. */
export function familyCompat(row: ProviderRow, models: Facts): Pick<ModelFacts, "compat"> {
  const like = row.family && row.defaultModel ? models[row.defaultModel] : undefined
  return like?.compat?.adaptiveThinking ? { compat: { adaptiveThinking: true } } : {}
}

function changed(listed: Facts, changes: Readonly<Record<string, Partial<ModelFacts>>>): Facts {
  const known = (id: string) => (Object.hasOwn(listed, id) ? listed[id] : undefined) ?? unknownModel
  const models = Object.entries(changes).map(([id, change]) => [id, { ...known(id), ...change }] as const)
  return { ...listed, ...Object.fromEntries(models) }
}
