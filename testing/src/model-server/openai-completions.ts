import { type OpenAIExtensions, validateOpenAICompletions } from "../validator/openai-completions.ts"
import { argumentsText, pieces, usageOf } from "./turn.ts"
import type { NumberedCall, Play, WireFormat } from "./wire-format.ts"

/** OpenAI's Chat Completions, with `reasoning_content` as compatible endpoints send it. */
export function openaiCompletions(extensions: OpenAIExtensions): WireFormat {
  return {
    api: "openai-completions",
    serves: (path) => path.endsWith("/chat/completions"),
    validate: (body) => validateOpenAICompletions(body, extensions),
    stream,
    whole,
    refusal: (status, message, code) => ({
      error: { message, type: errorType(status), param: null, code: code ?? null },
    }),
    overflow:
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 131234 tokens. Please reduce the length of the messages.",
    errorEvent: (message) =>
      `data: ${JSON.stringify({ error: { message, type: "server_error", param: null, code: null } })}\n\n`,
  }
}

function* stream(play: Play): Generator<string> {
  const { turn } = play
  const size = turn.delta ?? 16
  const [head, tail] = frame(play)
  const delta = (fields: string) => head + fields + tail
  yield delta(`{"role":"assistant","content":""}`)
  for (const piece of pieces(turn.thinking ?? "", size)) yield delta(`{"reasoning_content":${JSON.stringify(piece)}}`)
  for (const piece of pieces(turn.text ?? "", size)) yield delta(`{"content":${JSON.stringify(piece)}}`)
  for (const [index, call] of play.calls.entries()) yield* callEvents(play, call, index, delta)
  yield `data: ${JSON.stringify(chunk(play, [{ index: 0, delta: {}, finish_reason: finishReason(play) }]))}\n\n`
  const usage = usageFields(play)
  if (usage !== null) yield `data: ${JSON.stringify({ ...chunk(play, []), usage })}\n\n`
  yield "data: [DONE]\n\n"
}

/** The text around a delta; computed once, since a reply can have tens of thousands. */
function frame(play: Play): readonly [string, string] {
  const marker = "\u0000"
  const text = JSON.stringify(chunk(play, [{ index: 0, delta: marker, finish_reason: null }]))
  const at = text.indexOf(JSON.stringify(marker))
  return [`data: ${text.slice(0, at)}`, `${text.slice(at + JSON.stringify(marker).length)}\n\n`]
}

function* callEvents(
  play: Play,
  call: NumberedCall,
  index: number,
  delta: (fields: string) => string,
): Generator<string> {
  const { turn } = play
  const event = (fields: object) => delta(JSON.stringify({ tool_calls: [{ index, ...fields }] }))
  const id = turn.ids === "missing" || turn.ids === "late" ? {} : { id: call.id }
  yield event({ ...id, type: "function", function: { name: call.name, arguments: "" } })
  if (turn.ids === "late") yield event({ id: call.id })
  const head = `{"tool_calls":[{"index":${index},"function":{"arguments":`
  for (const piece of pieces(argumentsText(call), turn.argDelta ?? 16))
    yield delta(`${head}${JSON.stringify(piece)}}}]}`)
}

function chunk(play: Play, choices: readonly unknown[]): object {
  return { id: play.replyId, object: "chat.completion.chunk", created: play.created, model: play.model, choices }
}

function whole(play: Play): unknown {
  const { turn } = play
  const calls = play.calls.map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: argumentsText(call) },
  }))
  const message = {
    role: "assistant",
    ...(turn.thinking === undefined ? {} : { reasoning_content: turn.thinking }),
    content: turn.text ?? null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
  const choices = [{ index: 0, message, finish_reason: finishReason(play) }]
  return {
    id: play.replyId,
    object: "chat.completion",
    created: play.created,
    model: play.model,
    choices,
    usage: usageFields(play),
  }
}

function finishReason(play: Play): string {
  return play.turn.stop ?? (play.calls.length > 0 ? "tool_calls" : "stop")
}

function usageFields(play: Play): object | null {
  const usage = usageOf(play.turn)
  if (usage === null) return null
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  }
}

function errorType(status: number): string {
  if (status === 401) return "invalid_request_error"
  if (status === 429) return "requests"
  return status >= 500 ? "server_error" : "invalid_request_error"
}
