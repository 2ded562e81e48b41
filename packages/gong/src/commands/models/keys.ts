import type { Registry } from "@gong/llm"
import { table } from "@gong/texts/table"
import type { Translate } from "@gong/texts/translator"

/** The source of the key by provider: a variable or `auth.json`; never the key. */
export type KeySources = ReadonlyMap<string, string>

/** `gong models --keys`: the key variables of each provider, and the source of its key. */
export function keysText(t: Translate, { providers }: Registry, sources: KeySources): string {
  const rows = providers.map(({ id, name, keys, baseUrl }) => [
    { text: sources.has(id) ? "*" : " " },
    { text: id },
    { text: keys.length === 0 ? t`no key needed` : keys.join(", ") },
    { text: name },
    { text: sources.get(id) === undefined ? baseUrl : t`${baseUrl}  (key from ${sources.get(id)})` },
  ])
  return t`${table(rows).join("\n")}\n* has a key\n`
}

export function keysJson({ providers }: Registry, sources: KeySources): readonly object[] {
  return providers.map(({ id, name, api, baseUrl, keys, defaultModel, currency }) => {
    return { id, name, api, baseUrl, keys, key: sources.get(id) ?? null, defaultModel, currency: currency ?? "USD" }
  })
}
