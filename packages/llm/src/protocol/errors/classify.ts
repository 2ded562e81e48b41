import {
  type Credential,
  failure,
  type Failure,
  type Model,
  shortestSecret,
  phrase,
  type Phrase,
  type Text,
  withStrings,
} from "@gong/spec"
import { findProvider } from "../../providers.ts"
import { isFarOver, isOverflow, windowNamed } from "./overflow.ts"

/** An error of a provider, parsed from its own format by `failure.ts` of the wire format. */
export interface Refusal {
  /** HTTP status; absent for an error inside a stream. */
  readonly status?: number
  readonly message: string
  /** The error's type and code, joined by spaces; empty for none. */
  readonly code: string
  readonly retryAfterMs?: number
  /** Which limit was reached, if the error format says so: a rate limit or a quota. */
  readonly exhausted?: "rate" | "quota"
  /** Tokens of the window, if the error has a field for it. */
  readonly contextWindow?: number
}

/** Context of a request, for error messages. */
export interface RequestContext {
  readonly model: Model
  readonly credential: Credential | null
  /** Estimated tokens of the request. */
  readonly promptTokens?: () => number
}

/** Classifies a refusal in the order of contract C-58: the first match counts. */
export function classify(refusal: Refusal, context: RequestContext): Failure {
  const { status, code, message, exhausted } = refusal
  const { promptTokens = () => 0, model } = context
  const { provider } = model
  const text = `${code} ${message}`
  const is = (form: RegExp) => form.test(text)
  if (status === 401 || is(authForms)) return failed("auth", keyProblem(context), refusal, context)
  const spent = exhausted === undefined ? is(quotaForms) : exhausted === "quota"
  if (status === 402 || spent) return failed("quota", phrase`${provider} has no credit or quota left`, refusal, context)
  if (status === 429 || is(rateForms))
    return failed("rate-limit", phrase`${provider} asks us to slow down`, refusal, context)
  if (isReasoningRejected(text))
    return failed("bad-request", phrase`${provider} refused the thinking blocks`, refusal, context)
  if (isOverflow(refusal)) return failed("context-overflow", tooLong(provider), refusal, context)
  if (status === 503 || status === 529 || is(overloadForms))
    return failed("overloaded", phrase`${provider} is overloaded`, refusal, context)
  if (status === 403) return failed("auth", keyProblem(context), refusal, context)
  if (status === 404)
    return failed("bad-request", phrase`${provider} does not know ${model.id} or this address`, refusal, context)
  if (status === 408 || status === 409 || status === 425)
    return failed("overloaded", phrase`${provider} was not ready`, refusal, context)
  if (status !== undefined && status >= 500) return failed("overloaded", phrase`${provider} failed`, refusal, context)
  if (isFarOver(refusal, promptTokens, model.contextWindow))
    return failed("context-overflow", tooLong(provider), refusal, context)
  if (status !== undefined || is(badRequestForms))
    return failed("bad-request", phrase`${provider} refused the request`, refusal, context)
  return failed("overloaded", phrase`${provider} failed`, refusal, context)
}

function tooLong(provider: string): Phrase {
  return phrase`${provider} says the conversation is too long`
}

const authForms =
  /authentication_error|permission_error|invalid_api_key|api_key_invalid|invalid x-api-key|incorrect api key|api key not valid|unauthori[sz]ed/i
const quotaForms =
  /insufficient_quota|billing_error|credit balance|insufficient (balance|credits|funds)|exceeded your current quota|credits are depleted|payment required|(daily|weekly|monthly) (\w+ ){0,2}limit/i
/** A limit of tokens per minute uses the wording of an overlong prompt. */
const rateForms =
  /rate_limit|rate limit|too many requests|resource_exhausted|throttling|tokens per (min|day)|please wait before trying/i
const overloadForms = /overloaded|server is busy|over capacity|service_unavailable|temporarily unavailable/i
const badRequestForms = /invalid_(request|prompt|image)|not_found_error|bad_request/i

export function isReasoningRejected(text: string): boolean {
  if (signatureForms.test(text)) return true
  return (
    /thinking/i.test(text) &&
    /expected .*thinking|must (start|begin) with|cannot be modified|invalid .*signature/i.test(text)
  )
}

/** The same in the wording of OpenAI and Google: a signature or encrypted reasoning block is invalid, unsupported, or without its item. */
const signatureForms =
  /encrypted[_ ]content.*(invalid|verified|decrypted|not supported)|was provided without its required|thought[_ ]signature/i

function keyProblem({ model: { provider }, credential }: RequestContext): Phrase {
  return credential === null
    ? phrase`${provider} wants a key and none was given`
    : phrase`${provider} refused the key in ${credential.from}`
}

function failed(kind: Failure["kind"], what: Phrase, refusal: Refusal, context: RequestContext): Failure {
  const { provider } = context.model
  const words = refusal.message || refusal.code
  const message = words.startsWith(`${refusal.status}`) ? words : [refusal.status, words].filter(Boolean).join(" ")
  const text = message ? phrase`${what} (${message})` : what
  const hint = hintFor(kind, refusal, context)
  const window = kind === "context-overflow" ? (refusal.contextWindow ?? windowNamed(refusal)) : null
  const made = failure(kind, redactPhrase(text, context), {
    provider,
    ...(refusal.status === undefined ? {} : { status: refusal.status }),
    ...(hint ? { hint } : {}),
    ...(refusal.retryAfterMs === undefined ? {} : { retryAfterMs: refusal.retryAfterMs }),
    ...(window === null ? {} : { contextWindow: window }),
  })
  return { ...made, message: oneLine(made.message, context) }
}

function hintFor(kind: Failure["kind"], refusal: Refusal, { model, credential }: RequestContext): Text | null {
  if (kind === "auth") return (credential && regionHint(model)) ?? keyHint(model, credential)
  if (refusal.status === 404) return phrase`Check the model (${model.id}) and the base URL (${model.baseUrl}).`
  return null
}

/** A valid key of one site is refused by the other, without an explanation (interface part 8). */
function regionHint({ provider, id, baseUrl }: Model): Text | null {
  const row = findProvider(provider)
  if (!row?.region || ![row.baseUrl, ...Object.values(row.also ?? {})].includes(baseUrl)) return null
  const { site, other } = row.region
  const to = `${other}/${id}`
  return phrase`Keys of the mainland and the international site are not interchangeable; this one went to ${site}. Try ${to}`
}

/** Where to enter another key; a key on the command line must be changed there. */
function keyHint({ provider, baseUrl }: Model, credential: Credential | null): Text {
  if (credential?.from.startsWith("--")) return phrase`Check the key in ${credential.from}.`
  const whose = provider === "custom" ? `--base-url ${baseUrl}` : provider
  return credential ? phrase`gong login ${whose} replaces it.` : phrase`gong login ${whose} takes one.`
}

/** One line of at most 300 characters, with the key redacted. */
export function oneLine(text: string, { credential }: Pick<RequestContext, "credential">): string {
  const line = redactKey(text, credential?.key ?? "")
    .replaceAll(/\s+/g, " ")
    .trim()
  return line.length <= 300 ? line : `${line.slice(0, 297)}...`
}

/** The same phrase with every value on one line and without the key. */
export function redactPhrase(text: Phrase, context: Pick<RequestContext, "credential">): Phrase {
  return withStrings(text, (value) => oneLine(value, context))
}

/** Redacts the key. A placeholder key is not secret, and redacting it would only garble the text. */
export function redactKey(text: string, key: string): string {
  return key.length < shortestSecret ? text : text.replaceAll(key, "***")
}
