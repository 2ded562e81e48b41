import { nearest, apis, baseUrlFault, phrase, type Phrase, thinkingLevels } from "@gong/spec"
import { noEquivalent, type JsonObject, recordOf, shown } from "./candidate.ts"
import type { ImportContext } from "./context.ts"
import type { Translate } from "@gong/texts/translator"

/** A model by its name at a provider. Only known models are accepted, because an unknown one would fail every start. */
export async function importModel(
  t: Translate,
  context: ImportContext,
  from: string,
  id: unknown,
  provider: string,
): Promise<void> {
  const { candidates, registry } = context
  const what = `model ${shown(id)}`
  if (typeof id !== "string" || id === "") return candidates.skip("settings", from, what, phrase`it is not a name.`)
  const row = registry.find(provider)
  const own = context.candidates.all.some(
    (one) => one.state === "import" && one.target.op === "provider" && one.target.id === provider,
  )
  const known = row === undefined ? [] : Object.keys(await registry.modelsOf(provider))
  if (own || known.includes(id) || (row !== undefined && known.length === 0)) {
    return candidates.add("settings", from, what, { op: "setting", name: "model", value: `${provider}/${id}` })
  }
  if (row === undefined)
    return candidates.skip("settings", from, what, phrase`Gong does not know the provider ${provider}.`)
  // Claude Code names families: opus, sonnet.
  const near = nearest(id, known) ?? known.find((name) => name.includes(id)) ?? null
  const hint =
    near === null ? t`gong models ${provider} lists them.` : t`Did you mean gong config set model ${provider}/${near}`
  candidates.skip("settings", from, what, t`Gong does not know this model of ${provider}. ${hint}`)
}

/** The reasoning effort in the terms of any agent. */
export function importThinking({ candidates }: ImportContext, from: string, key: string, level: unknown): void {
  const other: Readonly<Record<string, string>> = { none: "off", max: "xhigh" }
  const name = typeof level === "string" && Object.hasOwn(other, level) ? other[level] : level
  const value = thinkingLevels.find((one) => one === name)
  if (value === undefined) candidates.skip("settings", from, `${key} ${shown(level)}`, phrase`Gong has no such level.`)
  else candidates.add("settings", from, `${key} ${shown(level)}`, { op: "setting", name: "thinking", value })
}

/** A provider defined by another agent, with the field names of models.json. */
export interface ForeignProvider {
  readonly id: string
  readonly name: unknown
  readonly baseUrl: unknown
  readonly api: string | null
  /** The variable that holds the key. */
  readonly key: string | null
  readonly headers: unknown
  readonly models: JsonObject
}

export function importProvider({ candidates, registry }: ImportContext, from: string, given: ForeignProvider): void {
  const { id, name, baseUrl, api, key, headers, models } = given
  const problem = problemOf(given, registry.find(id) !== undefined)
  if (problem !== null) return candidates.skip("models", from, id, problem)
  const plain = recordOf(headers) ?? {}
  const open = Object.entries(plain).filter(([header]) => !/key|token|secret|authorization|cookie/i.test(header))
  const provider = {
    ...(typeof name === "string" && name !== "" && { name }),
    ...(typeof baseUrl === "string" && { baseUrl }),
    ...(api !== null && { api }),
    ...(key !== null && { keys: [key] }),
    ...(open.length > 0 && { headers: Object.fromEntries(open) }),
    ...(Object.keys(models).length > 0 && { models }),
  }
  if (Object.keys(provider).length === 0) return candidates.skip("models", from, id, noEquivalent)
  const hidden = open.length < Object.keys(plain).length ? "; headers with keys were not copied" : ""
  const login = key === null ? phrase`its key is not copied: gong login ${id}` : phrase`its key is read from ${key}`
  candidates.add("models", from, id, { op: "provider", id, provider }, phrase`${login}${hidden}`)
}

/** Fields of a provider that are not imported. `locationOf`: the location of a field. */
export async function reportOtherFields(
  { candidates }: ImportContext,
  id: string,
  fields: JsonObject,
  known: readonly string[],
  locationOf: (field: string) => Promise<string>,
): Promise<void> {
  for (const [field, value] of Object.entries(fields))
    if (!known.includes(field))
      candidates.skip("models", await locationOf(field), `${id} ${field} ${shown(value)}`, noEquivalent)
}

function problemOf({ id, baseUrl, api, headers }: ForeignProvider, known: boolean): Phrase | null {
  if (!/^[\w.-]+$/.test(id) || id === "custom") return phrase`this is not a valid name of a provider.`
  if (baseUrl === undefined ? !known : !isBaseUrl(baseUrl)) return phrase`it has no base URL.`
  if (api !== null && !(apis as readonly string[]).includes(api))
    return phrase`Gong does not support the wire format ${api}, only ${apis.join(", ")}.`
  const texts = Object.values(recordOf(headers) ?? {})
  return texts.every((text) => typeof text === "string") ? null : phrase`its headers must be strings.`
}

/** A valid URL for models.json, which otherwise would fail every start. */
function isBaseUrl(value: unknown): boolean {
  return typeof value === "string" && /^https?:\/\//.test(value) && baseUrlFault(value) === null
}

/** Model facts with the field names of models.json; values that are no numbers are skipped. */
export function factsOf(model: {
  readonly contextWindow?: unknown
  readonly maxOutput?: unknown
  readonly reasoning?: unknown
  readonly images?: boolean | undefined
  readonly cost?: unknown
}): JsonObject {
  const cost = recordOf(model.cost)
  const money = (key: string): number | null => {
    const value = cost?.[key]
    return typeof value === "number" && value >= 0 ? value : null
  }
  const [input, output] = [money("input"), money("output")]
  const [read, write] = [money("cacheRead") ?? money("cache_read"), money("cacheWrite") ?? money("cache_write")]
  return {
    ...(isCount(model.contextWindow) && { contextWindow: model.contextWindow }),
    ...(isCount(model.maxOutput) && { maxOutput: model.maxOutput }),
    ...(typeof model.reasoning === "boolean" && { reasoning: model.reasoning }),
    ...(model.images !== undefined && { images: model.images }),
    ...(input !== null &&
      output !== null && {
        price: {
          input,
          output,
          ...(read !== null && { cacheRead: read }),
          ...(write !== null && { cacheWrite: write }),
        },
      }),
  }
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 100_000_000
}
