import { failureOf, isRecord, messageOf, parseJson, phrase, type Text, type Transport } from "@gong/spec"
import { atBaseUrl } from "./base-url.ts"
import type { ProviderRow } from "./provider-row.ts"
import { redactKey } from "./protocol/errors/classify.ts"

/** What one look at a key says: it is good, it was refused, or nothing can be said about it; `why` is half a sentence. */
export type KeyCheck = { readonly verdict: "good" } | { readonly verdict: "refused" | "unknown"; readonly why: Text }

/** One free request, which costs no tokens: the list of models, or what the provider has for this. Never throws. */
export async function checkKey(
  row: Pick<ProviderRow, "api" | "baseUrl" | "keyCheck" | "modelsPath">,
  key: string,
  transport: Transport,
  signal: AbortSignal,
): Promise<KeyCheck> {
  const listed = row.modelsPath === undefined ? listOf(row.api) : row.modelsPath
  const path = row.keyCheck === undefined ? listed : row.keyCheck
  if (path === null) return { verdict: "unknown", why: phrase`nothing it answers for free tells` }
  try {
    const { status, text } = await get(atBaseUrl(row.baseUrl, path), keyHeaders(row, key), transport, signal)
    if (status === 200 && isJson(text)) return { verdict: "good" }
    const said = redactKey(errorText(text), key).slice(0, maxReason)
    const why = said === "" ? `${status}` : `${status} ${said}`
    // Google refuses a key with 400. Anything else says nothing against it: not every provider lists its models.
    const refused = status === 401 || status === 403 || (status === 400 && /api.?key/i.test(said))
    return refused ? { verdict: "refused", why } : { verdict: "unknown", why: phrase`it answered ${why}` }
  } catch (error) {
    return { verdict: "unknown", why: messageOf(failureOf(error)) }
  }
}

function listOf(api: ProviderRow["api"]): string {
  return api === "anthropic-messages" ? "/v1/models" : "/models"
}

/** Characters of a refusal that are shown. */
const maxReason = 200

function keyHeaders({ api }: Pick<ProviderRow, "api">, key: string): Readonly<Record<string, string>> {
  if (api === "anthropic-messages") return { "x-api-key": key, "anthropic-version": "2023-06-01" }
  if (api === "google-generative-ai") return { "x-goog-api-key": key }
  return { authorization: `Bearer ${key}` }
}

function isJson(text: string): boolean {
  return isRecord(parseJson(text))
}

/** What a refusal says, in any provider's form; empty for a web page. */
function errorText(text: string): string {
  const reply = parseJson(text)
  const error = isRecord(reply) && isRecord(reply["error"]) ? reply["error"] : reply
  const said = isRecord(error) ? (error["message"] ?? error["error"] ?? error["detail"]) : null
  return typeof said === "string" ? said.replaceAll(/\s+/g, " ").trim() : ""
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
