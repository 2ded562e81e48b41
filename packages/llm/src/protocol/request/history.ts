import type {
  AssistantMessage,
  ImageContent,
  Message,
  Model,
  ThinkingContent,
  ToolCall,
  ToolResultMessage,
  UserContent,
} from "@gong/spec"
import { fitIds, type IdRule, ruleForOwn } from "./call-ids.ts"

/** A reply with its results and the following user messages, in a form that every wire format accepts: model and user alternate. */
export interface Turn {
  /** Empty if the conversation begins with the user, or for a reply without content; reasoning never stands alone. */
  readonly blocks: readonly HistoryBlock[]
  /** One per call, in call order. */
  readonly results: readonly HistoryResult[]
  /** Following user messages, fit for the model and not empty; at least one after a reply without results. */
  readonly users: readonly (readonly UserContent[])[]
  /** The reply is from this model, so its signatures are sent back. */
  readonly own: boolean
}

export type HistoryBlock =
  | { readonly type: "text"; readonly text: string }
  /** From this model, with its signature. */
  | (ThinkingContent & { readonly signature: string })
  | HistoryCall

export interface HistoryCall extends Pick<ToolCall, "name" | "arguments"> {
  readonly type: "call"
  /** Converted by the id rule. */
  readonly id: string
  /** The original id. */
  readonly originalId: string
  /** Present only if this model made the call. */
  readonly signature?: string
}

/**
 * Google's placeholder signature for the first call made by another model, which is rejected without one
 * (ai.google.dev/gemini-api/docs/thought-signatures).
 */
export const foreignSignature = "skip_thought_signature_validator"

export interface HistoryResult {
  readonly id: string
  /** Name of the tool, as in its call. */
  readonly name: string
  /** Fit for the model. */
  readonly content: readonly UserContent[]
  readonly isError: boolean
}

/**
 * Converts one group of messages (see `body.ts`) for a model: missing results are added, ids converted, reasoning of other models
 * turned into text. Depends on nothing outside the group, so its bytes can be reused.
 */
export function readTurn(group: readonly Message[], model: Model, rule: IdRule, withoutThinking: boolean): Turn {
  const reply = group[0]?.role === "assistant" ? group[0] : null
  const calls = reply?.content.filter((block) => block.type === "tool_call") ?? []
  const mine = reply !== null && isOwn(reply, model)
  const ids = fitIds(
    calls.map((call) => call.id),
    mine ? ruleForOwn(rule) : rule,
  )
  const own = mine && !withoutThinking
  const blocks = reply ? withoutLoneReasoning(blocksOf(reply, ids, own, withoutThinking)) : []
  const results = calls.map((call) => resultOf(call, group, ids, model))
  const users = group.filter((message) => message.role === "user").map((user) => contentFor(user.content, model))
  return { blocks, results, users: withUserMessage({ blocks, results, users }), own }
}

/** Drops a reply that was cut during reasoning: providers reject reasoning without content. */
function withoutLoneReasoning(blocks: readonly HistoryBlock[]): readonly HistoryBlock[] {
  return blocks.some((block) => block.type !== "thinking") ? blocks : []
}

/** Adds a user message between two replies if there is none, as in imported conversations. */
function withUserMessage({ blocks, results, users }: Pick<Turn, "blocks" | "results" | "users">): Turn["users"] {
  const messages = users.filter((content) => content.length > 0)
  const silent = blocks.length > 0 && results.length === 0 && messages.length === 0
  return silent ? [[{ type: "text", text: "[go on]" }]] : messages
}

function isOwn({ model }: AssistantMessage, { provider, id, api }: Model): boolean {
  return model.provider === provider && model.id === id && model.api === api
}

function blocksOf(
  reply: AssistantMessage,
  ids: ReadonlyMap<string, string>,
  own: boolean,
  withoutThinking: boolean,
): HistoryBlock[] {
  const blocks: HistoryBlock[] = []
  for (const block of reply.content) {
    if (block.type === "text") {
      if (block.text.trim() !== "") blocks.push({ type: "text", text: block.text })
    } else if (block.type === "tool_call") {
      const { name, arguments: args, signature } = block
      const id = ids.get(block.id) ?? block.id
      const signed = own && signature !== undefined ? { signature } : {}
      blocks.push({ type: "call", id, originalId: block.id, name: nameFor(name), arguments: args, ...signed })
    } else if (!withoutThinking) {
      const thinking = thinkingOf(block, own, reply.stopReason === "error" || reply.stopReason === "aborted")
      if (thinking) blocks.push(thinking)
    }
  }
  return blocks
}

/** A model may call a tool by an invalid name; sent back unchanged, it would make every later request fail. */
function nameFor(name: string): string {
  const clean = name.replaceAll(/[^\w-]/g, "_") || "unnamed"
  return (/^[a-zA-Z_]/.test(clean) ? clean : `_${clean}`).slice(0, 64)
}

/** A signature is valid only for its model; for others the reasoning is sent as tagged text (contract C-69). */
function thinkingOf(block: ThinkingContent, own: boolean, unfinished: boolean): HistoryBlock | null {
  if (own && block.signature !== undefined) return { ...block, signature: block.signature }
  if (block.redacted || unfinished || block.text.trim() === "") return null
  return { type: "text", text: `<thinking>\n${block.text}\n</thinking>` }
}

/** Every call needs a result, and a failed one needs text, or providers reject the conversation. Results without a call are dropped. */
function resultOf(
  call: ToolCall,
  group: readonly Message[],
  ids: ReadonlyMap<string, string>,
  model: Model,
): HistoryResult {
  const id = ids.get(call.id) ?? call.id
  const name = nameFor(call.name)
  const found = group.find((message): message is ToolResultMessage => isResultOf(message, call))
  if (!found) return { id, name, content: [{ type: "text", text: "No result provided" }], isError: true }
  const content = contentFor(found.content, model)
  const { isError } = found
  return {
    id,
    name,
    content: content.length > 0 || !isError ? content : [{ type: "text", text: "(no output)" }],
    isError,
  }
}

function isResultOf(message: Message, call: ToolCall): boolean {
  return message.role === "tool" && message.toolCallId === call.id
}

/** Content for a model: images are replaced by a note if the model takes none. Blank text is dropped, since providers reject it. */
export function contentFor(content: readonly UserContent[], model: Model): readonly UserContent[] {
  const kept: UserContent[] = []
  for (const block of content) {
    if (block.type === "text" ? block.text.trim() !== "" : model.images) kept.push(block)
    else if (block.type === "image")
      kept.push({ type: "text", text: `[image left out: no images are sent to ${model.id}]` })
  }
  return kept
}

export function dataUrl(image: ImageContent): string {
  return `data:${image.mimeType};base64,${image.data}`
}

/** For wire formats with text-only results: the text, with a note in place of each image. */
export function resultText({ content }: HistoryResult): string {
  return content.map((block) => (block.type === "text" ? block.text : "(see the image below)")).join("\n")
}

/** For the same wire formats: the images of all results as user content; empty for none. */
export function resultImages(results: readonly HistoryResult[]): readonly UserContent[] {
  const images = results.flatMap(({ content }) => content.filter((block) => block.type === "image"))
  return images.length === 0 ? [] : [{ type: "text", text: "Images from the tool results above:" }, ...images]
}
