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
import { openTransport } from "../network/transport.ts"
import type { Translate } from "@gong/texts/translator"

/** Milliseconds for a server that was named or found; and for loading a model from a disk. */
const answerWait = 5_000
const loadWait = 600_000

/** Tokens that Gong needs: below this the task itself is cut away before long. */
const leastWindow = 16_000

/**
 * Looks at the Ollama that was chosen; where nothing at all was, takes the only model on this machine that calls tools, and
 * says so. Without one the usage error stands, with what was found.
 */
export async function chooseLocalModel(
  { services, spec, config }: LocalModelDeps,
  from: Omit<ModelDeps, "last">,
  chosen: Outcome<ChosenModel>,
): Promise<Outcome<ChosenModel>> {
  const transport = openTransport(services, config.settings)
  try {
    const images = !config.settings.values["images.block"]
    const use = { tools: spec.noTools !== true, images, say: (line: string) => services.warn(line) }
    if (chosen.ok) return await queryOllama(services.t, chosen.value, transport, use)
    const servers = await findLocalServers(config, transport, services.env)
    const only = onlyOne(servers)
    if (only === null) return withFound(chosen, servers)
    use.say(services.t`gong: no model is configured; taking ${only}, the only one on this machine that calls tools`)
    const picked = await chooseModel({ ...from, last: async () => only })
    return picked.ok ? await queryOllama(services.t, picked.value, transport, use) : picked
  } finally {
    transport.close()
  }
}

export interface LocalModelDeps {
  readonly services: Pick<Services, "env" | "warn" | "t">
  readonly spec: Pick<SessionSpec, "noTools">
  readonly config: Pick<Config, "settings" | "registry">
}

/** One line more for each server: what could be asked there. */
function withFound(
  chosen: Outcome<ChosenModel> & { readonly ok: false },
  servers: readonly LocalServer[],
): Outcome<never> {
  const lines = servers.flatMap(({ row, host, models }) => {
    const names = models.filter(({ tools }) => tools !== false).map(({ name }) => `-m ${row.id}/${name}`)
    return names.length === 0 ? [] : [phrase`  Or ${row.name} (${host}): ${names.slice(0, mostNamed).join("  ")}`]
  })
  const texts = [...chosen.error.texts, ...lines]
  return { ok: false, error: { ...chosen.error, lines: texts.map(englishOf), texts } }
}

/** Models of one server in one line. */
const mostNamed = 5

/** Model servers on this machine, looked for only when nothing is configured (interface 5 L). */
export function findLocalServers(
  { registry, settings }: LocalModelDeps["config"],
  transport: Transport,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly LocalServer[]> {
  const search = {
    transport,
    env,
    signal: signalAfter(settings.values["local.wait"]),
    details: signalAfter(answerWait),
  }
  return localServers(registry.providers, search)
}

/** The one model on this machine that is known to call tools, by its reference; null when there is none, or a choice. */
function onlyOne(servers: readonly LocalServer[]): string | null {
  const able = servers.flatMap(({ row, models }) =>
    models.filter(({ tools }) => tools).map(({ name }) => `${row.id}/${name}`),
  )
  return able.length === 1 ? (able[0] ?? null) : null
}

/** What the run means to do with the model. */
interface LocalUse {
  readonly tools: boolean
  readonly images: boolean
  /** Says one line at once: loading takes its time. */
  say(line: string): void
}

/**
 * What only the Ollama itself knows of a model: whether it is there, calls tools, sees, thinks, and how large a window it gets
 * (interface 6.5: a prompt that is longer is cut without a word). What makes a run useless is said before anything is asked.
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
  const models = await listOllama(ports(answerWait))
  if (models === null) return usage(phrase`Ollama is not running on ${host}. Start it: ollama serve`)
  const found = models.find(({ name }) => isSame(name, model.id))
  if (!found)
    return usage(
      phrase`Ollama on ${host} has no model ${model.id}. Get it: ollama pull ${model.id}${others(t, models)}`,
    )
  if (use.tools && found.tools === false)
    return usage(phrase`${found.name} has no tool calls: Gong cannot work with it.${others(t, models)}`)
  const loading = () => use.say(t`gong: Ollama loads ${found.name}${sizeText(found.bytes)} ...`)
  const window = await ollamaWindow(ports(loadWait), found.name, loading)
  const known = { ...model, images: found.images && use.images, reasoning: found.reasoning }
  if (window === null) return ok({ ...chosen, model: known })
  const lines = window < leastWindow ? [...chosen.lines, tooSmall(t, window)] : chosen.lines
  return ok({ ...chosen, model: { ...known, contextWindow: window }, lines })
}

function tooSmall(t: Translate, window: number): string {
  const tokens = window.toLocaleString("en-US")
  return t`gong: This model runs with a ${tokens} token window; Gong needs 16k. Start Ollama with OLLAMA_CONTEXT_LENGTH=32768.`
}

function others(t: Translate, models: readonly OllamaModel[]): string {
  const able = models.filter(({ tools }) => tools !== false).map(({ name }) => name)
  return able.length === 0 ? "" : t` (with tools it has: ${able.join(", ")})`
}

/** `tools, 256k context, 18 GB`: how a list shows one. */
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
