import {
  type PartialUpdate,
  type Failure,
  failure,
  isRecord,
  noUsage,
  phrase,
  type Reply,
  type StopReason,
  type Usage,
} from "@gong/spec"
import { readError } from "../openai-completions/failure.ts"
import { type RequestContext, classify, oneLine } from "../protocol/errors/classify.ts"
import { assembleReply, mergedReplies, generatedId, type OpenBlock } from "../protocol/reply/assemble-reply.ts"
import { LiveArguments } from "../protocol/reply/live-arguments.ts"
import { tokenCount } from "../protocol/reply/token-count.ts"
import { usageOf } from "../protocol/reply/usage.ts"
import { join } from "./compound.ts"

/** A streaming reply of openai-responses. */
export interface State {
  readonly context: RequestContext
  readonly draftId: string
  readonly blocks: OpenBlock[]
  /** Our block index by the server's output index; unknown kinds of items are skipped. */
  readonly places: Map<unknown, number>
  /** Output indices of open items. */
  readonly open: Set<unknown>
  /** A model may end with an empty reply after a tool result. */
  readonly mayBeEmpty: boolean
  stop: StopReason | null
  usage: Usage
  failure: Failure | null
  done: boolean
}

type Fields = Readonly<Record<string, unknown>>

export function start(context: RequestContext, draftId: string, afterTool: boolean): State {
  const begun = { stop: null, usage: noUsage, failure: null, done: false }
  return { context, draftId, blocks: [], mayBeEmpty: afterTool, places: new Map(), open: new Set(), ...begun }
}

export function ended(state: State): boolean {
  return state.done || state.failure !== null
}

export function step(state: State, chunk: unknown, partials: PartialUpdate[]): void {
  if (!isRecord(chunk)) return
  const key = chunk["output_index"]
  switch (chunk["type"]) {
    case "response.created":
      if (state.blocks.length > 0) state.failure = mergedReplies(state.context)
      break
    case "response.output_item.added":
      if (state.open.has(key)) state.failure = mergedReplies(state.context)
      else if (isRecord(chunk["item"])) beginItem(state, key, chunk["item"], partials)
      break
    case "response.output_text.delta":
    case "response.refusal.delta":
    case "response.reasoning_summary_text.delta":
    case "response.reasoning_text.delta":
      addText(state, state.places.get(key), textOf(chunk, "delta"), partials)
      break
    case "response.reasoning_summary_part.added":
      beginParagraph(state, state.places.get(key), partials)
      break
    case "response.function_call_arguments.delta":
      addArguments(state, state.places.get(key), textOf(chunk, "delta"), partials)
      break
    case "response.function_call_arguments.done":
      completeArguments(state, state.places.get(key), textOf(chunk, "arguments"), partials)
      break
    case "response.output_item.done":
      if (isRecord(chunk["item"])) endItem(state, key, chunk["item"], partials)
      break
    case "response.completed":
    case "response.incomplete":
    case "response.failed":
      if (isRecord(chunk["response"])) endReply(state, chunk["type"], chunk["response"], partials)
      break
    case "error":
      state.failure = errorOf(state, chunk)
      break
  }
}

export function finish(state: State, broken: Failure | null): Reply {
  return assembleReply(state, broken)
}

/** Converts a non-streamed reply into the final event of a stream. */
export function chunksOf(reply: unknown): readonly unknown[] | null {
  if (!isRecord(reply) || !Array.isArray(reply["output"])) return null
  return [{ type: `response.${textOf(reply, "status") || "completed"}`, response: reply }]
}

function textOf(from: Fields, name: string): string {
  const value = from[name]
  return typeof value === "string" ? value : ""
}

function beginItem(state: State, key: unknown, item: Fields, partials: PartialUpdate[]): void {
  state.open.add(key)
  const index = state.blocks.length
  switch (item["type"]) {
    case "message":
      state.blocks.push({ type: "text", text: "" })
      break
    case "reasoning":
      state.blocks.push({ type: "thinking", text: "" })
      break
    case "function_call": {
      const callId = textOf(item, "call_id")
      const id = callId === "" ? generatedId(state.draftId, index) : join(callId, textOf(item, "id"))
      const name = textOf(item, "name")
      state.blocks.push({ type: "call", id, name, live: new LiveArguments() })
      partials.push({ type: "call", index, id, name })
      addArguments(state, index, textOf(item, "arguments"), partials)
      break
    }
    default:
      return
  }
  state.places.set(key, index)
}

/** Adds content that the item's events did not bring: some servers send no deltas, or only the final event. */
function endItem(state: State, key: unknown, item: Fields, partials: PartialUpdate[]): void {
  if (!state.places.has(key)) beginItem(state, key, item, partials)
  state.open.delete(key)
  const index = state.places.get(key)
  const block = index === undefined ? undefined : state.blocks[index]
  if (!block) return
  if (block.type === "call") return completeArguments(state, index, textOf(item, "arguments"), partials)
  const signed = textOf(item, "encrypted_content")
  // The server stores nothing, so reasoning can be sent back only in its encrypted form.
  if (block.type === "thinking" && signed !== "") block.signature = join(textOf(item, "id"), signed)
  if (block.text === "") addText(state, index, wholeText(item), partials)
}

function wholeText(item: Fields): string {
  const parts = (name: string) => {
    const list: unknown = item[name]
    return Array.isArray(list) ? list.filter(isRecord) : []
  }
  const summary = parts("summary").map((part) => textOf(part, "text"))
  if (summary.length > 0) return summary.join(paragraph)
  return parts("content")
    .map((part) => textOf(part, "text") || textOf(part, "refusal"))
    .join("")
}

/** Separates the parts of a summary. */
const paragraph = "\n\n"

function beginParagraph(state: State, index: number | undefined, partials: PartialUpdate[]): void {
  if (index !== undefined && state.blocks[index]?.type === "thinking" && state.blocks[index].text !== "")
    addText(state, index, paragraph, partials)
}

function addText(state: State, index: number | undefined, delta: string, partials: PartialUpdate[]): void {
  const block = index === undefined ? undefined : state.blocks[index]
  if (delta === "" || index === undefined || !block || block.type === "call") return
  block.text += delta
  partials.push({ type: block.type, index, delta })
}

function addArguments(state: State, index: number | undefined, delta: string, partials: PartialUpdate[]): void {
  const block = index === undefined ? undefined : state.blocks[index]
  if (delta !== "" && index !== undefined && block?.type === "call") partials.push(block.live.add(index, delta))
}

function completeArguments(state: State, index: number | undefined, whole: string, partials: PartialUpdate[]): void {
  const block = index === undefined ? undefined : state.blocks[index]
  if (block?.type !== "call" || !whole.startsWith(block.live.text)) return
  addArguments(state, index, whole.slice(block.live.text.length), partials)
}

function endReply(state: State, type: unknown, response: Fields, partials: PartialUpdate[]): void {
  const output: unknown = response["output"]
  if (state.blocks.length === 0 && Array.isArray(output))
    for (const [key, item] of output.entries()) if (isRecord(item)) endItem(state, key, item, partials)
  if (isRecord(response["usage"])) state.usage = readUsage(response["usage"])
  if (type === "response.failed") state.failure = errorOf(state, response)
  else if (type === "response.completed") state.stop = "stop"
  else readIncomplete(state, response["incomplete_details"])
  state.done = true
}

function readIncomplete(state: State, details: unknown): void {
  const { provider } = state.context.model
  if (isRecord(details) && details["reason"] === "content_filter") {
    state.failure = failure("model-refused", phrase`${provider} stopped the reply: ${"content_filter"}`, { provider })
  } else state.stop = "length"
}

function errorOf(state: State, from: Fields): Failure {
  const refusal = readError(from) ?? {
    message: oneLine(JSON.stringify(from["error"] ?? from), state.context),
    code: "",
  }
  return classify(refusal, state.context)
}

function readUsage(usage: Fields): Usage {
  return usageOf({
    prompt: tokenCount(usage["input_tokens"]) ?? 0,
    output: tokenCount(usage["output_tokens"]) ?? 0,
    cacheRead: detail(usage, "input_tokens_details", "cached_tokens"),
    cacheWrite: detail(usage, "input_tokens_details", "cache_write_tokens"),
    reasoning: detail(usage, "output_tokens_details", "reasoning_tokens"),
    total: tokenCount(usage["total_tokens"]),
    reasoningExcluded: false,
  })
}

function detail(usage: Fields, group: string, name: string): number {
  const details = usage[group]
  return isRecord(details) ? (tokenCount(details[name]) ?? 0) : 0
}
