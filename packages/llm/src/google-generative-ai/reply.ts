import {
  type PartialUpdate,
  type Failure,
  failure,
  isRecord,
  noUsage,
  type Reply,
  type StopReason,
  type Usage,
  phrase,
} from "@gong/spec"
import { type RequestContext, classify, oneLine } from "../protocol/errors/classify.ts"
import { assembleReply, emptyReply, generatedId } from "../protocol/reply/assemble-reply.ts"
import { LiveArguments } from "../protocol/reply/live-arguments.ts"
import { addTagged, endTagged, type TaggedState } from "../protocol/reply/thinking-tags.ts"
import { tokenCount } from "../protocol/reply/token-count.ts"
import { usageOf } from "../protocol/reply/usage.ts"
import { readError } from "./failure.ts"

/** A streaming reply of google-generative-ai. */
export interface State extends TaggedState {
  readonly context: RequestContext
  readonly draftId: string
  stop: StopReason | null
  usage: Usage
  failure: Failure | null
}

type Fields = Readonly<Record<string, unknown>>

export function start(context: RequestContext, draftId: string): State {
  return { context, draftId, blocks: [], tags: null, stop: null, usage: noUsage, failure: null }
}

/** Only the end of the body ends the reply: some servers send a finish reason in every chunk. */
export function ended(state: State): boolean {
  return state.failure !== null
}

export function step(state: State, chunk: unknown, partials: PartialUpdate[]): void {
  if (!isRecord(chunk)) return
  const error = readError(chunk)
  if (error !== null) {
    state.failure = classify(error, state.context)
    return
  }
  if (isRecord(chunk["usageMetadata"])) state.usage = readUsage(chunk["usageMetadata"])
  const [candidate] = recordsIn(chunk["candidates"])
  if (candidate) readCandidate(state, candidate, partials)
  else readBlocked(state, chunk["promptFeedback"])
}

/** This provider sometimes ends a reply with nothing but reasoning; a retry gets an answer. */
export function finish(state: State, broken: Failure | null): Reply {
  endTagged(state, [])
  if (state.failure === null && state.stop === "stop" && state.blocks.every((block) => block.type === "thinking"))
    state.failure = emptyReply(state.context)
  return assembleReply(state, broken)
}

/** A non-streamed reply: one chunk, or a list of chunks without SSE. */
export function chunksOf(reply: unknown): readonly unknown[] | null {
  if (Array.isArray(reply)) return reply
  return isRecord(reply) && ("candidates" in reply || "promptFeedback" in reply) ? [reply] : null
}

function recordsIn(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.filter(isRecord) : []
}

function textOf(from: Fields, name: string): string {
  const value = from[name]
  return typeof value === "string" ? value : ""
}

function readCandidate(state: State, candidate: Fields, partials: PartialUpdate[]): void {
  const content = candidate["content"]
  if (isRecord(content)) for (const part of recordsIn(content["parts"])) readPart(state, part, partials)
  const reason = textOf(candidate, "finishReason")
  if (reason !== "") readStop(state, reason, textOf(candidate, "finishMessage"))
}

function readPart(state: State, part: Fields, partials: PartialUpdate[]): void {
  const signature = textOf(part, "thoughtSignature")
  if (isRecord(part["functionCall"])) return addCall(state, part["functionCall"], signature, partials)
  const text = textOf(part, "text")
  if (part["thought"] === true) return addThought(state, text, signature, partials)
  if (text !== "") addTagged(state, text, partials)
  if (signature !== "") addSignature(state, signature, partials)
}

/** Calls are not streamed. */
function addCall(state: State, call: Fields, signature: string, partials: PartialUpdate[]): void {
  endTagged(state, partials)
  const index = state.blocks.length
  const id = textOf(call, "id") || generatedId(state.draftId, index)
  const name = textOf(call, "name")
  const live = new LiveArguments()
  state.blocks.push({ type: "call", id, name, live, ...(signature === "" ? {} : { signature }) })
  partials.push({ type: "call", index, id, name })
  partials.push(live.add(index, JSON.stringify(call["args"] ?? {})))
}

/** The signature marks the block as reasoning; it is empty if the provider gave none. */
function addThought(state: State, text: string, signature: string, partials: PartialUpdate[]): void {
  if (text === "" && signature === "") return
  endTagged(state, partials)
  const last = state.blocks.at(-1)
  // A signed part is never merged with the next.
  const block = last?.type === "thinking" && last.signature === "" ? last : null
  if (block === null) state.blocks.push({ type: "thinking", text, signature })
  else {
    block.text += text
    block.signature = signature
  }
  if (text !== "") partials.push({ type: "thinking", index: state.blocks.length - 1, delta: text })
}

/** A signature on a text part is kept as an empty reasoning block after that text. */
function addSignature(state: State, signature: string, partials: PartialUpdate[]): void {
  endTagged(state, partials)
  state.blocks.push({ type: "thinking", text: "", signature })
}

function readStop(state: State, reason: string, message: string): void {
  const { context } = state
  const { provider } = context.model
  if (reason === "STOP" || reason === "MAX_TOKENS") {
    state.stop = reason === "STOP" ? "stop" : "length"
  } else if (refusals.has(reason)) {
    state.failure = failure("model-refused", phrase`${provider} stopped the reply: ${reason}`, { provider })
  } else if (reason === "MISSING_THOUGHT_SIGNATURE") {
    state.failure = classify({ status: 400, message: message, code: reason }, context)
  } else {
    const text = [`${provider} could not end the reply: ${reason}`, message].filter((part) => part !== "").join(", ")
    state.failure = failure("bad-reply", oneLine(text, context), { provider })
  }
}

/** Reasons that a retry would meet again. */
const refusals: ReadonlySet<string> = new Set([
  "SAFETY",
  "RECITATION",
  "LANGUAGE",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "MODEL_ARMOR",
  "IMAGE_SAFETY",
  "IMAGE_PROHIBITED_CONTENT",
  "IMAGE_RECITATION",
])

/** A refused prompt has no candidates, only a reason. */
function readBlocked(state: State, feedback: unknown): void {
  const reason = isRecord(feedback) ? textOf(feedback, "blockReason") : ""
  if (reason === "") return
  const { provider } = state.context.model
  state.failure = failure("model-refused", phrase`${provider} refused the prompt: ${reason}`, { provider })
}

/** Cached tokens are part of the prompt; reasoning is not part of the output. */
function readUsage(usage: Fields): Usage {
  const count = (...names: readonly string[]) =>
    names.map((name) => tokenCount(usage[name])).find((number) => number !== null) ?? 0
  return usageOf({
    prompt: count("promptTokenCount", "inputTokenCount") + count("toolUsePromptTokenCount"),
    output: count("candidatesTokenCount", "outputTokenCount"),
    cacheRead: count("cachedContentTokenCount"),
    cacheWrite: 0,
    reasoning: count("thoughtsTokenCount"),
    total: tokenCount(usage["totalTokenCount"]),
    reasoningExcluded: true,
  })
}
