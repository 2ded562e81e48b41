import type { Message, Model, ThinkingLevel, ToolSpec, UserContent } from "@gong/spec"
import type { BodyFormat, RequestOptions, Variant } from "../protocol/request/body.ts"
import { type HistoryBlock, type HistoryResult, readTurn } from "../protocol/request/history.ts"

export const format: BodyFormat = {
  marksCache: true,
  head({ model, system, tools }) {
    const head = {
      model: model.wireId ?? model.id,
      ...(system === "" ? {} : { system: [{ type: "text", text: system, cache_control: cacheMark }] }),
      ...(tools.length > 0 ? { tools: toolsOf(tools) } : {}),
    }
    return `${JSON.stringify(head).slice(0, -1)},"messages":[`
  },
  part(group, variant, { model, withoutThinking }) {
    return messagesOf(group, model, variant, withoutThinking)
      .map((message) => JSON.stringify(message))
      .join(",")
  },
  tail: (options) => `],${JSON.stringify(settingsOf(options)).slice(1)}`,
  fit(messages, options) {
    const { model, thinking, withoutThinking } = options
    if (thinking === "off" || !model.reasoning || model.compat?.adaptiveThinking) return options
    return continuesWithoutThinking(messages, model, withoutThinking) ? { ...options, thinking: "off" } : options
  },
}

/** With thinking on, a tool-using turn must begin with a thinking block; a turn begun by another model continues without thinking. */
function continuesWithoutThinking(messages: readonly Message[], model: Model, withoutThinking: boolean): boolean {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]
    if (message?.role !== "assistant") continue
    const blocks = acceptedBlocks(readTurn([message], model, idRule, withoutThinking).blocks)
    if (blocks.length > 0) return blocks[0]?.type !== "thinking" && blocks.some(({ type }) => type === "call")
  }
  return false
}

/** The provider caches everything before this mark. */
const cacheMark = { type: "ephemeral" } as const

const idRule = { bad: /[^a-zA-Z0-9_-]/g, max: 64 }

function toolsOf(tools: readonly ToolSpec[]): object[] {
  return tools.map(({ name, description, parameters }, index) => {
    const mark = index === tools.length - 1 ? { cache_control: cacheMark } : {}
    return { name, description, input_schema: parameters, ...mark }
  })
}

/** One group of messages: at most one assistant turn, then one user turn that begins with all tool results. */
export function messagesOf(
  group: readonly Message[],
  model: Model,
  variant: Variant = "plain",
  withoutThinking = false,
): object[] {
  const turn = readTurn(group, model, idRule, withoutThinking)
  const messages: object[] = []
  const blocks = acceptedBlocks(turn.blocks)
  if (blocks.length > 0) messages.push({ role: "assistant", content: blocks.map(blockOf) })
  const userContent = turn.users.flatMap((content) => content.map(contentOf))
  const content = [...turn.results.map(resultOf), ...userContent]
  const last = content.at(-1)
  if (!last) return messages
  if (variant === "cached") content[content.length - 1] = { ...last, cache_control: cacheMark }
  return [...messages, { role: "user", content }]
}

/** The API rejects trailing reasoning, as of a cut reply, and reasoning without a signature, as from other servers of this format. */
function acceptedBlocks(blocks: readonly HistoryBlock[]): readonly HistoryBlock[] {
  const end = blocks.findLastIndex((block) => block.type !== "thinking") + 1
  return blocks.slice(0, end).filter((block) => block.type !== "thinking" || block.signature !== "")
}

function blockOf(block: HistoryBlock): object {
  if (block.type === "text") return { type: "text", text: block.text }
  if (block.type === "call") return { type: "tool_use", id: block.id, name: block.name, input: block.arguments }
  if (block.redacted) return { type: "redacted_thinking", data: block.signature }
  return { type: "thinking", thinking: block.text, signature: block.signature }
}

function resultOf({ id, content, isError }: HistoryResult): object {
  const body = content.length > 0 ? { content: content.map(contentOf) } : {}
  return { type: "tool_result", tool_use_id: id, ...body, ...(isError ? { is_error: true } : {}) }
}

function contentOf(block: UserContent): object {
  if (block.type === "text") return { type: "text", text: block.text }
  return { type: "image", source: { type: "base64", media_type: block.mimeType, data: block.data } }
}

function settingsOf({ model, thinking, withoutThinking }: RequestOptions): object {
  const level = withoutThinking ? "off" : thinking
  return {
    max_tokens: model.maxOutput,
    ...(model.reasoning ? thinkingOf(level, model) : {}),
    stream: true,
    ...model.body,
  }
}

function thinkingOf(level: ThinkingLevel, { compat, maxOutput }: Model): object {
  if (level === "off") {
    if (compat?.thinkingOff && compat.efforts?.includes("off") !== false)
      return { thinking: { type: compat.thinkingOff } }
    return compat?.adaptiveThinking ? effort("low") : {}
  }
  if (compat?.adaptiveThinking)
    return { thinking: { type: "adaptive", display: "summarized" }, ...effort(efforts[level]) }
  // The limit covers thinking and answer, so the answer needs a share of it.
  const budget = Math.min(budgets[level], Math.floor(maxOutput / 2))
  return budget >= 1024 ? { thinking: { type: "enabled", budget_tokens: budget } } : {}
}

function effort(level: string): object {
  return { output_config: { effort: level } }
}

/** Tokens; the API requires at least 1024. */
const budgets = { minimal: 1024, low: 4096, medium: 10_240, high: 20_480, xhigh: 32_768 } as const
const efforts = { minimal: "low", low: "low", medium: "medium", high: "high", xhigh: "xhigh" } as const
