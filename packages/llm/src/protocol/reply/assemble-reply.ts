import {
  type AssistantContent,
  type AssistantMessage,
  costInYuan,
  costOf,
  failure,
  type Failure,
  type Reply,
  type StopReason,
  type ToolCall,
  totalTokens,
  type Usage,
  phrase,
} from "@gong/spec"
import type { RequestContext } from "../errors/classify.ts"
import type { LiveArguments } from "./live-arguments.ts"
import { finalArguments, isComplete } from "./partial-json.ts"

/** A block of a streaming reply. */
export type OpenBlock =
  | { readonly type: "text"; text: string }
  | { readonly type: "thinking"; text: string; signature?: string; redacted?: boolean }
  | OpenCall

export interface OpenCall {
  readonly type: "call"
  id: string
  name: string
  readonly live: LiveArguments
  signature?: string | undefined
}

/** Everything known at the end of a stream. */
export interface StreamResult {
  readonly context: RequestContext
  readonly draftId: string
  readonly blocks: readonly OpenBlock[]
  /** Whether an empty reply is valid if the provider ended it. */
  readonly mayBeEmpty?: boolean
  /** Null if the provider did not end the reply. */
  readonly stop: StopReason | null
  readonly usage: Usage
  /** The provider's error in the stream. */
  readonly failure: Failure | null
}

/** Builds the reply from the stream. Calls that were cut, by the end of the stream or by the output limit, are dropped. */
export function assembleReply(closing: StreamResult, broken: Failure | null): Reply {
  const { stop } = closing
  const bad = closing.failure ?? (stop === null ? (broken ?? cutOff(closing)) : null)
  const content = contentOf(closing, bad === null && stop !== "length")
  const why =
    bad ?? (stop !== "length" && !closing.mayBeEmpty && content.every(isBlank) ? emptyReply(closing.context) : null)
  if (why === null) return { ok: true, message: messageOf(closing, content, stopOf(stop, content)) }
  // A call that was cut is dropped, but still costs.
  const nothing = closing.blocks.length === 0 && totalTokens(closing.usage) === 0
  const stopReason = why.kind === "aborted" ? "aborted" : "error"
  const partial = nothing ? null : { ...messageOf(closing, content, stopReason), failure: why }
  return { ok: false, failure: why, partial }
}

function messageOf(
  { context, usage }: StreamResult,
  content: readonly AssistantContent[],
  stopReason: StopReason,
): AssistantMessage {
  const { provider, id, api, price } = context.model
  const yuan = costInYuan(usage, price)
  return {
    role: "assistant",
    content,
    model: { provider, id, api },
    stopReason,
    usage,
    cost: costOf(usage, price),
    ...(yuan === undefined ? {} : { costCny: yuan }),
  }
}

function cutOff({ context, blocks }: StreamResult): Failure {
  const { provider } = context.model
  if (blocks.length === 0) return emptyReply(context)
  return failure("network", phrase`the reply of ${provider} ended before it was complete`, { provider })
}

/** The provider ended a reply without content. */
export function emptyReply({ model: { provider } }: RequestContext): Failure {
  return failure("bad-reply", phrase`${provider} sent an empty reply`, { provider })
}

/** A gateway that merges two streams sends both under the same indices, so neither reply can be recovered. */
export function mergedReplies({ model: { provider } }: RequestContext): Failure {
  return failure("bad-reply", `${provider} sent two replies in one stream`, { provider })
}

function isBlank(block: AssistantContent): boolean {
  return block.type === "text" && block.text.trim() === ""
}

/** Some servers say `stop` with calls, or `tool_calls` without any. */
function stopOf(stop: StopReason | null, content: readonly AssistantContent[]): StopReason {
  if (stop !== "stop" && stop !== "tool_calls") return stop ?? "stop"
  return content.some((block) => block.type === "tool_call") ? "tool_calls" : "stop"
}

function contentOf({ blocks, draftId }: StreamResult, whole: boolean): AssistantContent[] {
  const content: AssistantContent[] = []
  const ids = new Set<string>()
  for (const [index, block] of blocks.entries()) {
    if (block.type === "text") {
      if (block.text !== "") content.push({ type: "text", text: block.text })
    } else if (block.type === "thinking") {
      if (block.text !== "" || block.signature !== undefined) content.push({ ...block })
    } else if (whole || isComplete(block.live.text)) {
      const id = block.id === "" || ids.has(block.id) ? generatedId(draftId, index) : block.id
      ids.add(id)
      content.push(callOf(block, id))
    }
  }
  return content
}

/** For calls without ids, or with duplicate ids. */
export function generatedId(draftId: string, index: number): string {
  return `call_${draftId}_${index}`
}

function callOf(block: OpenCall, id: string): ToolCall {
  const { text } = block.live
  const name = block.name || "unknown"
  const read = finalArguments(text)
  const signed = block.signature === undefined ? {} : { signature: block.signature }
  if (read.ok) return { type: "tool_call", id, name, arguments: read.value, ...signed }
  return { type: "tool_call", id, name, arguments: {}, broken: text, ...signed }
}
