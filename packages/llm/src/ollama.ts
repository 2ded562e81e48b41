import { isRecord, parseJson, type Transport } from "@gong/spec"

/** A model on the disk of an Ollama server. */
export interface OllamaModel {
  readonly name: string
  /** Null if unknown. */
  readonly bytes: number | null
  /** Null if unknown, as with older versions. */
  readonly tools: boolean | null
  readonly images: boolean
  readonly reasoning: boolean
  /** Maximum context in tokens; Ollama may allocate far less. */
  readonly contextWindow: number | null
}

export interface OllamaPorts {
  readonly transport: Transport
  /** `http://127.0.0.1:11434`. */
  readonly origin: string
  readonly signal: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /** For details, after the server was found. Default: `signal`. */
  readonly details?: AbortSignal
}

/** Models listed at most. */
const maxModels = 50

/** The models of the Ollama server at this address; null if none answers there. Never throws. */
export async function listOllama(ports: OllamaPorts): Promise<readonly OllamaModel[] | null> {
  const tags = await fetchJson(ports, "/api/tags")
  const models = isRecord(tags) ? tags["models"] : null
  if (!Array.isArray(models)) return null
  const named = models.filter((model): model is Record<string, unknown> => isRecord(model) && isText(model["name"]))
  return Promise.all(named.slice(0, maxModels).map((model) => describe(ports, model)))
}

async function describe(ports: OllamaPorts, tag: Readonly<Record<string, unknown>>): Promise<OllamaModel> {
  const name = String(tag["name"])
  const shown = await fetchJson({ ...ports, signal: ports.details ?? ports.signal }, "/api/show", { model: name })
  const capabilities = isRecord(shown) && Array.isArray(shown["capabilities"]) ? shown["capabilities"] : null
  const can = capabilities ?? []
  return {
    name,
    bytes: numberOf(tag["size"]),
    tools: capabilities === null ? null : can.includes("tools"),
    images: can.includes("vision"),
    reasoning: can.includes("thinking"),
    contextWindow: isRecord(shown) ? trainedWindow(shown["model_info"]) : null,
  }
}

/** `{"general.architecture": "qwen3moe", "qwen3moe.context_length": 262144}`. */
function trainedWindow(info: unknown): number | null {
  if (!isRecord(info)) return null
  return numberOf(info[`${String(info["general.architecture"])}.context_length`])
}

/**
 * The context window in tokens that Ollama allocates for a model. It is known only for a loaded model, so the model is loaded
 * first if necessary, which can take minutes. Null if Ollama does not report it.
 */
export async function ollamaWindow(ports: OllamaPorts, name: string, loading: () => void): Promise<number | null> {
  const known = await runningWindow(ports, name)
  if (known !== undefined) return known
  loading()
  // A request without a prompt loads the model and generates nothing.
  await fetchJson(ports, "/api/generate", { model: name, stream: false })
  return (await runningWindow(ports, name)) ?? null
}

/** The window of a loaded model. Undefined if the model is not loaded; null if the server is too old to report it. */
export async function runningWindow(ports: OllamaPorts, name: string): Promise<number | null | undefined> {
  const ps = await fetchJson(ports, "/api/ps")
  const models = isRecord(ps) && Array.isArray(ps["models"]) ? ps["models"] : []
  const loaded = models.find((model) => isRecord(model) && isSame(String(model["name"]), name))
  return isRecord(loaded) ? numberOf(loaded["context_length"]) : undefined
}

/** A name without a tag means `latest`. */
export function isSame(listed: string, asked: string): boolean {
  return listed === asked || listed === `${asked}:latest`
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== ""
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" && value > 0 ? value : null
}

/** Bytes read of a response; `/api/show` includes licences and templates. */
const maxAnswer = 4 * 1024 * 1024

/** The JSON response to a GET, or to a POST with this body; null without one, or for another status than 200. Never throws. */
export async function fetchJson(
  { transport, origin, signal, headers: own }: OllamaPorts,
  path: string,
  body?: object,
): Promise<unknown> {
  try {
    const sent = body === undefined ? [] : [new TextEncoder().encode(JSON.stringify(body))]
    const headers = { ...own, ...(body === undefined ? {} : { "content-type": "application/json" }) }
    const method = body === undefined ? "GET" : "POST"
    const response = await transport.send({ url: origin + path, method, headers, body: sent, signal })
    const decoder = new TextDecoder()
    let text = ""
    for await (const bytes of response.body) {
      text += decoder.decode(bytes, { stream: true })
      if (text.length > maxAnswer) return null
    }
    return response.status === 200 ? (parseJson(text) ?? null) : null
  } catch {
    return null
  }
}
