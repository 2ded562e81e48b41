import {
  type PartialUpdate,
  type Failure,
  isRecord,
  noUsage,
  type Reply,
  type StopReason,
  type Usage,
} from "@gong/spec"
import { type RequestContext, classify, oneLine } from "../protocol/errors/classify.ts"
import { assembleReply } from "../protocol/reply/assemble-reply.ts"
import { addTagged, endTagged, type TaggedState } from "../protocol/reply/thinking-tags.ts"
import { tokenCount } from "../protocol/reply/token-count.ts"
import { usageOf } from "../protocol/reply/usage.ts"
import { addCall, withIndices, type PendingCall } from "./calls.ts"
import { addReasoningDetails, setSignatures, type ReasoningState } from "./reasoning-details.ts"
import { readError } from "./failure.ts"
import { partsOf, thinkingInContent } from "./content.ts"
import { readFinish, silentOverflow } from "./stop.ts"

/** A streaming reply of openai-completions. */
export interface State extends TaggedState, ReasoningState {
  readonly context: RequestContext
  readonly draftId: string
  readonly calls: PendingCall[]
  /** Many models end with an empty reply after a tool result. */
  readonly mayBeEmpty: boolean
  stop: StopReason | null
  /** An empty finish reason was received. */
  unsaid: boolean
  usage: Usage
  failure: Failure | null
  done: boolean
}

export function start(context: RequestContext, draftId: string, afterTool: boolean): State {
  return {
    context,
    draftId,
    blocks: [],
    details: [],
    tags: null,
    calls: [],
    mayBeEmpty: afterTool,
    stop: null,
    unsaid: false,
    usage: noUsage,
    failure: null,
    done: false,
  }
}

export function ended(state: State): boolean {
  return state.done || state.failure !== null
}

export function step(state: State, chunk: unknown, partials: PartialUpdate[]): void {
  if (chunk === "[DONE]") state.done = true
  if (!isRecord(chunk)) return
  if (chunk["error"] || !Array.isArray(chunk["choices"])) state.failure = errorOf(state, chunk)
  if (isRecord(chunk["usage"])) state.usage = readUsage(chunk["usage"], state.context)
  const choice = Array.isArray(chunk["choices"]) ? chunk["choices"][0] : undefined
  if (!isRecord(choice)) return
  if (isRecord(choice["usage"])) state.usage = readUsage(choice["usage"], state.context)
  if (isRecord(choice["delta"])) readDelta(state, choice["delta"], partials)
  const reason = choice["finish_reason"]
  // Some servers send an empty finish reason with every delta; without another one it still ends the reply.
  if (reason === "") state.unsaid = true
  if (typeof reason !== "string" || reason === "") return
  endTagged(state, partials)
  readFinish(state, reason)
}

export function finish(state: State, broken: Failure | null): Reply {
  endTagged(state, [])
  setSignatures(state)
  // A stream that ends with [DONE] alone is complete too.
  const stop = state.stop ?? ((state.done || state.unsaid) && state.blocks.length > 0 ? "stop" : null)
  return assembleReply({ ...state, stop, failure: state.failure ?? silentOverflow(state) }, broken)
}

/** Converts a non-streamed reply into one stream chunk. */
export function chunksOf(reply: unknown): readonly unknown[] | null {
  if (!isRecord(reply) || !Array.isArray(reply["choices"])) return null
  const choice: unknown = reply["choices"][0]
  if (!isRecord(choice) || !isRecord(choice["message"])) return null
  return [{ ...reply, choices: [{ ...choice, delta: withIndices(choice["message"]) }] }, "[DONE]"]
}

/** Three names of one field; reasoning is sent back under its original name. */
const thinkingFields = ["reasoning_content", "reasoning", "reasoning_text"] as const

export function isThinkingField(name: string): boolean {
  return (thinkingFields as readonly string[]).includes(name)
}

function readDelta(state: State, delta: Readonly<Record<string, unknown>>, partials: PartialUpdate[]): void {
  const details = delta["reasoning_details"]
  if (Array.isArray(details)) endTagged(state, partials)
  const hasDetails = Array.isArray(details) && addReasoningDetails(state, details, partials)
  for (const field of hasDetails ? [] : thinkingFields) {
    const thought = delta[field]
    if (typeof thought !== "string" || thought === "") continue
    addThinking(state, thought, field, partials)
    // Some servers send the same reasoning under two names.
    break
  }
  for (const { type, text } of partsOf(delta["content"]))
    if (type === "text") addTagged(state, text, partials)
    else addThinking(state, text, thinkingInContent, partials)
  if (typeof delta["refusal"] === "string" && delta["refusal"] !== "") addTagged(state, delta["refusal"], partials)
  const calls = delta["tool_calls"]
  if (!Array.isArray(calls) || calls.length === 0) return
  endTagged(state, partials)
  for (const [at, call] of calls.entries()) if (isRecord(call)) addCall(state, call, at, partials)
}

function addThinking(state: State, delta: string, field: string, partials: PartialUpdate[]): void {
  endTagged(state, partials)
  let block = state.blocks.at(-1)
  if (block?.type !== "thinking" || block.signature === undefined)
    state.blocks.push((block = { type: "thinking", text: "", signature: field }))
  block.text += delta
  partials.push({ type: "thinking", index: state.blocks.length - 1, delta })
}

function errorOf(state: State, chunk: Readonly<Record<string, unknown>>): Failure | null {
  const refusal = readError(chunk)
  if (refusal !== null) return classify(refusal, state.context)
  // A chunk without choices is not always an error: it may carry usage or a ping.
  if (!chunk["error"]) return state.failure
  return classify({ message: oneLine(JSON.stringify(chunk), state.context), code: "" }, state.context)
}

function readUsage(usage: Readonly<Record<string, unknown>>, { model }: RequestContext): Usage {
  return usageOf({
    prompt: countOf(usage, "prompt_tokens"),
    output: countOf(usage, "completion_tokens"),
    // Moonshot and DeepSeek report cached tokens outside the details.
    cacheRead: Math.max(
      detail(usage, "prompt_tokens_details", "cached_tokens"),
      countOf(usage, "cached_tokens"),
      countOf(usage, "prompt_cache_hit_tokens"),
    ),
    cacheWrite: detail(usage, "prompt_tokens_details", "cache_write_tokens"),
    reasoning: detail(usage, "completion_tokens_details", "reasoning_tokens"),
    total: tokenCount(usage["total_tokens"]),
    reasoningExcluded: model.compat?.addReasoningTokens ?? false,
  })
}

function detail(usage: Readonly<Record<string, unknown>>, group: string, name: string): number {
  const details = usage[group]
  return isRecord(details) ? countOf(details, name) : 0
}

function countOf(from: Readonly<Record<string, unknown>>, name: string): number {
  return tokenCount(from[name]) ?? 0
}
