import { validateAnthropicHeaders, validateAnthropicMessages } from "../validator/anthropic-messages.ts"
import { argumentsText, pieces, usageOf } from "./turn.ts"
import type { NumberedCall, Play, WireFormat } from "./wire-format.ts"

/** Anthropic's Messages. */
export const anthropicMessages: WireFormat = {
  api: "anthropic-messages",
  serves: (path) => path.endsWith("/messages"),
  validate: (body, headers) => [...validateAnthropicHeaders(headers), ...validateAnthropicMessages(body)],
  stream,
  whole,
  refusal: (status, message, code) => ({
    type: "error",
    error: { type: code ?? errorType(status), message },
    request_id: "req_mock",
  }),
  overflow: "prompt is too long: 213462 tokens > 200000 maximum",
  errorEvent: (message) => event({ type: "error", error: { type: "overloaded_error", message } }),
}

function* stream(play: Play): Generator<string> {
  const { turn } = play
  const size = turn.delta ?? 16
  let index = 0
  yield event({
    type: "message_start",
    message: { ...message(play), usage: { ...usageFields(play), output_tokens: 1 } },
  })
  yield event({ type: "ping" })
  if (turn.thinking !== undefined) yield* thinkingEvents(turn.thinking, index++, size)
  if (turn.text !== undefined)
    yield* blockEvents(index++, { type: "text", text: "" }, "text_delta", "text", pieces(turn.text, size))
  for (const call of play.calls) yield* callEvents(play, call, index++)
  yield event({
    type: "message_delta",
    delta: { stop_reason: stopReason(play), stop_sequence: null },
    usage: usageFields(play) ?? {},
  })
  yield event({ type: "message_stop" })
}

function* thinkingEvents(text: string, index: number, size: number): Generator<string> {
  yield event({ type: "content_block_start", index, content_block: { type: "thinking", thinking: "", signature: "" } })
  yield* deltas(index, "thinking_delta", "thinking", pieces(text, size))
  yield event({
    type: "content_block_delta",
    index,
    delta: { type: "signature_delta", signature: `sig-${text.length}` },
  })
  yield event({ type: "content_block_stop", index })
}

function* callEvents(play: Play, call: NumberedCall, index: number): Generator<string> {
  // The format has no late ids: the id is in the start event or missing.
  const id = play.turn.ids === "missing" || play.turn.ids === "late" ? {} : { id: call.id }
  const block = { type: "tool_use", ...id, name: call.name, input: {} }
  yield* blockEvents(
    index,
    block,
    "input_json_delta",
    "partial_json",
    pieces(argumentsText(call), play.turn.argDelta ?? 16),
  )
}

function* blockEvents(
  index: number,
  block: object,
  type: string,
  field: string,
  texts: Iterable<string>,
): Generator<string> {
  yield event({ type: "content_block_start", index, content_block: block })
  yield* deltas(index, type, field, texts)
  yield event({ type: "content_block_stop", index })
}

/** Serialized by hand, since a reply can have tens of thousands. */
function* deltas(index: number, type: string, field: string, texts: Iterable<string>): Generator<string> {
  const head = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":{"type":"${type}","${field}":`
  for (const text of texts) yield `${head}${JSON.stringify(text)}}}\n\n`
}

function event(data: { readonly type: string; readonly [field: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}

function message(play: Play): object {
  return {
    id: play.replyId,
    type: "message",
    role: "assistant",
    model: play.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  }
}

function whole(play: Play): unknown {
  const { turn } = play
  const content = [
    ...(turn.thinking === undefined
      ? []
      : [{ type: "thinking", thinking: turn.thinking, signature: `sig-${turn.thinking.length}` }]),
    ...(turn.text === undefined ? [] : [{ type: "text", text: turn.text }]),
    ...play.calls.map((call) => ({ type: "tool_use", id: call.id, name: call.name, input: call.args })),
  ]
  return { ...message(play), content, stop_reason: stopReason(play), usage: usageFields(play) }
}

function stopReason(play: Play): string {
  return play.turn.stop ?? (play.calls.length > 0 ? "tool_use" : "end_turn")
}

function usageFields(play: Play): object | null {
  const usage = usageOf(play.turn)
  if (usage === null) return null
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    output_tokens: usage.output,
  }
}

function errorType(status: number): string {
  const types: Readonly<Record<number, string>> = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
  }
  return types[status] ?? (status >= 500 ? "api_error" : "invalid_request_error")
}
