import { failure, type Failure, failureOf, isRecord, type Transport } from "@gong/spec"
import type { ProviderRow } from "./providers.ts"

/** One free request (the list of models) that tells whether a key is good; null when it is. */
export async function checkKey(
  row: ProviderRow,
  key: string,
  transport: Transport,
  signal: AbortSignal,
): Promise<Failure | null> {
  const anthropic = row.api === "anthropic-messages"
  const url = anthropic ? `${row.baseUrl}/v1/models` : `${row.baseUrl}/models`
  const headers: Record<string, string> = anthropic
    ? { "x-api-key": key, "anthropic-version": "2023-06-01" }
    : { authorization: `Bearer ${key}` }
  try {
    const { status } = await get(url, headers, transport, signal)
    if (status === 401 || status === 403) return failure("auth", `${row.name} refused the key (${status})`, { status })
    // Anything else says nothing against the key: not every provider lists its models.
    return null
  } catch (error) {
    return failureOf(error)
  }
}

/** Names of the models that an Ollama on this machine has; null when none answers. */
export async function ollamaModels(
  transport: Transport,
  signal: AbortSignal,
  origin = "http://127.0.0.1:11434",
): Promise<readonly string[] | null> {
  try {
    const { status, text } = await get(`${origin}/api/tags`, {}, transport, signal)
    const reply: unknown = status === 200 ? JSON.parse(text) : null
    const models = isRecord(reply) ? reply["models"] : null
    if (!Array.isArray(models)) return null
    return models.flatMap((model) => (isRecord(model) && typeof model["name"] === "string" ? [model["name"]] : []))
  } catch {
    // Whatever answers there is no Ollama.
    return null
  }
}

/** Bytes of an answer that are read; a list of models is far smaller. */
const maxAnswer = 4 * 1024 * 1024

async function get(
  url: string,
  headers: Readonly<Record<string, string>>,
  transport: Transport,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await transport.send({ url, method: "GET", headers, body: [], signal })
  const decoder = new TextDecoder()
  let text = ""
  for await (const bytes of response.body) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > maxAnswer) break
  }
  return { status: response.status, text }
}
