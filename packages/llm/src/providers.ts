import { providerRows } from "./provider-rows.ts"
import type { ProviderRow } from "./provider-row.ts"

export { providerRows as providers }

/** Those that Gong itself knows; a user's own stand in a registry. */
export function findProvider(id: string): ProviderRow | undefined {
  return providerRows.find((row) => row.id === id)
}

/** Whose key this is, where its beginning tells; the longest beginning counts. */
export function recognizeKey(key: string): ProviderRow | undefined {
  const fits = providerRows.filter((row) => row.keyPrefix !== undefined && key.startsWith(row.keyPrefix))
  return fits.toSorted((a, b) => (b.keyPrefix?.length ?? 0) - (a.keyPrefix?.length ?? 0))[0]
}

/** The variables of each provider, as credentials look them up: `{anthropic: ["ANTHROPIC_API_KEY", ...]}`. */
export function keyVariables(rows: readonly ProviderRow[] = providerRows): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(rows.map((row) => [row.id, row.keys]))
}
