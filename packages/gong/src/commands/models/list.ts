import type { ModelFacts, ProviderRow, Registry } from "@gong/llm"
import { priceText, tokenSize } from "@gong/texts/prices"
import { table } from "@gong/texts/table"
import type { KeySources } from "./keys.ts"
import type { Translate } from "@gong/texts/translator"

/** One line of `gong models`. */
export interface Listed {
  readonly provider: ProviderRow
  readonly id: string
  readonly facts: ModelFacts
  /** The source of the key of its provider; null for none. */
  readonly key: string | null
  readonly isDefault: boolean
}

/**
 * With a search: all models whose `provider/id` contains it, ignoring case. Without: the models of providers with a key, or, without
 * any key, the default model of each provider. In the order of the table, the default of a provider first.
 */
export async function listModels(
  registry: Registry,
  sources: KeySources,
  search: string | null,
): Promise<readonly Listed[]> {
  const found: Listed[] = []
  for (const provider of registry.providers) {
    if (search === null && sources.size > 0 && !sources.has(provider.id)) continue
    const models = Object.entries(await registry.modelsOf(provider.id))
    const listed = models.map(([id, facts]) => ({
      provider,
      id,
      facts,
      key: sources.get(provider.id) ?? null,
      isDefault: id === provider.defaultModel,
    }))
    found.push(...listed.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault)))
  }
  if (search === null) return sources.size > 0 ? found : found.filter(({ isDefault }) => isDefault)
  const wanted = search.toLowerCase()
  return found.filter(({ provider, id }) => `${provider.id}/${id}`.toLowerCase().includes(wanted))
}

export function modelsText(t: Translate, listed: readonly Listed[], search: string | null, anyKey: boolean): string {
  if (listed.length === 0) {
    return t`No model has "${search ?? ""}" in its name. gong models lists them; --base-url URL uses any other endpoint.\n`
  }
  const head = [
    "",
    t`model`,
    t`context`,
    t`reply`,
    t`thinking`,
    t`images`,
    t`per million tokens: input / output / cached`,
  ]
  const lines = table([head.map((text) => ({ text })), ...listed.map((one) => rowOf(t, one))])
  return [...lines.map((line) => line.trimEnd()), "", ...legend(t, search, anyKey), ""].join("\n")
}

function rowOf(t: Translate, { provider, id, facts, key, isDefault }: Listed) {
  const { contextWindow, maxOutput, reasoning, images, price } = facts
  return [
    { text: key === null ? "" : "*" },
    { text: `${provider.id}/${id}${isDefault ? t` (default)` : ""}` },
    { text: tokenSize(contextWindow), right: true as const },
    { text: tokenSize(maxOutput), right: true as const },
    { text: reasoning ? t`yes` : "" },
    { text: images ? t`yes` : "" },
    { text: priceText(t, price) },
  ]
}

function legend(t: Translate, search: string | null, anyKey: boolean): readonly string[] {
  const rest = t`gong models SEARCH searches all of them; gong models --keys lists the key variables.`
  if (search !== null) return [t`* has a key`]
  return [anyKey ? t`* has a key. ${rest}` : t`No provider has a key yet; the default model of each is listed. ${rest}`]
}

export function modelsJson(listed: readonly Listed[]): readonly object[] {
  return listed.map(({ provider, id, facts, key, isDefault }) => {
    const { contextWindow, maxOutput, reasoning, images, price } = facts
    const about = { contextWindow, maxOutput, reasoning, images, price: price ?? null }
    return { provider: provider.id, id, ...about, key, default: isDefault }
  })
}
