import { nearest, apis, baseUrlFault, phrase, type Phrase, thinkingLevels } from "@gong/spec"
import { noCounterpart, type Plain, recordOf, shown } from "./candidate.ts"
import type { ImportContext } from "./context.ts"
import type { Translate } from "@gong/texts/translator"

/** A model by its name at a provider. Only known models are accepted, because an unknown one would fail every start. */
export async function moveModel(
  t: Translate,
  place: ImportContext,
  from: string,
  id: unknown,
  provider: string,
): Promise<void> {
  const { candidates, registry } = place
  const what = `model ${shown(id)}`
  if (typeof id !== "string" || id === "") return candidates.left("settings", from, what, phrase`it is no name.`)
  const row = registry.find(provider)
  const own = place.candidates.all.some(
    (one) => one.state === "take" && one.target.op === "provider" && one.target.id === provider,
  )
  const known = row === undefined ? [] : Object.keys(await registry.modelsOf(provider))
  if (own || known.includes(id) || (row !== undefined && known.length === 0)) {
    return candidates.take("settings", from, what, { op: "setting", name: "model", value: `${provider}/${id}` })
  }
  if (row === undefined)
    return candidates.left("settings", from, what, phrase`Gong does not know the provider ${provider}.`)
  // Claude Code names families: opus, sonnet.
  const near = nearest(id, known) ?? known.find((name) => name.includes(id)) ?? null
  const hint =
    near === null ? t`gong models ${provider} lists them.` : t`Perhaps gong config set model ${provider}/${near}`
  candidates.left("settings", from, what, t`Gong knows no model of this name at ${provider}. ${hint}`)
}

/** The reasoning effort in the terms of any agent. */
export function moveThinking({ candidates }: ImportContext, from: string, key: string, level: unknown): void {
  const other: Readonly<Record<string, string>> = { none: "off", max: "xhigh" }
  const name = typeof level === "string" && Object.hasOwn(other, level) ? other[level] : level
  const value = thinkingLevels.find((one) => one === name)
  if (value === undefined) candidates.left("settings", from, `${key} ${shown(level)}`, phrase`Gong has no such level.`)
  else candidates.take("settings", from, `${key} ${shown(level)}`, { op: "setting", name: "thinking", value })
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
  readonly models: Plain
}

export function moveProvider({ candidates, registry }: ImportContext, from: string, given: ForeignProvider): void {
  const { id, name, baseUrl, api, key, headers, models } = given
  const problem = problemOf(given, registry.find(id) !== undefined)
  if (problem !== null) return candidates.left("models", from, id, problem)
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
  if (Object.keys(provider).length === 0) return candidates.left("models", from, id, noCounterpart)
  const hidden = open.length < Object.keys(plain).length ? "; headers that hold keys were left out" : ""
  const login = key === null ? phrase`its key is not copied: gong login ${id}` : phrase`its key comes from ${key}`
  candidates.take("models", from, id, { op: "provider", id, provider }, phrase`${login}${hidden}`)
}

/** Fields of a provider that are not imported. `spot`: the location of a field. */
export async function reportOtherFields(
  { candidates }: ImportContext,
  id: string,
  fields: Plain,
  known: readonly string[],
  locationOf: (field: string) => Promise<string>,
): Promise<void> {
  for (const [field, value] of Object.entries(fields))
    if (!known.includes(field))
      candidates.left("models", await locationOf(field), `${id} ${field} ${shown(value)}`, noCounterpart)
}

function problemOf({ id, baseUrl, api, headers }: ForeignProvider, known: boolean): Phrase | null {
  if (!/^[\w.-]+$/.test(id) || id === "custom") return phrase`this cannot be the name of a provider in Gong.`
  if (baseUrl === undefined ? !known : !isBaseUrl(baseUrl)) return phrase`it has no base URL.`
  if (api !== null && !(apis as readonly string[]).includes(api))
    return phrase`Gong does not speak ${api}; it speaks ${apis.join(", ")}.`
  const texts = Object.values(recordOf(headers) ?? {})
  return texts.every((text) => typeof text === "string") ? null : phrase`its headers are no texts.`
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
}): Plain {
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
