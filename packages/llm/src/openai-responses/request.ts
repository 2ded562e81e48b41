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

/** Of a compound id only the part before the bar names the call. */
const callIdRule = { bad: /[^a-zA-Z0-9_-]/g, max: 64, until: "|" }
const itemIdRule = { bad: /[^a-zA-Z0-9_-]/g, max: 64 }

/** One group of messages as input items: what the model said in its order, then results, then what the user says. */
export function itemsOf(group: readonly Message[], model: Model, withoutThinking = false): object[] {
  const turn = readTurn(group, model, callIdRule, withoutThinking)
  return [
    ...replyItems(withoutLoneReasoning(turn.blocks)),
    ...turn.results.map((result) => outputOf(result)),
    ...turn.users.map((content) => ({ role: "user", content: content.map(partOf) })),
  ]
}

/** The API refuses a thought without what came of it, which a cut reply ends with, and one that is not sealed, which an import brings. */
function withoutLoneReasoning(blocks: readonly HistoryBlock[]): readonly HistoryBlock[] {
  const end = blocks.findLastIndex((block) => block.type !== "thinking") + 1
  return blocks.slice(0, end).filter((block) => block.type !== "thinking" || split(block.signature)[1] !== "")
}

/** An item's id ties a call to the thought that it came of, so it goes only where a thought goes too. */
function replyItems(blocks: readonly HistoryBlock[]): object[] {
  const withItemIds = blocks.some((block) => block.type === "thinking")
  return blocks.map((block) => itemOf(block, withItemIds))
}

function itemOf(block: HistoryBlock, withItemIds: boolean): object {
  // Text as a plain string: the longer form wants an id of the message, and a made-up one names nothing.
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
    // Nothing is stored there, so thoughts come back to us sealed; a model that has none refuses to be asked for them.
    ...(model.reasoning && !withoutThinking ? { include: ["reasoning.encrypted_content"] } : {}),
    ...(sessionId ? { prompt_cache_key: sessionId } : {}),
    store: false,
    stream: true,
    ...model.body,
  }
}

/** Strict by default here, which would make every argument a required one. */
function toolOf({ name, description, parameters }: ToolSpec): object {
  return { type: "function", name, description, parameters, strict: false }
}
