import {
  type Draft,
  type Failure,
  failure,
  isRecord,
  noUsage,
  type Reply,
  type StopReason,
  type Usage,
} from "@gong/spec"
import { type Asked, classify, oneLine } from "../wire/classify.ts"
import { closeReply, madeId, type OpenCall } from "../wire/close-reply.ts"
import { LiveArguments } from "../wire/live-arguments.ts"
import { addTagged, endTagged, type TaggedState } from "../wire/thinking-tags.ts"
import { tokenCount } from "../wire/token-count.ts"
import { readError } from "./failure.ts"

/** A reply of openai-completions while it streams. */
export interface State extends TaggedState {
  readonly asked: Asked
  readonly draftId: string
  readonly calls: PendingCall[]
  stop: StopReason | null
  usage: Usage
  failure: Failure | null
  done: boolean
}

/** A call whose id or name may still be on the way. */
interface PendingCall extends OpenCall {
  readonly index: number
  /** The server's own number for it. */
  readonly key: number
  announced: boolean
}

export function start(asked: Asked, draftId: string): State {
  return { asked, draftId, blocks: [], tags: null, calls: [], stop: null, usage: noUsage, failure: null, done: false }
}

export function ended(state: State): boolean {
  return state.done || state.failure !== null
}

export function step(state: State, chunk: unknown, drafts: Draft[]): void {
  if (chunk === "[DONE]") state.done = true
  if (!isRecord(chunk)) return
  if (chunk["error"]) state.failure = errorOf(state, chunk)
  if (isRecord(chunk["usage"])) state.usage = usageOf(chunk["usage"], state.asked)
  const choice = Array.isArray(chunk["choices"]) ? chunk["choices"][0] : undefined
  if (!isRecord(choice)) return
  if (isRecord(choice["usage"])) state.usage = usageOf(choice["usage"], state.asked)
  if (isRecord(choice["delta"])) readDelta(state, choice["delta"], drafts)
  if (typeof choice["finish_reason"] !== "string") return
  endTagged(state, drafts)
  readFinish(state, choice["finish_reason"])
}

export function finish(state: State, broken: Failure | null): Reply {
  endTagged(state, [])
  // A stream that ends with [DONE] alone is over too.
  const stop = state.stop ?? (state.done && state.blocks.length > 0 ? "stop" : null)
  const { asked, usage } = state
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite
  const overflow =
    asked.model.compat?.silentOverflow && prompt > asked.model.contextWindow
      ? classify({ message: `prompt is too long: ${prompt} tokens`, code: "" }, asked)
      : null
  return closeReply({ ...state, stop, failure: state.failure ?? overflow }, broken)
}

/** A whole reply as the one chunk that a stream would have brought it in. */
export function chunksOf(reply: unknown): readonly unknown[] | null {
  if (!isRecord(reply) || !Array.isArray(reply["choices"])) return null
  const choice: unknown = reply["choices"][0]
  if (!isRecord(choice) || !isRecord(choice["message"])) return null
  return [{ ...reply, choices: [{ ...choice, delta: choice["message"] }] }, "[DONE]"]
}

/** Three names for one thing; the one that came goes back with the thought. */
const thinkingFields = ["reasoning_content", "reasoning", "reasoning_text"] as const

export function isThinkingField(name: string): boolean {
  return (thinkingFields as readonly string[]).includes(name)
}

function readDelta(state: State, delta: Readonly<Record<string, unknown>>, drafts: Draft[]): void {
  for (const field of thinkingFields) {
    const thought = delta[field]
    if (typeof thought !== "string" || thought === "") continue
    addThinking(state, thought, field, drafts)
    // Some servers send the same thought under two names.
    break
  }
  const text = textOf(delta["content"])
  if (text !== "") addTagged(state, text, drafts)
  if (typeof delta["refusal"] === "string" && delta["refusal"] !== "") addTagged(state, delta["refusal"], drafts)
  const calls = delta["tool_calls"]
  if (Array.isArray(calls))
    for (const [at, call] of calls.entries()) if (isRecord(call)) addCall(state, call, at, drafts)
}

/** Text, or blocks of text, or null. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return ""
  return content.map((part) => (isRecord(part) && typeof part["text"] === "string" ? part["text"] : "")).join("")
}

function addThinking(state: State, delta: string, field: string, drafts: Draft[]): void {
  endTagged(state, drafts)
  let block = state.blocks.at(-1)
  if (block?.type !== "thinking" || block.signature === undefined)
    state.blocks.push((block = { type: "thinking", text: "", signature: field }))
  block.text += delta
  drafts.push({ type: "thinking", index: state.blocks.length - 1, delta })
}

function addCall(state: State, piece: Readonly<Record<string, unknown>>, at: number, drafts: Draft[]): void {
  const id = typeof piece["id"] === "string" ? piece["id"] : ""
  endTagged(state, drafts)
  const key = typeof piece["index"] === "number" ? piece["index"] : id === "" ? null : at
  const call = findCall(state, id, key) ?? beginCall(state, key ?? state.calls.length)
  const fn = isRecord(piece["function"]) ? piece["function"] : {}
  if (id !== "") call.id = id
  if (typeof fn["name"] === "string" && fn["name"] !== "") call.name = fn["name"]
  const args = argumentsOf(fn["arguments"])
  announce(state, call, args !== "", drafts)
  if (args === "") return
  const draft = call.live.add(call.index, args)
  if (call.announced) drafts.push(draft)
}

/** A piece belongs to the call of its number, unless it brings another id: some servers number every call 0. */
function findCall(state: State, id: string, key: number | null): PendingCall | undefined {
  if (key === null) return state.calls.at(-1)
  const call = state.calls.findLast((known) => known.key === key)
  return call && (id === "" || call.id === "" || call.id === id) ? call : undefined
}

function beginCall(state: State, key: number): PendingCall {
  const call: PendingCall = {
    type: "call",
    id: "",
    name: "",
    live: new LiveArguments(),
    index: state.blocks.length,
    key,
    announced: false,
  }
  state.blocks.push(call)
  state.calls.push(call)
  return call
}

/** A call is shown once it has a name, and an id or, when its arguments begin without one, ours. */
function announce(state: State, call: PendingCall, flowing: boolean, drafts: Draft[]): void {
  if (call.announced || call.name === "" || (call.id === "" && !flowing)) return
  call.id ||= madeId(state.draftId, call.index)
  call.announced = true
  drafts.push({ type: "call", index: call.index, id: call.id, name: call.name })
  if (call.live.text !== "") drafts.push(call.live.all(call.index))
}

/** A string in pieces; a few servers send the object itself. */
function argumentsOf(value: unknown): string {
  return typeof value === "string" ? value : isRecord(value) ? JSON.stringify(value) : ""
}

function readFinish(state: State, reason: string): void {
  if (reason === "content_filter" || reason === "refusal") {
    const { provider } = state.asked.model
    state.failure ??= failure("model-refused", `${provider} stopped the reply: ${reason}`, { provider })
  } else if (reason === "error") {
    state.failure ??= classify({ message: "the reply ended with an error", code: "" }, state.asked)
  } else if (reason === "tool_calls" || reason === "function_call") state.stop = "tool_calls"
  else state.stop = reason === "length" ? "length" : "stop"
}

function errorOf(state: State, chunk: Readonly<Record<string, unknown>>): Failure {
  const said = readError(chunk) ?? { message: oneLine(JSON.stringify(chunk), state.asked), code: "" }
  return classify({ ...said, ...statusOf(chunk["error"]) }, state.asked)
}

/** Routers put the HTTP status into the error's code. */
function statusOf(error: unknown): { status?: number } {
  const code = isRecord(error) ? Number(error["code"]) : Number.NaN
  return code >= 400 && code < 600 ? { status: code } : {}
}

function usageOf(usage: Readonly<Record<string, unknown>>, { model }: Asked): Usage {
  const prompt = countOf(usage, "prompt_tokens")
  // Moonshot and DeepSeek say beside the counts what others say among the details.
  const cacheRead = Math.max(
    detail(usage, "prompt_tokens_details", "cached_tokens"),
    countOf(usage, "cached_tokens"),
    countOf(usage, "prompt_cache_hit_tokens"),
  )
  const cacheWrite = detail(usage, "prompt_tokens_details", "cache_write_tokens")
  const reasoning = detail(usage, "completion_tokens_details", "reasoning_tokens")
  const output = countOf(usage, "completion_tokens") + (model.compat?.addReasoningTokens ? reasoning : 0)
  return { input: Math.max(0, prompt - cacheRead - cacheWrite), output, cacheRead, cacheWrite, reasoning }
}

function detail(usage: Readonly<Record<string, unknown>>, group: string, name: string): number {
  const details = usage[group]
  return isRecord(details) ? countOf(details, name) : 0
}

function countOf(from: Readonly<Record<string, unknown>>, name: string): number {
  return tokenCount(from[name]) ?? 0
}
