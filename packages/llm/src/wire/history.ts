import type {
  AssistantMessage,
  ImageContent,
  Message,
  Model,
  ThinkingContent,
  ToolCall,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from "@gong/spec"
import { fitIds, type IdRule } from "./ids.ts"

/** A reply with what belongs to it, in an order and form that every wire accepts. */
export interface Turn {
  readonly blocks: readonly HistoryBlock[]
  /** One for each call, in call order. */
  readonly results: readonly HistoryResult[]
  readonly users: readonly UserMessage[]
}

export type HistoryBlock =
  | { readonly type: "text"; readonly text: string }
  /** The model's own, with the signature it gave. */
  | (ThinkingContent & { readonly signature: string })
  | HistoryCall

export interface HistoryCall extends Pick<ToolCall, "name" | "arguments"> {
  readonly type: "call"
  /** Under the rule. */
  readonly id: string
  /** As it came. */
  readonly given: string
}

export interface HistoryResult {
  readonly id: string
  readonly content: readonly UserContent[]
  readonly isError: boolean
}

/**
 * Reads one group of messages (see `body.ts`) for a model: orphans repaired, ids fitted, foreign thinking turned into
 * text. Depends on nothing outside the group, so its bytes can be kept.
 */
export function readTurn(group: readonly Message[], model: Model, rule: IdRule, withoutThinking: boolean): Turn {
  const reply = group[0]?.role === "assistant" ? group[0] : null
  const calls = reply?.content.filter((block) => block.type === "tool_call") ?? []
  const ids = fitIds(
    calls.map((call) => call.id),
    rule,
  )
  return {
    blocks: reply ? blocksOf(reply, model, ids, withoutThinking) : [],
    results: calls.map((call) => resultOf(call, group, ids)),
    users: group.filter((message) => message.role === "user"),
  }
}

function blocksOf(
  reply: AssistantMessage,
  model: Model,
  ids: ReadonlyMap<string, string>,
  withoutThinking: boolean,
): HistoryBlock[] {
  const own = reply.model.provider === model.provider && reply.model.id === model.id && reply.model.api === model.api
  const blocks: HistoryBlock[] = []
  for (const block of reply.content) {
    if (block.type === "text") {
      if (block.text.trim() !== "") blocks.push({ type: "text", text: block.text })
    } else if (block.type === "tool_call") {
      const { name, arguments: args } = block
      const id = ids.get(block.id) ?? block.id
      blocks.push({ type: "call", id, given: block.id, name: nameFor(name), arguments: args })
    } else if (!withoutThinking) {
      const thinking = thinkingOf(block, own, reply.stopReason === "error" || reply.stopReason === "aborted")
      if (thinking) blocks.push(thinking)
    }
  }
  return blocks
}

/** A model may call what no API takes as the name of a tool; sent back as it is, that would refuse the session for ever. */
function nameFor(name: string): string {
  return name.replaceAll(/[^\w-]/g, "_").slice(0, 64) || "unnamed"
}

/** A signature is good only where it was made; elsewhere the thought goes along as tagged text (contract C-69). */
function thinkingOf(block: ThinkingContent, own: boolean, unfinished: boolean): HistoryBlock | null {
  if (own && block.signature !== undefined) return { ...block, signature: block.signature }
  if (block.redacted || unfinished || block.text.trim() === "") return null
  return { type: "text", text: `<thinking>\n${block.text}\n</thinking>` }
}

/** A call must have a result: providers refuse a conversation without. A result whose call is gone is left out. */
function resultOf(call: ToolCall, group: readonly Message[], ids: ReadonlyMap<string, string>): HistoryResult {
  const id = ids.get(call.id) ?? call.id
  const found = group.find((message): message is ToolResultMessage => isResultOf(message, call))
  if (found) return { id, content: found.content, isError: found.isError }
  return { id, content: [{ type: "text", text: "No result provided" }], isError: true }
}

function isResultOf(message: Message, call: ToolCall): boolean {
  return message.role === "tool" && message.toolCallId === call.id
}

/** Images as a model takes them: one without eyes, or that may see none, is told that there was one. Empty text is left out. */
export function contentFor(content: readonly UserContent[], model: Model): readonly UserContent[] {
  const kept: UserContent[] = []
  for (const block of content) {
    if (block.type === "text" ? block.text !== "" : model.images) kept.push(block)
    else if (block.type === "image")
      kept.push({ type: "text", text: `[image left out: no images are sent to ${model.id}]` })
  }
  return kept
}

export function dataUrl(image: ImageContent): string {
  return `data:${image.mimeType};base64,${image.data}`
}
