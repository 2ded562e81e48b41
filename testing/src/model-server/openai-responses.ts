import { validateOpenAIResponses } from "../validator/openai-responses.ts"
import { argumentsText, pieces, usageOf } from "./turn.ts"
import type { NumberedCall, Play, WireFormat } from "./wire-format.ts"

/** OpenAI's Responses. */
export const openaiResponses: WireFormat = {
  api: "openai-responses",
  serves: (path) => path.endsWith("/responses"),
  validate: (body) => validateOpenAIResponses(body),
  stream,
  whole: (play) => responseOf(play, endStatus(play), outputOf(play)),
  refusal: (status, message, code) => ({
    error: { message, type: status >= 500 ? "server_error" : "invalid_request_error", param: null, code: code ?? null },
  }),
  overflow: "Your input exceeds the context window of this model. Please adjust your input and try again.",
  errorEvent: (message) => eventText({ type: "error", code: "server_error", message, param: null }, 0),
}

type EventFields = Readonly<Record<string, unknown>> & { readonly type: string }
type Item = Readonly<Record<string, unknown>> & { readonly id: string }

function* stream(play: Play): Generator<string> {
  let number = 0
  for (const event of events(play)) yield eventText(event, number++)
}

function eventText(event: EventFields, number: number): string {
  return `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: number })}\n\n`
}

function* events(play: Play): Generator<EventFields> {
  yield { type: "response.created", response: responseOf(play, "in_progress", []) }
  yield { type: "response.in_progress", response: responseOf(play, "in_progress", []) }
  const output = outputOf(play)
  for (const [at, item] of output.entries()) {
    yield { type: "response.output_item.added", output_index: at, item: begun(item) }
    const place = { item_id: item.id, output_index: at }
    if (item["type"] === "reasoning") yield* thinkingEvents(play, place)
    else if (item["type"] === "message") yield* textEvents(play, place)
    else yield* argumentEvents(play, String(item["arguments"]), place)
    yield { type: "response.output_item.done", output_index: at, item }
  }
  const status = endStatus(play)
  yield { type: `response.${status}`, response: responseOf(play, status, output) }
}

/** An item without its content. */
function begun(item: Item): object {
  if (item["type"] === "reasoning") return { type: "reasoning", id: item.id, summary: [] }
  const empty = item["type"] === "message" ? { content: [] } : { arguments: "" }
  return { ...item, status: "in_progress", ...empty }
}

interface Place {
  readonly item_id: string
  readonly output_index: number
}

function* thinkingEvents({ turn }: Play, place: Place): Generator<EventFields> {
  const text = turn.thinking ?? ""
  const at = { ...place, summary_index: 0 }
  yield { type: "response.reasoning_summary_part.added", ...at, part: { type: "summary_text", text: "" } }
  for (const delta of pieces(text, turn.delta ?? 16))
    yield { type: "response.reasoning_summary_text.delta", ...at, delta }
  yield { type: "response.reasoning_summary_text.done", ...at, text }
  yield { type: "response.reasoning_summary_part.done", ...at, part: { type: "summary_text", text } }
}

function* textEvents({ turn }: Play, place: Place): Generator<EventFields> {
  const text = turn.text ?? ""
  const at = { ...place, content_index: 0 }
  yield { type: "response.content_part.added", ...at, part: textPart("") }
  for (const delta of pieces(text, turn.delta ?? 16))
    yield { type: "response.output_text.delta", ...at, delta, logprobs: [] }
  yield { type: "response.output_text.done", ...at, text, logprobs: [] }
  yield { type: "response.content_part.done", ...at, part: textPart(text) }
}

function* argumentEvents({ turn }: Play, text: string, place: Place): Generator<EventFields> {
  for (const delta of pieces(text, turn.argDelta ?? 16))
    yield { type: "response.function_call_arguments.delta", ...place, delta }
  yield { type: "response.function_call_arguments.done", ...place, arguments: text }
}

function outputOf(play: Play): readonly Item[] {
  const { turn, replyId } = play
  const items: Item[] = []
  if (turn.thinking !== undefined) {
    const summary = [{ type: "summary_text", text: turn.thinking }]
    items.push({ type: "reasoning", id: `rs_${replyId}`, summary, encrypted_content: `sealed-${turn.thinking.length}` })
  }
  if (turn.text !== undefined) {
    const content = [textPart(turn.text)]
    items.push({ type: "message", id: `msg_${replyId}`, status: "completed", role: "assistant", content })
  }
  return [...items, ...play.calls.map((call, at) => callItem(play, call, `fc_${replyId}_${at}`))]
}

function callItem({ turn }: Play, call: NumberedCall, id: string): Item {
  // The format has no late ids: the id is in the start event or missing.
  const callId = turn.ids === "missing" || turn.ids === "late" ? {} : { call_id: call.id }
  return { type: "function_call", id, ...callId, name: call.name, arguments: argumentsText(call), status: "completed" }
}

function textPart(text: string): object {
  return { type: "output_text", text, annotations: [], logprobs: [] }
}

/** `stop` of a turn is the reason of an incomplete response. */
function endStatus({ turn }: Play): string {
  return turn.stop === undefined ? "completed" : "incomplete"
}

function responseOf(play: Play, status: string, output: readonly Item[]): object {
  const { replyId, created, model, turn } = play
  return {
    id: `resp_${replyId}`,
    object: "response",
    created_at: created,
    status,
    error: null,
    incomplete_details: status === "incomplete" ? { reason: turn.stop } : null,
    model,
    output,
    usage: status === "in_progress" ? null : usageFields(play),
  }
}

function usageFields({ turn }: Play): object | null {
  const usage = usageOf(turn)
  if (usage === null) return null
  const input = usage.input + usage.cacheRead + usage.cacheWrite
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: input + usage.output,
  }
}
