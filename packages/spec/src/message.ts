import type { Phrase } from "./phrase.ts"
import type { Failure } from "./failure.ts"
import type { Usage } from "./usage.ts"

export interface TextContent {
  readonly type: "text"
  readonly text: string
}

export interface ImageContent {
  readonly type: "image"
  readonly mimeType: string
  /** Base64. */
  readonly data: string
}

/** What a model thought. `signature` goes back to the model that made it, and to no other. */
export interface ThinkingContent {
  readonly type: "thinking"
  readonly text: string
  readonly signature?: string
  /** The provider hid the text; `signature` holds its opaque form. */
  readonly redacted?: boolean
}

export interface ToolCall {
  readonly type: "tool_call"
  /** What stands before a `|` is this call's alone in its conversation; behind it stands what a wire format needs. */
  readonly id: string
  readonly name: string
  /** The parsed arguments; empty when `broken` is set. */
  readonly arguments: Readonly<Record<string, unknown>>
  /** Set when the arguments were not JSON: the text as it came, so that the model can be shown the broken place. */
  readonly broken?: string
  readonly signature?: string
}

export type UserContent = TextContent | ImageContent
export type AssistantContent = TextContent | ThinkingContent | ToolCall

export interface UserMessage {
  readonly role: "user"
  readonly content: readonly UserContent[]
}

/** Which model said it, and over which wire: signatures and ids are only valid there. */
export interface ModelRef {
  readonly provider: string
  readonly id: string
  readonly api: string
}

/** `error` and `aborted` mark a reply that did not finish; what came of it is kept. */
export type StopReason = "stop" | "length" | "tool_calls" | "error" | "aborted"

export interface AssistantMessage {
  readonly role: "assistant"
  readonly content: readonly AssistantContent[]
  readonly model: ModelRef
  readonly stopReason: StopReason
  readonly usage: Usage
  /** US dollars, `null` when no price is known or the provider did not say what was used. */
  readonly cost: number | null
  /** Yuan, where the price list is in yuan; `cost` is then its value in dollars. */
  readonly costCny?: number
  readonly failure?: Failure
  readonly durationMs?: number
  readonly firstTokenMs?: number
}

export type ToolStatus = "ok" | "error" | "refused" | "skipped" | "aborted" | "timeout" | "background"

/** A file that a call changed. */
export interface FileChange {
  /** As seen from the working directory; absolute when the file lies elsewhere. */
  readonly path: string
  readonly change: "created" | "modified" | "deleted"
  readonly added: number
  readonly removed: number
}

export interface ToolResultMessage {
  readonly role: "tool"
  readonly toolCallId: string
  readonly toolName: string
  readonly content: readonly UserContent[]
  /** The content for a reader of another language, where it is one text of Gong's own; never sent to a model. */
  readonly phrase?: Phrase
  /** For people and programs; never sent to a model. */
  readonly details: Readonly<Record<string, unknown>> | null
  readonly isError: boolean
  readonly status: ToolStatus
  readonly files?: readonly FileChange[]
  readonly durationMs?: number
}

export type Message = UserMessage | AssistantMessage | ToolResultMessage
export type MessageRole = Message["role"]

export function userText(text: string, images: readonly ImageContent[] = []): UserMessage {
  return { role: "user", content: [{ type: "text", text }, ...images] }
}

/** All text of a message, blocks joined by newlines; thinking and calls left out. */
export function textOf(message: { readonly content: readonly (UserContent | AssistantContent)[] }): string {
  const parts: string[] = []
  for (const block of message.content) if (block.type === "text" && block.text !== "") parts.push(block.text)
  return parts.join("\n")
}

export function toolCallsOf(message: AssistantMessage): readonly ToolCall[] {
  return message.content.filter((block) => block.type === "tool_call")
}

/** Freezes a value and everything in it; a frozen message keeps its identity through every fold, so caches may key on it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) return value
  // One loop for both makes V8 optimize and deoptimize it without end.
  if (Array.isArray(value)) for (let at = 0; at < value.length; at++) deepFreeze(value[at])
  else for (const key in value) deepFreeze(value[key])
  return Object.freeze(value)
}
