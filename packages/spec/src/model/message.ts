import type { Phrase } from "../text/phrase.ts"
import type { Failure } from "../text/failure.ts"
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

/** A block of the model's reasoning. `signature` is returned only to the model that created it. */
export interface ThinkingContent {
  readonly type: "thinking"
  readonly text: string
  readonly signature?: string
  /** The provider hid the text; `signature` holds its opaque form. */
  readonly redacted?: boolean
}

export interface ToolCall {
  readonly type: "tool_call"
  /** The part before a `|` is unique in its conversation; the part after it belongs to the wire format. */
  readonly id: string
  readonly name: string
  /** Parsed arguments; empty if `broken` is set. */
  readonly arguments: Readonly<Record<string, unknown>>
  /** Set if the arguments were invalid JSON: the raw text, so that the model can be shown the error. */
  readonly broken?: string
  /** The model wrote the call as text (`compat.calls`). */
  readonly written?: true
  readonly signature?: string
}

export type UserContent = TextContent | ImageContent
export type AssistantContent = TextContent | ThinkingContent | ToolCall

export interface UserMessage {
  readonly role: "user"
  readonly content: readonly UserContent[]
}

/** The model and wire format of a message; signatures and ids are valid only there. */
export interface ModelRef {
  readonly provider: string
  readonly id: string
  readonly api: string
}

/** `error` and `aborted` mark an unfinished reply; its content so far is kept. */
export type StopReason = "stop" | "length" | "tool_calls" | "error" | "aborted"

export interface AssistantMessage {
  readonly role: "assistant"
  readonly content: readonly AssistantContent[]
  readonly model: ModelRef
  readonly stopReason: StopReason
  readonly usage: Usage
  /** US dollars; `null` without a known price or usage. */
  readonly cost: number | null
  /** Yuan, if the price list is in yuan; `cost` is then the converted value. */
  readonly costCny?: number
  readonly failure?: Failure
  readonly durationMs?: number
  readonly firstTokenMs?: number
}

export type ToolStatus = "ok" | "error" | "refused" | "skipped" | "aborted" | "timeout" | "background"

/** A file that a call changed. */
export interface FileChange {
  /** Relative to the working directory; absolute for a file outside it. */
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
  /** The content as a phrase, if it is one text of Gong's own; for translation, never sent to a model. */
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

/** All text blocks of a message, joined by newlines; without reasoning and calls. */
export function textOf(message: { readonly content: readonly (UserContent | AssistantContent)[] }): string {
  const parts: string[] = []
  for (const block of message.content) if (block.type === "text" && block.text !== "") parts.push(block.text)
  return parts.join("\n")
}

export function toolCallsOf(message: AssistantMessage): readonly ToolCall[] {
  return message.content.filter((block) => block.type === "tool_call")
}

/** Freezes a value recursively. A frozen message keeps its identity in every fold, so it can be a cache key. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) return value
  // With one loop for both, V8 optimizes and deoptimizes it again and again.
  if (Array.isArray(value)) for (let at = 0; at < value.length; at++) deepFreeze(value[at])
  else for (const key in value) deepFreeze(value[key])
  return Object.freeze(value)
}
