import {
  type AssistantContent,
  type AssistantMessage,
  type Entry,
  type Ids,
  type ImportedSession,
  type Message,
  type ModelRef,
  noUsage,
  toolCallsOf,
  type Usage,
  type UserContent,
} from "@gong/spec"

/** A message of another agent. */
export interface Step {
  /** Unique in its conversation. */
  readonly key: string
  /** Key of the message before it; null: it begins a branch, as the first message or a summary. */
  readonly parent: string | null
  /** ISO 8601. */
  readonly time: string
  readonly message: Message
}

/** A conversation of another agent. */
export interface Conversation {
  /** Its id at the other agent, which it keeps. */
  readonly id: string
  readonly file: string
  /** Null if the other agent does not tell. */
  readonly cwd: string | null
  readonly title: string | null
  readonly steps: readonly Step[]
  /** What was not taken, by kind, with its number. */
  readonly untaken: Readonly<Record<string, number>>
}

/** Counts what is not taken of one conversation. */
export interface Untaken {
  readonly counts: Readonly<Record<string, number>>
  add(kind: string): void
}

export function untakenCounts(): Untaken {
  const counts: Record<string, number> = {}
  return { counts, add: (kind) => void (counts[kind] = (counts[kind] ?? 0) + 1) }
}

export interface ConversationCounts {
  readonly messages: number
  readonly calls: number
  readonly images: number
  /** Branches beside the first one. */
  readonly branches: number
}

export function countsOf({ steps }: Conversation): ConversationCounts {
  const messages = steps.filter(({ message }) => message.role !== "tool").length
  const calls = steps.map(({ message }) => (message.role === "assistant" ? toolCallsOf(message).length : 0))
  const images = steps.map(({ message }) => message.content.filter(({ type }) => type === "image").length)
  const parents = new Set(steps.map(({ parent }) => parent))
  return { messages, calls: sum(calls), images: sum(images), branches: steps.length - parents.size }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** The conversation as a session of Gong. `otherwise`: its folder if the other agent does not tell. */
export function sessionOf(conversation: Conversation, ids: Ids, otherwise: string): ImportedSession {
  const { id, title, steps } = conversation
  const known = new Map(steps.map(({ key }) => [key, ids.entry()]))
  const entries = steps.map(({ key, parent, time, message }) => {
    const parentId = parent === null ? null : (known.get(parent) ?? null)
    return { id: known.get(key) ?? ids.entry(), parentId, type: "message", timestamp: time, message } as Entry
  })
  const last = entries.at(-1)
  const name = nameOf(title)
  const named =
    last === undefined || name === null
      ? []
      : [{ id: ids.entry(), parentId: last.id, type: "session_info", timestamp: last.timestamp, name } as Entry]
  const cwd = conversation.cwd ?? otherwise
  const created = steps[0]?.time ?? new Date(0).toISOString()
  return { id, cwd, workspace: cwd, created, entries: [...entries, ...named] }
}

/** Characters of a session's name. */
const maxName = 80

function nameOf(title: string | null): string | null {
  const line = title?.replaceAll(/\s+/g, " ").trim() ?? ""
  return line === "" ? null : line.slice(0, maxName)
}

export interface ReplyOptions {
  readonly model: ModelRef
  readonly content: readonly AssistantContent[]
  readonly usage?: Usage
  readonly cost?: number | null
  readonly aborted?: boolean
}

/** A reply of another agent. */
export function replyOf({
  model,
  content,
  usage = noUsage,
  cost = null,
  aborted = false,
}: ReplyOptions): AssistantMessage {
  const calls = content.some(({ type }) => type === "tool_call")
  const stopReason = aborted ? "aborted" : calls ? "tool_calls" : "stop"
  return { role: "assistant", content, model, stopReason, usage, cost }
}

export interface ResultOptions {
  readonly id: string
  readonly name: string
  readonly content: readonly UserContent[]
  readonly isError?: boolean
}

export function resultOf({ id, name, content, isError = false }: ResultOptions): Message {
  const status = isError ? "error" : "ok"
  return { role: "tool", toolCallId: id, toolName: name, content, details: null, isError, status }
}

export function textBlock(text: string): UserContent {
  return { type: "text", text }
}

/** The image of a data URL; null for another URL. */
export function imageOf(url: unknown): UserContent | null {
  const found = typeof url === "string" ? /^data:(image\/[\w.+-]+);base64,(.+)$/s.exec(url) : null
  return found === null ? null : { type: "image", mimeType: found[1] ?? "", data: found[2] ?? "" }
}

/** A time of another agent in ISO 8601; `otherwise` for an invalid one. Numbers are milliseconds. */
export function timeOf(value: unknown, otherwise: string): string {
  const time = typeof value === "string" || typeof value === "number" ? new Date(value) : new Date(Number.NaN)
  return Number.isNaN(time.getTime()) ? otherwise : time.toISOString()
}

export function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0
}

export function stringOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null
}
