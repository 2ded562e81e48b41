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
import { type RequestContext, classify } from "../protocol/errors/classify.ts"
import { assembleReply, mergedReplies, generatedId, type OpenBlock } from "../protocol/reply/assemble-reply.ts"
import { LiveArguments } from "../protocol/reply/live-arguments.ts"
import { tokenCount } from "../protocol/reply/token-count.ts"
import { readError } from "./failure.ts"

/** A streaming reply of anthropic-messages. */
export interface State {
  readonly context: RequestContext
  readonly draftId: string
  readonly blocks: OpenBlock[]
  /** After a tool result these models may end with an empty reply, and would do so again on a retry. */
  readonly mayBeEmpty: boolean
  /** Our block index by the server's; unknown kinds of blocks are skipped. */
  readonly places: Map<unknown, number>
  /** Server indices of open blocks. */
  readonly open: Set<unknown>
  stop: StopReason | null
  usage: Usage
  failure: Failure | null
  done: boolean
}

export function start(context: RequestContext, draftId: string, afterTool: boolean): State {
  const begun = { stop: null, usage: noUsage, failure: null, done: false }
  return { context, draftId, blocks: [], mayBeEmpty: afterTool, places: new Map(), open: new Set(), ...begun }
}

export function ended(state: State): boolean {
  return state.done || state.failure !== null
}

export function step(state: State, chunk: unknown, partials: PartialUpdate[]): void {
  if (!isRecord(chunk)) return
  switch (chunk["type"]) {
    case "message_start":
      if (state.blocks.length > 0) state.failure = mergedReplies(state.context)
      else if (isRecord(chunk["message"])) addUsage(state, chunk["message"]["usage"])
      break
    case "content_block_start":
      if (state.open.has(chunk["index"])) state.failure = mergedReplies(state.context)
      else if (isRecord(chunk["content_block"])) beginBlock(state, chunk["index"], chunk["content_block"], partials)
      break
    case "content_block_stop":
      state.open.delete(chunk["index"])
      break
    case "content_block_delta":
      if (isRecord(chunk["delta"])) addDelta(state, chunk["index"], chunk["delta"], partials)
      break
    case "message_delta":
      addUsage(state, chunk["usage"])
      if (isRecord(chunk["delta"])) readStop(state, chunk["delta"])
      break
    case "message_stop":
      state.done = true
      break
    case "error":
      state.failure = classify(readError(chunk) ?? { message: "", code: "" }, state.context)
      break
    default: {
      // Some servers give the event type only in the SSE field, not in the data.
      const refusal = readError(chunk)
      if (refusal !== null) state.failure = classify(refusal, state.context)
    }
  }
}

export function finish(state: State, broken: Failure | null): Reply {
  return assembleReply(state, broken)
}

/** Converts a non-streamed reply into stream events. */
export function chunksOf(reply: unknown): readonly unknown[] | null {
  if (!isRecord(reply) || !Array.isArray(reply["content"])) return null
  const blocks = reply["content"]
    .filter(isRecord)
    .flatMap((block, index) => [
      { type: "content_block_start", index, content_block: { ...block, input: {} } },
      ...(isRecord(block["input"]) ? [{ type: "content_block_delta", index, delta: inputDelta(block["input"]) }] : []),
    ])
  const { usage } = reply
  const stop = { type: "message_delta", delta: { stop_reason: reply["stop_reason"] }, usage }
  return [{ type: "message_start", message: { usage } }, ...blocks, stop, { type: "message_stop" }]
}

function inputDelta(input: Readonly<Record<string, unknown>>): object {
  return { type: "input_json_delta", partial_json: JSON.stringify(input) }
}

function beginBlock(
  state: State,
  key: unknown,
  block: Readonly<Record<string, unknown>>,
  partials: PartialUpdate[],
): void {
  state.open.add(key)
  const index = state.blocks.length
  const text = (name: string) => (typeof block[name] === "string" ? block[name] : "")
  switch (block["type"]) {
    case "text":
      state.blocks.push({ type: "text", text: "" })
      addText(state, index, text("text"), partials)
      break
    case "thinking":
      state.blocks.push({ type: "thinking", text: "" })
      addText(state, index, text("thinking"), partials)
      addSignature(state, index, text("signature"))
      break
    case "redacted_thinking":
      state.blocks.push({ type: "thinking", text: "", signature: text("data"), redacted: true })
      break
    case "tool_use": {
      const id = text("id") || generatedId(state.draftId, index)
      const name = text("name")
      state.blocks.push({ type: "call", id, name, live: new LiveArguments() })
      partials.push({ type: "call", index, id, name })
      addInput(state, index, block["input"], partials)
      break
    }
    default:
      return
  }
  state.places.set(key, index)
}

function addDelta(
  state: State,
  key: unknown,
  delta: Readonly<Record<string, unknown>>,
  partials: PartialUpdate[],
): void {
  const index = state.places.get(key)
  if (index === undefined) return
  const text = (name: string) => (typeof delta[name] === "string" ? delta[name] : "")
  switch (delta["type"]) {
    case "text_delta":
      return addText(state, index, text("text"), partials)
    case "thinking_delta":
      return addText(state, index, text("thinking"), partials)
    case "signature_delta":
      return addSignature(state, index, text("signature"))
    case "input_json_delta":
      return addArguments(state, index, text("partial_json"), partials)
  }
}

function addText(state: State, index: number, delta: string, partials: PartialUpdate[]): void {
  const block = state.blocks[index]
  if (delta === "" || !block || block.type === "call") return
  block.text += delta
  partials.push({ type: block.type, index, delta })
}

function addSignature(state: State, index: number, signature: string): void {
  const block = state.blocks[index]
  if (block?.type === "thinking" && signature !== "") block.signature = (block.signature ?? "") + signature
}

function addArguments(state: State, index: number, delta: string, partials: PartialUpdate[]): void {
  const block = state.blocks[index]
  if (delta !== "" && block?.type === "call") partials.push(block.live.add(index, delta))
}

/** Compatible servers send the whole input at the start of the block. */
function addInput(state: State, index: number, input: unknown, partials: PartialUpdate[]): void {
  if (isRecord(input) && Object.keys(input).length > 0) addArguments(state, index, JSON.stringify(input), partials)
}

function readStop(state: State, delta: Readonly<Record<string, unknown>>): void {
  const reason = delta["stop_reason"]
  if (typeof reason !== "string") return
  if (reason === "refusal") {
    const { provider } = state.context.model
    state.failure = failure("model-refused", phrase`${provider} stopped the reply: ${phrase`the model refused`}`, {
      provider,
    })
  } else if (reason === "tool_use") state.stop = "tool_calls"
  else state.stop = reason === "max_tokens" || reason === "model_context_window_exceeded" ? "length" : "stop"
}

/** Counts are cumulative: a later count replaces an earlier one, a missing one does not. */
function addUsage(state: State, usage: unknown): void {
  if (!isRecord(usage)) return
  const old = state.usage
  const count = (name: string, otherwise: number) => tokenCount(usage[name]) ?? otherwise
  const details = usage["output_tokens_details"]
  const thought = isRecord(details) ? details["thinking_tokens"] : undefined
  state.usage = {
    input: count("input_tokens", old.input),
    output: count("output_tokens", old.output),
    cacheRead: count("cache_read_input_tokens", old.cacheRead),
    cacheWrite: count("cache_creation_input_tokens", old.cacheWrite),
    reasoning: tokenCount(thought) ?? old.reasoning,
  }
}
