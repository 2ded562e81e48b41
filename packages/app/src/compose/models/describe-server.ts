import { serverFacts, isNearby, listOllama, isSame, resolveModel } from "@gong/llm"
import type { Model, Transport } from "@gong/spec"
import { modelNames, parseModel } from "@gong/config/model"
import type { Translate } from "@gong/texts/translator"
import { signalAfter } from "../../ports.ts"
import type { Services } from "../../services.ts"
import type { Config } from "../config.ts"
import { openTransport } from "../network/transport.ts"

/** Milliseconds for all answers. */
const answerTimeout = 2_000

/** The window and the tools of the configured model according to its server; empty unless the user hosts it. */
export async function describeServer(services: Pick<Services, "env" | "t">, config: Config): Promise<string> {
  const model = await configuredModel(services, config)
  if (model === null || !isNearby(model)) return ""
  const transport = openTransport(services, config.settings)
  try {
    const isOllama = config.registry.find(model.provider)?.local === "ollama"
    return await factsText(services.t, model, transport, isOllama)
  } finally {
    transport.close()
  }
}

async function configuredModel({ env }: Pick<Services, "env">, { settings, registry }: Config): Promise<Model | null> {
  const { model, baseUrl } = settings.values
  const chosen = model === null ? null : parseModel(modelNames(model)[0] ?? "")
  if (!chosen?.ok) return null
  const query = { ...chosen.value, ...(baseUrl === null ? {} : { baseUrl }), env }
  const resolved = await resolveModel(query, registry)
  return resolved.ok ? resolved.model : null
}

async function factsText(t: Translate, model: Model, transport: Transport, isOllama: boolean): Promise<string> {
  const signal = signalAfter(answerTimeout)
  const facts = await serverFacts(model, { transport, credential: null, signal })
  const tools = facts?.tools ?? (isOllama ? await ollamaTools(model, transport, signal) : null)
  const window = facts?.contextWindow ?? null
  const windowText =
    window === null
      ? t`its server tells no window; Gong assumes ${model.contextWindow} tokens`
      : t`its server gives it a window of ${window} tokens`
  if (tools === null) return windowText
  return `${windowText}\n${tools ? t`its template has tools` : t`its template has no tools: the model cannot call any`}`
}

async function ollamaTools({ baseUrl, id }: Model, transport: Transport, signal: AbortSignal): Promise<boolean | null> {
  const models = await listOllama({ transport, origin: new URL(baseUrl).origin, signal })
  return models?.find(({ name }) => isSame(name, id))?.tools ?? null
}
