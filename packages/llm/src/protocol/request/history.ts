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

/** A reply with what belongs to it, in an order and form that every wire accepts: the model and the user speak in turns. */
export interface Turn {
  /** Empty where the conversation begins with the user, and of a reply that says nothing; a thought never stands alone. */
  readonly blocks: readonly HistoryBlock[]
  /** One for each call, in call order. */
  readonly results: readonly HistoryResult[]
  /** What the user says, message by message, fit for the model; none is empty, and after a reply without results there is one. */
  readonly users: readonly (readonly UserContent[])[]
  /** The reply is this model's, and what it sealed goes back to it. */
  readonly own: boolean
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
  /** Of the model that made it, and only for that one. */
  readonly signature?: string
}

/**
 * Google's word for the first of the calls that its model did not make; without a seal it refuses them
 * (ai.google.dev/gemini-api/docs/thought-signatures).
 */
export const foreignSignature = "skip_thought_signature_validator"

export interface HistoryResult {
  readonly id: string
  /** Of the tool, as in its call. */
  readonly name: string
  /** Fit for the model. */
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
  const mine = reply !== null && isOwn(reply, model)
  const ids = fitIds(
    calls.map((call) => call.id),
    mine ? ruleForOwn(rule) : rule,
  )
  const own = mine && !withoutThinking
  const blocks = reply ? spoken(blocksOf(reply, ids, own, withoutThinking)) : []
  const results = calls.map((call) => resultOf(call, group, ids, model))
  const users = group.filter((message) => message.role === "user").map((user) => contentFor(user.content, model))
  return { blocks, results, users: answered({ blocks, results, users }), own }
}

/** Of a reply that was cut while it thought nothing is sent: providers refuse thoughts alone. */
function spoken(blocks: readonly HistoryBlock[]): readonly HistoryBlock[] {
  return blocks.some((block) => block.type !== "thinking") ? blocks : []
}

/** Between two replies the user has the word, also where nothing was said, as in imported conversations. */
function answered({ blocks, results, users }: Pick<Turn, "blocks" | "results" | "users">): Turn["users"] {
  const said = users.filter((content) => content.length > 0)
  const silent = blocks.length > 0 && results.length === 0 && said.length === 0
  return silent ? [[{ type: "text", text: "[go on]" }]] : said
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
      blocks.push({ type: "call", id, given: block.id, name: nameFor(name), arguments: args, ...signed })
    } else if (!withoutThinking) {
      const thinking = thinkingOf(block, own, reply.stopReason === "error" || reply.stopReason === "aborted")
      if (thinking) blocks.push(thinking)
    }
  }
  return blocks
}

/** A model may call what no API takes as the name of a tool; sent back as it is, that would refuse the session for ever. */
function nameFor(name: string): string {
  const clean = name.replaceAll(/[^\w-]/g, "_") || "unnamed"
  return (/^[a-zA-Z_]/.test(clean) ? clean : `_${clean}`).slice(0, 64)
}

/** A signature is good only where it was made; elsewhere the thought goes along as tagged text (contract C-69). */
function thinkingOf(block: ThinkingContent, own: boolean, unfinished: boolean): HistoryBlock | null {
  if (own && block.signature !== undefined) return { ...block, signature: block.signature }
  if (block.redacted || unfinished || block.text.trim() === "") return null
  return { type: "text", text: `<thinking>\n${block.text}\n</thinking>` }
}

/** A call must have a result, and a failed one must say something: providers refuse a conversation without. A result whose call is gone is left out. */
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

/** Images as a model takes them: one without eyes, or that may see none, is told that there was one. Blank text is left out: providers refuse it. */
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

/** For wires whose tool results are text: the text, and where an image stood, that it follows. */
export function resultText({ content }: HistoryResult): string {
  return content.map((block) => (block.type === "text" ? block.text : "(see the image below)")).join("\n")
}

/** For the same wires: the images of all results as something the user shows; empty when there are none. */
export function resultImages(results: readonly HistoryResult[]): readonly UserContent[] {
  const images = results.flatMap(({ content }) => content.filter((block) => block.type === "image"))
  return images.length === 0 ? [] : [{ type: "text", text: "Images from the tool results above:" }, ...images]
}
