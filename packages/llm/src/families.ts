import type { ProviderRow } from "./provider-row.ts"
import type { Registry } from "./registry.ts"

/** Short names of model families, with the ids of a family; the first group is the version. An id may follow `maker/`. */
const families: Readonly<Record<string, RegExp>> = {
  sonnet: /^claude-sonnet-(\d+(?:[.-]\d{1,2})?)$/,
  opus: /^claude-opus-(\d+(?:[.-]\d{1,2})?)$/,
  haiku: /^claude-haiku-(\d+(?:[.-]\d{1,2})?)$/,
  claude: /^claude-sonnet-(\d+(?:[.-]\d{1,2})?)$/,
  gpt: /^gpt-(\d+(?:\.\d+)?)(?:-(?!mini|nano|pro|chat|codex|cyber|turbo)[a-z]+)?$/,
  "gpt-mini": /^gpt-(\d+(?:\.\d+)?)-mini$/,
  gemini: /^gemini-(\d+(?:\.\d+)?)(?:-pro(?:-preview)?|-(?!flash|pro|computer|robotics)[a-z]+)$/,
  flash: /^gemini-(\d+(?:\.\d+)?)-flash$/,
  grok: /^grok-(\d+(?:\.\d+)?)$/,
  deepseek: /^deepseek-v(\d+(?:\.\d+)?)(?:-pro)?$/,
  kimi: /^kimi-k(\d+(?:\.\d+)?)(?:-pro)?$/,
  qwen: /^qwen(\d+(?:\.\d+)?)-max$/,
  glm: /^glm-(\d+(?:\.\d+)?)$/,
}

export function isFamily(name: string): boolean {
  return Object.hasOwn(families, name)
}

/**
 * The newest model of a family, as `provider/id`, at the first provider with `hasKey` that lists one. Null: no such provider.
 * A model whose id is the name itself has precedence.
 */
export async function newestOf(
  name: string,
  registry: Registry,
  hasKey: (row: ProviderRow) => boolean,
): Promise<string | null> {
  const ids = Object.hasOwn(families, name) ? families[name] : undefined
  for (const row of registry.providers.filter(hasKey)) {
    const listed = Object.keys(await registry.modelsOf(row.id))
    if (listed.includes(name)) return `${row.id}/${name}`
    const [newest] =
      ids === undefined ? [] : listed.filter((id) => versionOf(id, ids) !== null).toSorted(byVersion(ids))
    if (newest !== undefined) return `${row.id}/${newest}`
  }
  return null
}

/** The newest first; of one version the shortest id, then by name. */
function byVersion(ids: RegExp): (a: string, b: string) => number {
  return (a, b) => {
    const [left, right] = [versionOf(a, ids) ?? [], versionOf(b, ids) ?? []]
    const [major = 0, minor = 0] = left
    const [otherMajor = 0, otherMinor = 0] = right
    return otherMajor - major || otherMinor - minor || a.length - b.length || (a < b ? -1 : 1)
  }
}

function versionOf(id: string, ids: RegExp): readonly number[] | null {
  const version = ids.exec(id.slice(id.lastIndexOf("/") + 1))?.[1]
  return version === undefined ? null : version.split(/[.-]/).map(Number)
}
