import { failureOf, isRecord, messageOf, parseJson, phrase, type Text, type Transport } from "@gong/spec"
import { atBaseUrl } from "./base-url.ts"
import type { ProviderRow } from "./provider-row.ts"
import { redactKey } from "./protocol/errors/classify.ts"

/** Outcome of a key check: valid, refused, or undecided; `why` is a sentence fragment. */
export type KeyCheck = { readonly verdict: "good" } | { readonly verdict: "refused" | "unknown"; readonly why: Text }

/** Checks a key with one free request: the list of models, or the provider's own endpoint for it. Never throws. */
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
    const reason = redactKey(errorText(text), key).slice(0, maxReason)
    const why = reason === "" ? `${status}` : `${status} ${reason}`
    // Google refuses a key with 400. Any other status is inconclusive, since not every provider lists its models.
    const refused = status === 401 || status === 403 || (status === 400 && /api.?key/i.test(reason))
    return refused ? { verdict: "refused", why } : { verdict: "unknown", why: phrase`it answered ${why}` }
  } catch (error) {
    return { verdict: "unknown", why: messageOf(failureOf(error)) }
  }
}

function listOf(api: ProviderRow["api"]): string {
  return api === "anthropic-messages" ? "/v1/models" : "/models"
}

/** Characters of the reason that are shown. */
const maxReason = 200

function keyHeaders({ api }: Pick<ProviderRow, "api">, key: string): Readonly<Record<string, string>> {
  if (api === "anthropic-messages") return { "x-api-key": key, "anthropic-version": "2023-06-01" }
  if (api === "google-generative-ai") return { "x-goog-api-key": key }
  return { authorization: `Bearer ${key}` }
}

function isJson(text: string): boolean {
  return isRecord(parseJson(text))
}

/** The error message of a refusal, in any provider's format; empty for a web page. */
function errorText(text: string): string {
  const reply = parseJson(text)
  const error = isRecord(reply) && isRecord(reply["error"]) ? reply["error"] : reply
  const message = isRecord(error) ? (error["message"] ?? error["error"] ?? error["detail"]) : null
  return typeof message === "string" ? message.replaceAll(/\s+/g, " ").trim() : ""
}

/** Bytes read of a response; a list of models is far smaller. */
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
