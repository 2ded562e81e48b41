import { type Draft, type Failure, isRecord, noUsage, type Reply, type StopReason, type Usage } from "@gong/spec"
import { type Asked, classify, oneLine } from "../wire/classify.ts"
import { closeReply } from "../wire/close-reply.ts"
import { addTagged, endTagged, type TaggedState } from "../wire/thinking-tags.ts"
import { tokenCount } from "../wire/token-count.ts"
import { usageOf } from "../wire/usage.ts"
import { addCall, numbered, type PendingCall } from "./calls.ts"
import { addDetails, sealDetails, type Thoughts } from "./details.ts"
import { readError } from "./failure.ts"
import { partsOf, thinkingInContent } from "./content.ts"
import { readFinish, silentOverflow } from "./stop.ts"

/** A reply of openai-completions while it streams. */
export interface State extends TaggedState, Thoughts {
  readonly asked: Asked
  readonly draftId: string
  readonly calls: PendingCall[]
  /** Many models that are done end so behind a tool. */
  readonly mayBeEmpty: boolean
  stop: StopReason | null
  /** A stop without a reason was said. */
  unsaid: boolean
  usage: Usage
  failure: Failure | null
  done: boolean
}

export function start(asked: Asked, draftId: string, afterTool: boolean): State {
  return {
    asked,
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

export function step(state: State, chunk: unknown, drafts: Draft[]): void {
  if (chunk === "[DONE]") state.done = true
  if (!isRecord(chunk)) return
  if (chunk["error"] || !Array.isArray(chunk["choices"])) state.failure = errorOf(state, chunk)
  if (isRecord(chunk["usage"])) state.usage = readUsage(chunk["usage"], state.asked)
  const choice = Array.isArray(chunk["choices"]) ? chunk["choices"][0] : undefined
  if (!isRecord(choice)) return
  if (isRecord(choice["usage"])) state.usage = readUsage(choice["usage"], state.asked)
  if (isRecord(choice["delta"])) readDelta(state, choice["delta"], drafts)
  const reason = choice["finish_reason"]
  // Some servers say so with every piece; without another word it is the end all the same.
  if (reason === "") state.unsaid = true
  if (typeof reason !== "string" || reason === "") return
  endTagged(state, drafts)
  readFinish(state, reason)
}

export function finish(state: State, broken: Failure | null): Reply {
  endTagged(state, [])
  sealDetails(state)
  // A stream that ends with [DONE] alone is over too.
  const stop = state.stop ?? ((state.done || state.unsaid) && state.blocks.length > 0 ? "stop" : null)
  return closeReply({ ...state, stop, failure: state.failure ?? silentOverflow(state) }, broken)
}

/** A whole reply as the one chunk that a stream would have brought it in. */
export function chunksOf(reply: unknown): readonly unknown[] | null {
  if (!isRecord(reply) || !Array.isArray(reply["choices"])) return null
  const choice: unknown = reply["choices"][0]
  if (!isRecord(choice) || !isRecord(choice["message"])) return null
  return [{ ...reply, choices: [{ ...choice, delta: numbered(choice["message"]) }] }, "[DONE]"]
}

/** Three names for one field; a thought is sent back under the name that it came under. */
const thinkingFields = ["reasoning_content", "reasoning", "reasoning_text"] as const

export function isThinkingField(name: string): boolean {
  return (thinkingFields as readonly string[]).includes(name)
}

function readDelta(state: State, delta: Readonly<Record<string, unknown>>, drafts: Draft[]): void {
  const details = delta["reasoning_details"]
  if (Array.isArray(details)) endTagged(state, drafts)
  const told = Array.isArray(details) && addDetails(state, details, drafts)
  for (const field of told ? [] : thinkingFields) {
    const thought = delta[field]
    if (typeof thought !== "string" || thought === "") continue
    addThinking(state, thought, field, drafts)
    // Some servers send the same thought under two names.
    break
  }
  for (const { type, text } of partsOf(delta["content"]))
    if (type === "text") addTagged(state, text, drafts)
    else addThinking(state, text, thinkingInContent, drafts)
  if (typeof delta["refusal"] === "string" && delta["refusal"] !== "") addTagged(state, delta["refusal"], drafts)
  const calls = delta["tool_calls"]
  if (!Array.isArray(calls) || calls.length === 0) return
  endTagged(state, drafts)
  for (const [at, call] of calls.entries()) if (isRecord(call)) addCall(state, call, at, drafts)
}

function addThinking(state: State, delta: string, field: string, drafts: Draft[]): void {
  endTagged(state, drafts)
  let block = state.blocks.at(-1)
  if (block?.type !== "thinking" || block.signature === undefined)
    state.blocks.push((block = { type: "thinking", text: "", signature: field }))
  block.text += delta
  drafts.push({ type: "thinking", index: state.blocks.length - 1, delta })
}

function errorOf(state: State, chunk: Readonly<Record<string, unknown>>): Failure | null {
  const said = readError(chunk)
  if (said !== null) return classify(said, state.asked)
  // Usage, a sign of life: not every chunk without choices is an error.
  if (!chunk["error"]) return state.failure
  return classify({ message: oneLine(JSON.stringify(chunk), state.asked), code: "" }, state.asked)
}

function readUsage(usage: Readonly<Record<string, unknown>>, { model }: Asked): Usage {
  return usageOf({
    prompt: countOf(usage, "prompt_tokens"),
    output: countOf(usage, "completion_tokens"),
    // Moonshot and DeepSeek say beside the counts what others say among the details.
    cacheRead: Math.max(
      detail(usage, "prompt_tokens_details", "cached_tokens"),
      countOf(usage, "cached_tokens"),
      countOf(usage, "prompt_cache_hit_tokens"),
    ),
    cacheWrite: detail(usage, "prompt_tokens_details", "cache_write_tokens"),
    reasoning: detail(usage, "completion_tokens_details", "reasoning_tokens"),
    total: tokenCount(usage["total_tokens"]),
    reasoningApart: model.compat?.addReasoningTokens ?? false,
  })
}

function detail(usage: Readonly<Record<string, unknown>>, group: string, name: string): number {
  const details = usage[group]
  return isRecord(details) ? countOf(details, name) : 0
}

function countOf(from: Readonly<Record<string, unknown>>, name: string): number {
  return tokenCount(from[name]) ?? 0
}
