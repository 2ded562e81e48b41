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
import { type RequestContext, classify, oneLine } from "../protocol/errors/classify.ts"
import { assembleReply, generatedId, type OpenBlock, type OpenCall } from "../protocol/reply/assemble-reply.ts"
import { LiveArguments } from "../protocol/reply/live-arguments.ts"
import { tokenCount } from "../protocol/reply/token-count.ts"
import { readFailure } from "./failure.ts"

/** A streaming reply of an extension's provider; each `ReplyPiece` of the API is validated. */
export interface State {
  readonly context: RequestContext
  readonly draftId: string
  readonly blocks: OpenBlock[]
  stop: StopReason | null
  usage: Usage
  failure: Failure | null
}

export function start(context: RequestContext, draftId: string): State {
  return { context, draftId, blocks: [], stop: null, usage: noUsage, failure: null }
}

export function ended({ stop, failure: why }: State): boolean {
  return stop !== null || why !== null
}

export function finish(state: State, broken: Failure | null): Reply {
  return assembleReply(state, broken)
}

export function step(state: State, piece: unknown, partials: PartialUpdate[]): void {
  if (!isRecord(piece) || !read(state, piece, partials)) state.failure = unknownPiece(state, piece)
}

/** False for an invalid piece. */
function read(state: State, piece: Readonly<Record<string, unknown>>, partials: PartialUpdate[]): boolean {
  const { type, text } = piece
  switch (type) {
    case "text":
      return typeof text === "string" && addText(state, text, partials)
    case "thinking":
      return typeof text === "string" && addThinking(state, text, piece["signature"], partials)
    case "tool_call":
      return beginCall(state, piece, partials)
    case "arguments":
      return typeof text === "string" && addArguments(state, text, partials)
    case "usage":
      return readUsage(state, piece)
    case "stop":
      return readStop(state, piece["reason"])
    case "failure":
      return fail(state, piece)
    default:
      return type === "ping"
  }
}

function addText({ blocks }: State, delta: string, partials: PartialUpdate[]): boolean {
  let block = blocks.at(-1)
  if (block?.type !== "text") blocks.push((block = { type: "text", text: "" }))
  block.text += delta
  if (delta !== "") partials.push({ type: "text", index: blocks.length - 1, delta })
  return true
}

/** Text after a signature begins a new block. */
function addThinking({ blocks }: State, delta: string, signature: unknown, partials: PartialUpdate[]): boolean {
  let block = blocks.at(-1)
  if (block?.type !== "thinking" || block.signature !== undefined) blocks.push((block = { type: "thinking", text: "" }))
  block.text += delta
  if (typeof signature === "string") block.signature = signature
  if (delta !== "") partials.push({ type: "thinking", index: blocks.length - 1, delta })
  return true
}

function beginCall(
  { blocks, draftId }: State,
  piece: Readonly<Record<string, unknown>>,
  partials: PartialUpdate[],
): boolean {
  const { name, id, arguments: args } = piece
  if (typeof name !== "string" || name === "" || (args !== undefined && !isRecord(args))) return false
  const index = blocks.length
  const given = typeof id === "string" && id !== "" ? id : generatedId(draftId, index)
  const call: OpenCall = { type: "call", id: given, name, live: new LiveArguments() }
  blocks.push(call)
  partials.push({ type: "call", index, id: given, name })
  if (args !== undefined) partials.push(call.live.add(index, JSON.stringify(args)))
  return true
}

function addArguments({ blocks }: State, delta: string, partials: PartialUpdate[]): boolean {
  const index = blocks.findLastIndex(({ type }) => type === "call")
  const call = blocks[index]
  if (call?.type !== "call") return false
  partials.push(call.live.add(index, delta))
  return true
}

function readUsage(state: State, piece: Readonly<Record<string, unknown>>): boolean {
  const count = (name: keyof Usage): number => tokenCount(piece[name]) ?? 0
  state.usage = {
    input: count("input"),
    output: count("output"),
    cacheRead: count("cacheRead"),
    cacheWrite: count("cacheWrite"),
    reasoning: count("reasoning"),
  }
  return true
}

function readStop(state: State, reason: unknown): boolean {
  if (reason === "refusal") {
    const { provider } = state.context.model
    state.failure = failure("model-refused", phrase`${provider} stopped the reply: ${"refusal"}`, { provider })
    return true
  }
  if (reason !== "stop" && reason !== "length" && reason !== "tool_calls") return false
  state.stop = reason
  return true
}

function fail(state: State, piece: Readonly<Record<string, unknown>>): boolean {
  const refusal = readFailure(piece)
  if (refusal !== null) state.failure = classify(refusal, state.context)
  return refusal !== null
}

/** Not retryable: the extension must be fixed. */
function unknownPiece({ context }: State, piece: unknown): Failure {
  const { provider } = context.model
  const text = `${provider} gave a piece that Gong does not know: ${JSON.stringify(piece).slice(0, 100)}`
  const hint = "docs/extensions.md lists the pieces of a reply."
  return failure("bad-reply", oneLine(text, context), { provider, retryable: false, hint })
}
