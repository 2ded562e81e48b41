import { type PartialUpdate, isRecord } from "@gong/spec"
import { generatedId, type OpenBlock, type OpenCall } from "../protocol/reply/assemble-reply.ts"
import { LiveArguments } from "../protocol/reply/live-arguments.ts"
import { isComplete } from "../protocol/reply/partial-json.ts"

/** A streaming call whose id or name may still be incomplete. */
export interface PendingCall extends OpenCall {
  readonly index: number
  /** The server's index of it. */
  readonly key: number
  announced: boolean
}

/** The part of a reply's state for its calls. */
export interface Calls {
  readonly draftId: string
  readonly blocks: OpenBlock[]
  readonly calls: PendingCall[]
}

/** An update of a call. Empty fields are absent. */
interface Piece {
  readonly id: string
  readonly name: string
  readonly args: string
}

/** Adds one element of a delta's `tool_calls`, at position `at`. */
export function addCall(
  state: Calls,
  given: Readonly<Record<string, unknown>>,
  at: number,
  partials: PartialUpdate[],
): void {
  const fn = isRecord(given["function"]) ? given["function"] : {}
  const piece = { id: textOf(given["id"]), name: textOf(fn["name"]), args: argumentsOf(fn["arguments"]) }
  const key = typeof given["index"] === "number" ? given["index"] : keyOf(state, piece.id, at)
  const call = findCall(state, piece, key) ?? beginCall(state, key ?? state.calls.length)
  call.id ||= piece.id
  if (piece.name !== "") call.name = piece.name
  call.signature ??= signatureOf(given)
  announce(state, call, piece.args !== "", partials)
  if (piece.args === "") return
  const partial = call.live.add(call.index, piece.args)
  if (call.announced) partials.push(partial)
}

/** Numbers the calls of a non-streamed reply, which may lack ids. */
export function withIndices(message: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const calls = message["tool_calls"]
  if (!Array.isArray(calls)) return message
  return { ...message, tool_calls: calls.map((call, index) => (isRecord(call) ? { ...call, index } : call)) }
}

/** Without an index: that of the call with this id, or its position in the delta, or none. */
function keyOf({ calls }: Calls, id: string, at: number): number | null {
  return id === "" ? null : (calls.findLast((call) => call.id === id)?.key ?? at)
}

/** An update belongs to the call of its index, or without one to the last call. */
function findCall({ calls }: Calls, piece: Piece, key: number | null): PendingCall | undefined {
  const call = key === null ? calls.at(-1) : calls.findLast((known) => known.key === key)
  return call && !startsNewCall(call, piece) ? call : undefined
}

/**
 * Whether an update starts a new call. Some servers give every call the index 0, some send no ids: a different id, or after
 * complete arguments a name with more arguments, starts a new call. Others send a new id with every update: without a name
 * such an update continues incomplete arguments.
 */
function startsNewCall(call: PendingCall, { id, name, args }: Piece): boolean {
  const isOther = id !== "" && call.id !== "" && id !== call.id
  if (name === "") return isOther && args !== "" && isComplete(call.live.text)
  return isOther || (id === "" && call.name !== "" && args.trimStart().startsWith("{") && isComplete(call.live.text))
}

function beginCall({ blocks, calls }: Calls, key: number): PendingCall {
  const call: PendingCall = {
    type: "call",
    id: "",
    name: "",
    live: new LiveArguments(),
    index: blocks.length,
    key,
    announced: false,
  }
  blocks.push(call)
  calls.push(call)
  return call
}

/** Shows a call once it has a name and an id; if its arguments begin without an id, it gets one. */
function announce(state: Calls, call: PendingCall, flowing: boolean, partials: PartialUpdate[]): void {
  if (call.announced || call.name === "" || (call.id === "" && !flowing)) return
  call.id ||= generatedId(state.draftId, call.index)
  call.announced = true
  partials.push({ type: "call", index: call.index, id: call.id, name: call.name })
  if (call.live.text !== "") partials.push(call.live.all(call.index))
}

/** Google's signature of a call, in an extra field beside OpenAI's. */
function signatureOf({ extra_content: extra }: Readonly<Record<string, unknown>>): string | undefined {
  const google = isRecord(extra) ? extra["google"] : undefined
  const signature = isRecord(google) ? google["thought_signature"] : undefined
  return typeof signature === "string" && signature !== "" ? signature : undefined
}

/** A string fragment; a few servers send the object itself. */
function argumentsOf(value: unknown): string {
  return typeof value === "string" ? value : isRecord(value) ? JSON.stringify(value) : ""
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : ""
}
