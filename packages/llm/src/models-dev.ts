import { isRecord, type Price, type Rates } from "@gong/spec"
import type { Facts, ModelFacts } from "./catalogue.ts"
import type { ProviderRow } from "./provider-row.ts"

/** Tokens; the system prompt and a file or two do not fit into less. */
export const minWindow = 16_000

/**
 * Reads model facts from a document in the format of models.dev (`{PROVIDER: {models: {ID: {limit, cost, modalities, ...}}}}`), by
 * our provider ids. Models that Gong cannot use (no tools, no limits) are skipped. Empty for an invalid document.
 */
export function readModelsDev(document: unknown, rows: readonly ProviderRow[]): ReadonlyMap<string, Facts> {
  const found = new Map<string, Facts>()
  for (const row of rows) {
    const provider = isRecord(document) ? document[row.modelsDev ?? row.id] : undefined
    const models = isRecord(provider) && isRecord(provider["models"]) ? provider["models"] : {}
    const facts = Object.entries(models).flatMap(([id, model]) => {
      const one = isRecord(model) ? factsOf(model, row) : null
      return one ? [[id, one] as const] : []
    })
    if (facts.length > 0) found.set(row.id, Object.fromEntries(facts))
  }
  return found
}

function factsOf(model: Readonly<Record<string, unknown>>, row: ProviderRow): ModelFacts | null {
  const { limit, modalities } = model
  const contextWindow = numberIn(limit, "context")
  const maxOutput = numberIn(limit, "output")
  if (model["tool_call"] !== true || !contextWindow || contextWindow < minWindow || !maxOutput) return null
  const inputs = isRecord(modalities) && Array.isArray(modalities["input"]) ? modalities["input"] : []
  // Prices in yuan are listed in dollars there, at an unknown rate; no price is better.
  const price = row.currency === "CNY" ? null : priceOf(model["cost"])
  return {
    contextWindow,
    maxOutput,
    reasoning: model["reasoning"] === true,
    images: inputs.includes("image"),
    ...(price ? { price } : {}),
  }
}

function priceOf(cost: unknown): Price | null {
  const rates = ratesOf(cost)
  if (!rates || !isRecord(cost)) return null
  const tiers = tiersOf(cost).toSorted((a, b) => a.above - b.above)
  return tiers.length > 0 ? { ...rates, tiers } : rates
}

/** `tiers: [{tier: {size}, input, ...}]`, or the older `context_over_200k`. */
function tiersOf(cost: Readonly<Record<string, unknown>>): (Rates & { readonly above: number })[] {
  const listed = Array.isArray(cost["tiers"]) ? cost["tiers"] : []
  const tiers = listed.flatMap((tier) => {
    const above = isRecord(tier) ? numberIn(tier["tier"], "size") : undefined
    const rates = ratesOf(tier)
    return above && rates ? [{ above, ...rates }] : []
  })
  const over = ratesOf(cost["context_over_200k"])
  return tiers.length === 0 && over ? [{ above: 200_000, ...over }] : tiers
}

/** Null without a price, or if all prices are 0, which nearly always means unknown. */
function ratesOf(cost: unknown): Rates | null {
  const input = numberIn(cost, "input")
  const output = numberIn(cost, "output")
  if (input === undefined || output === undefined || (input === 0 && output === 0)) return null
  const cacheRead = numberIn(cost, "cache_read")
  const cacheWrite = numberIn(cost, "cache_write")
  // A price of 0 for cached tokens means that they are billed as `input`.
  return { input, output, ...(cacheRead ? { cacheRead } : {}), ...(cacheWrite ? { cacheWrite } : {}) }
}

function numberIn(from: unknown, name: string): number | undefined {
  const value = isRecord(from) ? from[name] : undefined
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined
}
