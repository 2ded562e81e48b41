import type { Compat, Message, Model, ThinkingLevel, ToolSpec, UserContent } from "@gong/spec"
import type { BodyFormat, RequestOptions } from "../protocol/request/body.ts"
import { effortOf } from "../protocol/request/effort.ts"
import { contentOf } from "./content.ts"
import { type Detail, reasoningDetailOf } from "./reasoning-details.ts"
import { isThinkingField } from "./reply.ts"
import {
  dataUrl,
  foreignSignature,
  type HistoryBlock,
  type HistoryCall,
  readTurn,
  resultImages,
  resultText,
  type Turn,
} from "../protocol/request/history.ts"

export const format: BodyFormat = {
  marksCache: false,
  head({ model, system }) {
    const role = model.compat?.systemRole ?? "system"
    const first = system === "" ? "" : JSON.stringify({ role, content: system })
    return `{"model":${JSON.stringify(model.wireId ?? model.id)},"messages":[${first}`
  },
  part(group, _variant, { model, withoutThinking }) {
    return messagesOf(group, model, withoutThinking)
      .map((message) => JSON.stringify(message))
      .join(",")
  },
  tail: (options) => `],${JSON.stringify(settingsOf(options)).slice(1)}`,
}

/**
 * OpenAI rejects longer ids, Mistral any but nine letters and digits. Kimi's models depend on their own ids
 * (`functions.read:0`).
 */
const idRule = { bad: /[^a-zA-Z0-9_-]/g, max: 40, anyOfOwn: true }
const shortIdRule = { bad: /[^a-zA-Z0-9]/g, max: 9, exact: true }

/** Serializes one group of messages. */
export function messagesOf(group: readonly Message[], model: Model, withoutThinking = false): object[] {
  const turn = readTurn(group, model, model.compat?.shortIds ? shortIdRule : idRule, withoutThinking)
  const messages: object[] = []
  if (turn.blocks.length > 0) messages.push(assistant(turn, model))
  for (const result of turn.results)
    messages.push({ role: "tool", tool_call_id: result.id, content: resultText(result) })
  const seen = resultImages(turn.results)
  if (seen.length > 0) messages.push({ role: "user", content: parts(seen) })
  for (const content of turn.users) messages.push({ role: "user", content: parts(content) })
  return messages
}

function assistant({ blocks, own }: Turn, model: Model): object {
  const content = contentOf(blocks)
  const calls = blocks.filter((block) => block.type === "call")
  const unsigned = own ? undefined : calls[0]
  const message = { role: "assistant", ...reasoningFields(blocks, model, unsigned) }
  if (calls.length === 0) return { ...message, content }
  const called = calls.map((call) => {
    const { id, name, arguments: args } = call
    const signature =
      call.signature ??
      (call === unsigned && needsForeignSignature(model, "extra_content") ? foreignSignature : undefined)
    const extra = signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } }
    return { id, type: "function", function: { name, arguments: JSON.stringify(args) }, ...extra }
  })
  return { ...message, content: content === "" ? null : content, tool_calls: called }
}

function needsForeignSignature({ id, compat }: Model, where: Compat["callSeals"]): boolean {
  return compat?.callSeals === where && id.includes("gemini")
}

/** The signature of a reasoning block is the name of its field, or the other fields of its detail. */
function reasoningFields(
  blocks: readonly HistoryBlock[],
  model: Model,
  unsigned: HistoryCall | undefined,
): Readonly<Record<string, unknown>> {
  const fields: Record<string, string> = {}
  const details: Detail[] = []
  for (const block of blocks) {
    if (block.type !== "thinking") continue
    const detail = reasoningDetailOf(block)
    if (detail !== null) details.push(detail)
    else if (isThinkingField(block.signature)) fields[block.signature] = (fields[block.signature] ?? "") + block.text
  }
  if (unsigned && needsForeignSignature(model, "reasoning_details"))
    details.push({
      type: "reasoning.encrypted",
      data: foreignSignature,
      id: unsigned.id,
      format: "google-gemini-v1",
      index: 0,
    })
  const { reasoning, compat } = model
  if (reasoning && compat?.thoughtFiller !== undefined) fields["reasoning_content"] ||= compat.thoughtFiller
  return { ...fields, ...(details.length > 0 ? { reasoning_details: details } : {}) }
}

/** Text alone stays a string, the form that every server accepts. */
function parts(content: readonly UserContent[]): string | object[] {
  if (content.every((block) => block.type === "text")) return content.map((block) => block.text).join("\n")
  return content.map((block) =>
    block.type === "text"
      ? { type: "text", text: block.text }
      : { type: "image_url", image_url: { url: dataUrl(block) } },
  )
}

function settingsOf({ model, tools, thinking, sessionId }: RequestOptions): object {
  const { maxTokensField, noStreamUsage, cacheKey, toolStream } = model.compat ?? {}
  return {
    ...(tools.length > 0 ? { tools: tools.map(toolOf), ...(toolStream ? { tool_stream: true } : {}) } : {}),
    // Without a known field for the limit the server uses its own.
    ...(maxTokensField ? { [maxTokensField]: model.maxOutput } : {}),
    ...thinkingOf(thinking, model),
    ...(cacheKey && sessionId ? { prompt_cache_key: sessionId } : {}),
    stream: true,
    ...(noStreamUsage ? {} : { stream_options: { include_usage: true } }),
    ...model.body,
  }
}

function thinkingOf(level: ThinkingLevel, model: Model): object {
  const { thinkingSwitch, thinkingWith, noEffort, efforts } = model.compat ?? {}
  const effort = noEffort ? "none" : effortOf(level, model)
  if (!thinkingSwitch || thinkingSwitch === "effort" || !model.reasoning)
    return effort ? { reasoning_effort: effort } : {}
  if (thinkingSwitch === "reasoning") return effort ? { reasoning: { effort } } : {}
  const on = level !== "off"
  // A model that cannot stop thinking rejects the switch.
  if (!on && efforts?.includes("off") === false) return {}
  const switched =
    thinkingSwitch === "type"
      ? { thinking: on ? { type: "enabled", ...thinkingWith } : { type: "disabled" } }
      : { enable_thinking: on }
  return { ...switched, ...(on && effort !== undefined && effort !== "none" ? { reasoning_effort: effort } : {}) }
}

function toolOf({ name, description, parameters }: ToolSpec): object {
  return { type: "function", function: { name, description, parameters } }
}
