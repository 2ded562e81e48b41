import type { Message, Model, ThinkingLevel, ToolSpec, UserContent } from "@gong/spec"
import type { BodyFormat, RequestOptions } from "../protocol/request/body.ts"
import { effortOf } from "../protocol/request/effort.ts"
import {
  foreignSignature,
  type HistoryBlock,
  type HistoryResult,
  readTurn,
  resultImages,
  resultText,
} from "../protocol/request/history.ts"

export const format: BodyFormat = {
  marksCache: false,
  head({ system }) {
    const instruction = system === "" ? "" : `"systemInstruction":${JSON.stringify({ parts: [{ text: system }] })},`
    return `{${instruction}"contents":[`
  },
  part(group, _variant, { model, withoutThinking }) {
    return contentsOf(group, model, withoutThinking)
      .map((content) => JSON.stringify(content))
      .join(",")
  },
  tail: (options) => `],${JSON.stringify(settingsOf(options)).slice(1)}`,
}

const idRule = { bad: /[^a-zA-Z0-9_-]/g, max: 64 }

/** One group of messages: the model's turn, the results of its calls in one turn, then the user's messages. */
export function contentsOf(group: readonly Message[], model: Model, withoutThinking = false): object[] {
  const { blocks, results, users, own } = readTurn(group, model, idRule, withoutThinking)
  const first = blocks.find((block) => block.type === "call")
  const userContents = [resultImages(results), ...users]
  return [
    { role: "model", parts: blocks.filter(hasContent).map((block) => partOf(block, block === first && !own)) },
    { role: "user", parts: results.map((result) => responseOf(result)) },
    ...userContents.map((content) => ({ role: "user", parts: content.map((block) => contentOf(block, model)) })),
  ].filter(({ parts }) => parts.length > 0)
}

function partOf(block: HistoryBlock, unsigned: boolean): object {
  if (block.type === "text") return { text: block.text }
  if (block.type === "thinking") return reasoningPart(block.text, block.signature)
  const { id, name, arguments: args, signature } = block
  const signed = signature || (unsigned ? foreignSignature : undefined)
  return { functionCall: { id, name, args }, ...(signed === undefined ? {} : { thoughtSignature: signed }) }
}

/** Excludes hidden reasoning of a server without signatures, which has neither text nor signature. */
function hasContent(block: HistoryBlock): boolean {
  return block.type !== "thinking" || block.text !== "" || block.signature !== ""
}

/** As received: reasoning, or a signature of a text part. */
function reasoningPart(text: string, signature: string): object {
  if (text === "") return { text, thoughtSignature: signature }
  return { text, thought: true, ...(signature === "" ? {} : { thoughtSignature: signature }) }
}

function responseOf(result: HistoryResult): object {
  const { id, name, isError } = result
  const text = resultText(result)
  return { functionResponse: { id, name, response: isError ? { error: text } : { output: text } } }
}

function contentOf(block: UserContent, model: Model): object {
  if (block.type === "text") return { text: block.text }
  if (!imageTypes.has(block.mimeType)) return { text: `[image left out: ${model.id} takes no ${block.mimeType}]` }
  return { inlineData: { mimeType: block.mimeType, data: block.data } }
}

/** The API rejects other types, including GIF, and with them every later request. */
const imageTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"])

function settingsOf({ model, tools, thinking }: RequestOptions): object {
  const thinkingConfig = model.reasoning ? { thinkingConfig: thinkingOf(thinking, model) } : {}
  return {
    ...(tools.length > 0 ? { tools: [{ functionDeclarations: tools.map(toolOf) }] } : {}),
    generationConfig: { maxOutputTokens: model.maxOutput, ...thinkingConfig },
    ...model.body,
  }
}

function toolOf({ name, description, parameters }: ToolSpec): object {
  return { name, description, parametersJsonSchema: parameters }
}

function thinkingOf(level: ThinkingLevel, model: Model): object {
  const shown = level === "off" ? {} : { includeThoughts: true }
  if (model.compat?.adaptiveThinking) {
    // A model with thinking levels cannot switch thinking off.
    const nearest = effortOf(level === "off" ? "minimal" : level, model) ?? "low"
    return { ...shown, thinkingLevel: nearest.toUpperCase() }
  }
  if (level === "off") return { thinkingBudget: model.compat?.thinkingOff === "disabled" ? 0 : leastBudget }
  // The limit covers thinking and answer, so the answer needs a share of it.
  const room = Math.floor(model.maxOutput / 2)
  return { ...shown, thinkingBudget: Math.max(leastBudget, Math.min(budgets[level], room)) }
}

/** Tokens; every model with budgets accepts these. */
const leastBudget = 512
const budgets = { minimal: 512, low: 2048, medium: 8192, high: 16_384, xhigh: 24_576 } as const
