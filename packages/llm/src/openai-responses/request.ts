import type { Message, Model, ToolSpec, UserContent } from "@gong/spec"
import type { BodyFormat, RequestOptions } from "../protocol/request/body.ts"
import { effortOf } from "../protocol/request/effort.ts"
import { dataUrl, type HistoryBlock, type HistoryResult, readTurn } from "../protocol/request/history.ts"
import { fitId } from "../protocol/request/call-ids.ts"
import { split } from "./compound.ts"

export const format: BodyFormat = {
  marksCache: false,
  head({ model, system }) {
    const head = { model: model.wireId ?? model.id, ...(system === "" ? {} : { instructions: system }) }
    return `${JSON.stringify(head).slice(0, -1)},"input":[`
  },
  part(group, _variant, { model, withoutThinking }) {
    return itemsOf(group, model, withoutThinking)
      .map((item) => JSON.stringify(item))
      .join(",")
  },
  tail: (options) => `],${JSON.stringify(settingsOf(options)).slice(1)}`,
}

/** The part of a compound id before the bar is the call id. */
const callIdRule = { bad: /[^a-zA-Z0-9_-]/g, max: 64, until: "|" }
const itemIdRule = { bad: /[^a-zA-Z0-9_-]/g, max: 64 }

/** One group of messages as input items: the model's items in order, the results, then the user's messages. */
export function itemsOf(group: readonly Message[], model: Model, withoutThinking = false): object[] {
  const turn = readTurn(group, model, callIdRule, withoutThinking)
  return [
    ...replyItems(withoutLoneReasoning(turn.blocks)),
    ...turn.results.map((result) => outputOf(result)),
    ...turn.users.map((content) => ({ role: "user", content: content.map(partOf) })),
  ]
}

/** The API rejects reasoning without a following item, as of a cut reply, and reasoning without encrypted content, as from an import. */
function withoutLoneReasoning(blocks: readonly HistoryBlock[]): readonly HistoryBlock[] {
  const end = blocks.findLastIndex((block) => block.type !== "thinking") + 1
  return blocks.slice(0, end).filter((block) => block.type !== "thinking" || split(block.signature)[1] !== "")
}

/** An item id ties a call to its reasoning, so it is sent only with reasoning. */
function replyItems(blocks: readonly HistoryBlock[]): object[] {
  const withItemIds = blocks.some((block) => block.type === "thinking")
  return blocks.map((block) => itemOf(block, withItemIds))
}

function itemOf(block: HistoryBlock, withItemIds: boolean): object {
  // A plain string: the longer form requires a message id, and an invented one is invalid.
  if (block.type === "text") return { role: "assistant", content: block.text }
  if (block.type === "thinking") return reasoningOf(block.text, block.signature)
  const item = split(block.originalId)[1]
  const id = withItemIds && item.startsWith("fc") ? { id: fitId(item, itemIdRule) } : {}
  const called = { call_id: block.id, name: block.name, arguments: JSON.stringify(block.arguments) }
  return { type: "function_call", ...id, ...called }
}

function reasoningOf(text: string, signature: string): object {
  const [id, encrypted] = split(signature)
  const summary = text === "" ? [] : [{ type: "summary_text", text }]
  return { type: "reasoning", id, summary, encrypted_content: encrypted }
}

function outputOf({ id, content }: HistoryResult): object {
  const plain = content.every((block) => block.type === "text")
  const output = plain ? content.map((block) => block.text).join("\n") : content.map(partOf)
  return { type: "function_call_output", call_id: id, output }
}

function partOf(block: UserContent): object {
  if (block.type === "text") return { type: "input_text", text: block.text }
  return { type: "input_image", detail: "auto", image_url: dataUrl(block) }
}

function settingsOf({ model, tools, thinking, sessionId, withoutThinking }: RequestOptions): object {
  const effort = effortOf(thinking, model)
  return {
    ...(tools.length > 0 ? { tools: tools.map(toolOf) } : {}),
    max_output_tokens: model.maxOutput,
    ...(effort ? { reasoning: effort === "none" ? { effort } : { effort, summary: "auto" } } : {}),
    // The server stores nothing, so encrypted reasoning is requested; a model without reasoning rejects that.
    ...(model.reasoning && !withoutThinking ? { include: ["reasoning.encrypted_content"] } : {}),
    ...(sessionId ? { prompt_cache_key: sessionId } : {}),
    store: false,
    stream: true,
    ...model.body,
  }
}

/** Strict is the default here, which would make every argument required. */
function toolOf({ name, description, parameters }: ToolSpec): object {
  return { type: "function", name, description, parameters, strict: false }
}
