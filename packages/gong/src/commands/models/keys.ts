import type { Registry } from "@gong/llm"
import { table } from "@gong/texts/table"
import type { Translate } from "@gong/texts/translator"

/** Where the key of each provider that has one comes from: the name of a variable, or `auth.json`; never the key. */
export type KeySources = ReadonlyMap<string, string>

/** `gong models --keys`: which variables each provider reads, and which of them hold a key. */
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
