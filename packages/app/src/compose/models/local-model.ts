import { phrase, englishOf, type Transport } from "@gong/spec"
import {
  isSame,
  listOllama,
  type LocalModel,
  type LocalServer,
  localServers,
  type OllamaModel,
  type OllamaPorts,
  ollamaWindow,
} from "@gong/llm"
import type { SessionSpec } from "@gong/config/session-spec"
import { ok, type Outcome, usage } from "@gong/config/usage"
import { signalAfter } from "../../ports.ts"
import type { Services } from "../../services.ts"
import type { Config } from "../config.ts"
import { chooseModel, type ChosenModel, type ModelDeps } from "./model.ts"
import { minWindow } from "./server-facts.ts"
import { openTransport } from "../network/transport.ts"
import type { Translate } from "@gong/texts/translator"

/** Milliseconds for an answer of a server, and for loading a model from disk. */
const answerTimeout = 5_000
const loadTimeout = 600_000

/**
 * Queries the selected Ollama for the facts of its model. Without any selected model, selects the only local model with tool
 * calls and reports it. Without one, the usage error also lists the local models.
 */
export async function chooseLocalModel(
  { services, spec, config }: LocalModelDeps,
  deps: Omit<ModelDeps, "last">,
  chosen: Outcome<ChosenModel>,
): Promise<Outcome<ChosenModel>> {
  const transport = openTransport(services, config.settings)
  try {
    const images = !config.settings.values["images.block"]
    const use = { tools: spec.noTools !== true, images, report: (line: string) => services.warn(line) }
    if (chosen.ok) return await queryOllama(services.t, chosen.value, transport, use)
    const servers = await findLocalServers(config, transport, services.env)
    const only = onlyToolModel(servers)
    if (only === null) return withLocalModels(chosen, servers)
    use.report(services.t`gong: no model is configured; using ${only}, the only local model with tool calls`)
    const local = await chooseModel({ ...deps, last: async () => only })
    return local.ok ? await queryOllama(services.t, local.value, transport, use) : local
  } finally {
    transport.close()
  }
}

export interface LocalModelDeps {
  readonly services: Pick<Services, "env" | "warn" | "t">
  readonly spec: Pick<SessionSpec, "noTools">
  readonly config: Pick<Config, "settings" | "registry">
}

/** Adds a line for each local server with the options that select its models. */
function withLocalModels(
  chosen: Outcome<ChosenModel> & { readonly ok: false },
  servers: readonly LocalServer[],
): Outcome<never> {
  const lines = servers.flatMap(({ row, host, models }) => {
    const names = models.filter(({ tools }) => tools !== false).map(({ name }) => `-m ${row.id}/${name}`)
    return names.length === 0 ? [] : [phrase`  Or ${row.name} (${host}): ${names.slice(0, maxNamed).join("  ")}`]
  })
  const texts = [...chosen.error.texts, ...lines]
  return { ok: false, error: { ...chosen.error, lines: texts.map(englishOf), texts } }
}

/** Models of one server in one line. */
const maxNamed = 5

/** The model servers on this machine. Called only if no model is configured (interface 5 L). */
export function findLocalServers(
  { registry, settings }: LocalModelDeps["config"],
  transport: Transport,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly LocalServer[]> {
  const search = {
    transport,
    env,
    signal: signalAfter(settings.values["local.wait"]),
    details: signalAfter(answerTimeout),
  }
  return localServers(registry.providers, search)
}

/** The reference of the only local model with tool calls; null for none or several. */
function onlyToolModel(servers: readonly LocalServer[]): string | null {
  const candidates = servers.flatMap(({ row, models }) =>
    models.filter(({ tools }) => tools).map(({ name }) => `${row.id}/${name}`),
  )
  return candidates.length === 1 ? (candidates[0] ?? null) : null
}

/** What the run needs of the model. */
interface LocalUse {
  readonly tools: boolean
  readonly images: boolean
  /** Reports one line immediately, since loading takes long. */
  report(line: string): void
}

/**
 * Facts that only Ollama itself knows of a model: whether it exists, its tool calls, images, reasoning and context window
 * (interface 6.5: Ollama silently truncates longer prompts). An unsuitable model is an error before the first request.
 */
async function queryOllama(
  t: Translate,
  chosen: ChosenModel,
  transport: Transport,
  use: LocalUse,
): Promise<Outcome<ChosenModel>> {
  const { model } = chosen
  const { origin, host } = new URL(model.baseUrl)
  const ports = (ms: number): OllamaPorts => ({ transport, origin, signal: signalAfter(ms) })
  const models = await listOllama(ports(answerTimeout))
  if (models === null) return usage(phrase`Ollama is not running on ${host}. Start it: ollama serve`)
  const found = models.find(({ name }) => isSame(name, model.id))
  if (!found)
    return usage(
      phrase`Ollama on ${host} has no model ${model.id}. Get it: ollama pull ${model.id}${toolModelsText(t, models)}`,
    )
  if (use.tools && found.tools === false)
    return usage(phrase`${found.name} has no tool calls: Gong cannot work with it.${toolModelsText(t, models)}`)
  const loading = () => use.report(t`gong: Ollama loads ${found.name}${sizeText(found.bytes)} ...`)
  const window = await ollamaWindow(ports(loadTimeout), found.name, loading)
  const updated = { ...model, images: found.images && use.images, reasoning: found.reasoning }
  if (window === null) return ok({ ...chosen, model: updated })
  const lines = window < minWindow ? [...chosen.lines, smallWindowText(t, window)] : chosen.lines
  return ok({ ...chosen, model: { ...updated, contextWindow: window }, lines })
}

function smallWindowText(t: Translate, window: number): string {
  const tokens = window.toLocaleString("en-US")
  return t`gong: This model runs with a ${tokens} token window; Gong needs 16k. Start Ollama with OLLAMA_CONTEXT_LENGTH=32768.`
}

function toolModelsText(t: Translate, models: readonly OllamaModel[]): string {
  const names = models.filter(({ tools }) => tools !== false).map(({ name }) => name)
  return names.length === 0 ? "" : t` (with tools it has: ${names.join(", ")})`
}

/** The description in a list: `tools, 256k context, 18 GB`. */
export function describeLocal(t: Translate, { tools, contextWindow, bytes }: LocalModel): string {
  if (tools === false) return t`no tool calls: Gong cannot work with it`
  const window = contextWindow === null ? [] : [t`${Math.round(contextWindow / 1024)}k context`]
  return [...(tools ? [t`tools`] : []), ...window, ...(bytes === null ? [] : [gigabytes(bytes)])].join(", ")
}

function sizeText(bytes: number | null): string {
  return bytes === null ? "" : ` (${gigabytes(bytes)})`
}

function gigabytes(bytes: number): string {
  const size = bytes / 1e9
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} GB`
}
