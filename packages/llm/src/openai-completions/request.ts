import type { Message, Model, ToolSpec, UserContent } from "@gong/spec"
import type { BodyFormat, RequestOptions } from "../wire/body.ts"
import { effortOf } from "../wire/effort.ts"
import { isThinkingField } from "./reply.ts"
import { contentFor, dataUrl, type HistoryBlock, type HistoryResult, readTurn } from "../wire/history.ts"

export const format: BodyFormat = {
  marksCache: false,
  head({ model, system }) {
    const role = model.compat?.systemRole ?? "system"
    const first = system === "" ? "" : JSON.stringify({ role, content: system })
    return `{"model":${JSON.stringify(model.id)},"messages":[${first}`
  },
  part(group, _variant, { model, withoutThinking }) {
    return messagesOf(group, model, withoutThinking)
      .map((message) => JSON.stringify(message))
      .join(",")
  },
  tail: (options) => `],${JSON.stringify(settingsOf(options)).slice(1)}`,
}

/** OpenAI refuses longer ids, Mistral all that are not nine letters and digits. */
const idRule = { bad: /[^a-zA-Z0-9_-]/g, max: 40 }
const shortIdRule = { bad: /[^a-zA-Z0-9]/g, max: 9, exact: true }

/** One group of messages in the words of this wire. */
export function messagesOf(group: readonly Message[], model: Model, withoutThinking = false): object[] {
  const turn = readTurn(group, model, model.compat?.shortIds ? shortIdRule : idRule, withoutThinking)
  const messages: object[] = []
  if (turn.blocks.length > 0) messages.push(assistant(turn.blocks))
  for (const result of turn.results) messages.push(toolMessage(result, model))
  const seen = imagesOf(turn.results, model)
  if (seen.length > 0) messages.push({ role: "user", content: parts([{ type: "text", text: seenText }, ...seen]) })
  for (const user of turn.users) {
    const content = contentFor(user.content, model)
    if (content.length > 0) messages.push({ role: "user", content: parts(content) })
  }
  return messages
}

function assistant(blocks: readonly HistoryBlock[]): object {
  const text = blocks.filter((block) => block.type === "text").map((block) => block.text)
  const calls = blocks.filter((block) => block.type === "call")
  const message = { role: "assistant", ...thoughtsOf(blocks) }
  if (calls.length === 0) return { ...message, content: text.join("\n") }
  const called = calls.map(({ id, name, arguments: args }) => {
    return { id, type: "function", function: { name, arguments: JSON.stringify(args) } }
  })
  return { ...message, content: text.length > 0 ? text.join("\n") : null, tool_calls: called }
}

/** The signature of a thought is the name of the field that it came in. */
function thoughtsOf(blocks: readonly HistoryBlock[]): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {}
  for (const block of blocks) {
    if (block.type !== "thinking" || !isThinkingField(block.signature)) continue
    fields[block.signature] = (fields[block.signature] ?? "") + block.text
  }
  return fields
}

/** This wire's tool results are text; their images follow as the user's. */
const seenText = "Images from the tool results above:"

function toolMessage(result: HistoryResult, model: Model): object {
  const text = contentFor(result.content, model)
    .map((block) => (block.type === "text" ? block.text : "(see the image below)"))
    .join("\n")
  return { role: "tool", tool_call_id: result.id, content: text }
}

function imagesOf(results: readonly HistoryResult[], model: Model): UserContent[] {
  if (!model.images) return []
  return results.flatMap((result) => result.content.filter((block) => block.type === "image"))
}

/** Text alone stays a string: the form that every server reads. */
function parts(content: readonly UserContent[]): string | object[] {
  if (content.every((block) => block.type === "text")) return content.map((block) => block.text).join("\n")
  return content.map((block) =>
    block.type === "text"
      ? { type: "text", text: block.text }
      : { type: "image_url", image_url: { url: dataUrl(block) } },
  )
}

function settingsOf({ model, tools, thinking, sessionId }: RequestOptions): object {
  const { maxTokensField, noStreamUsage, cacheKey } = model.compat ?? {}
  const effort = model.compat?.noEffort ? "none" : effortOf(thinking, model)
  return {
    ...(tools.length > 0 ? { tools: tools.map(toolOf) } : {}),
    // A server that does not say how it wants its limit chooses its own.
    ...(maxTokensField ? { [maxTokensField]: model.maxOutput } : {}),
    ...(effort ? { reasoning_effort: effort } : {}),
    ...(cacheKey && sessionId ? { prompt_cache_key: sessionId } : {}),
    stream: true,
    ...(noStreamUsage ? {} : { stream_options: { include_usage: true } }),
  }
}

function toolOf({ name, description, parameters }: ToolSpec): object {
  return { type: "function", function: { name, description, parameters } }
}
