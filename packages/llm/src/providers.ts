import { providerRows } from "./provider-rows.ts"
import type { ProviderRow } from "./provider-row.ts"

export { providerRows as providers }

/** A built-in provider; those of a user are in a registry. */
export function findProvider(id: string): ProviderRow | undefined {
  return providerRows.find((row) => row.id === id)
}

/** The provider of a key, if its prefix tells; the longest prefix wins. */
export function recognizeKey(key: string): ProviderRow | undefined {
  const fits = providerRows.filter((row) => row.keyPrefix !== undefined && key.startsWith(row.keyPrefix))
  return fits.toSorted((a, b) => (b.keyPrefix?.length ?? 0) - (a.keyPrefix?.length ?? 0))[0]
}

/** Key variables by provider, for credential lookup: `{anthropic: ["ANTHROPIC_API_KEY", ...]}`. */
export function keyVariables(rows: readonly ProviderRow[] = providerRows): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(rows.map((row) => [row.id, row.keys]))
}
