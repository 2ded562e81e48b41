import { validateGoogleGenerativeAI, validateGoogleHeaders } from "../validator/google-generative-ai.ts"
import { argumentsText, pieces, usageOf } from "./turn.ts"
import type { NumberedCall, Play, WireFormat } from "./wire-format.ts"

/** Google's Gemini API, v1beta. */
export const googleGenerativeAi: WireFormat = {
  api: "google-generative-ai",
  serves: (path) => path.endsWith(":streamGenerateContent"),
  validate: (body, headers, path) => [
    ...validateGoogleHeaders(headers),
    ...validateGoogleGenerativeAI(body, { signatures: path.includes("/gemini-3") }),
  ],
  stream,
  whole: (play) => response(play, [...chunkParts(play)].flat(), ending(play)),
  refusal: (status, message, code) => ({ error: { code: status, message, status: code ?? statusName(status) } }),
  overflow: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  errorEvent: (message) => event({ error: { code: 503, message, status: "UNAVAILABLE" } }),
}

/** The finish reason and the final counts are in the last chunk. */
function* stream(play: Play): Generator<string> {
  let last: readonly string[] | null = null
  for (const parts of chunkParts(play)) {
    if (last !== null) yield event(response(play, last, {}))
    last = parts
  }
  yield event(response(play, last ?? [], ending(play)))
}

/** The parts of each chunk as JSON, with the script's arguments, valid or not. */
function* chunkParts(play: Play): Generator<readonly string[]> {
  const { turn, calls } = play
  const size = turn.delta ?? 16
  for (const text of pieces(turn.thinking ?? "", size)) yield [JSON.stringify({ text, thought: true })]
  for (const text of pieces(turn.text ?? "", size)) yield [JSON.stringify({ text })]
  for (const [at, call] of calls.entries()) yield [callPart(play, call, at === 0)]
  if (calls.length === 0 && turn.thinking !== undefined)
    yield [JSON.stringify({ text: "", thoughtSignature: signatureOf(play) })]
}

/** Of parallel calls only the first has a signature. */
function callPart(play: Play, call: NumberedCall, first: boolean): string {
  const { ids, thinking } = play.turn
  const id = ids === "missing" || ids === "late" ? "" : `,"id":${JSON.stringify(call.id)}`
  const signature = first && thinking !== undefined ? `,"thoughtSignature":${JSON.stringify(signatureOf(play))}` : ""
  return `{"functionCall":{"name":${JSON.stringify(call.name)},"args":${argumentsText(call)}${id}}${signature}}`
}

function signatureOf({ replyId }: Play): string {
  return Buffer.from(`sealed ${replyId}`).toString("base64")
}

function ending({ turn }: Play): object {
  return { finishReason: turn.stop ?? "STOP" }
}

/** As text, since the parts are text. */
function response(play: Play, parts: readonly string[], more: object): string {
  const usage = usageFields(play, "finishReason" in more)
  const end = { ...more, index: 0 }
  const rest = {
    ...(usage === null ? {} : { usageMetadata: usage }),
    modelVersion: play.model,
    responseId: play.replyId,
  }
  const candidate = `{"content":{"parts":[${parts.join(",")}],"role":"model"},${JSON.stringify(end).slice(1)}`
  return `{"candidates":[${candidate}],${JSON.stringify(rest).slice(1)}`
}

function event(value: string | object): string {
  return `data: ${typeof value === "string" ? value : JSON.stringify(value)}\r\n\r\n`
}

/** Every chunk has counts; the output count is known at the end. */
function usageFields({ turn }: Play, whole: boolean): object | null {
  const usage = usageOf(turn)
  if (usage === null) return null
  const prompt = usage.input + usage.cacheRead
  const before = {
    promptTokenCount: prompt,
    ...(usage.cacheRead > 0 ? { cachedContentTokenCount: usage.cacheRead } : {}),
  }
  if (!whole) return { ...before, totalTokenCount: prompt }
  return {
    ...before,
    candidatesTokenCount: usage.output - usage.reasoning,
    ...(usage.reasoning > 0 ? { thoughtsTokenCount: usage.reasoning } : {}),
    totalTokenCount: prompt + usage.output,
  }
}

const statusNames: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
}

function statusName(status: number): string {
  return statusNames[status] ?? "INTERNAL"
}
