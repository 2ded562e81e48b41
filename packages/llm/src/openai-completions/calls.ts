import { type PartialUpdate, isRecord } from "@gong/spec"
import { generatedId, type OpenBlock, type OpenCall } from "../protocol/reply/assemble-reply.ts"
import { LiveArguments } from "../protocol/reply/live-arguments.ts"
import { isComplete } from "../protocol/reply/partial-json.ts"

/** A call whose id or name may still be on the way. */
export interface PendingCall extends OpenCall {
  readonly index: number
  /** The server's own number for it. */
  readonly key: number
  announced: boolean
}

/** What of a reply its calls are added to. */
export interface Calls {
  readonly draftId: string
  readonly blocks: OpenBlock[]
  readonly calls: PendingCall[]
}

/** A piece of a call as it came. Empty: not in this piece. */
interface Piece {
  readonly id: string
  readonly name: string
  readonly args: string
}

/** Adds one element of a delta's `tool_calls`, the one at `at`. */
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

/** The calls of a whole reply are told apart by where they stand, also where they have no ids. */
export function withIndices(message: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const calls = message["tool_calls"]
  if (!Array.isArray(calls)) return message
  return { ...message, tool_calls: calls.map((call, index) => (isRecord(call) ? { ...call, index } : call)) }
}

/** Without a number: that of the call with this id, its place among those that came with it, or none. */
function keyOf({ calls }: Calls, id: string, at: number): number | null {
  return id === "" ? null : (calls.findLast((call) => call.id === id)?.key ?? at)
}

/** A piece belongs to the call of its number, and without one to the last. */
function findCall({ calls }: Calls, piece: Piece, key: number | null): PendingCall | undefined {
  const call = key === null ? calls.at(-1) : calls.findLast((known) => known.key === key)
  return call && !startsNewCall(call, piece) ? call : undefined
}

/**
 * Some servers give every call the number 0, some give no ids: another id or, behind whole arguments, another name and
 * more of them begin another call. Some give each piece a new id: without a name it goes on with arguments that are not
 * whole yet.
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

/** A call is shown once it has a name, and an id or, when its arguments begin without one, ours. */
function announce(state: Calls, call: PendingCall, flowing: boolean, partials: PartialUpdate[]): void {
  if (call.announced || call.name === "" || (call.id === "" && !flowing)) return
  call.id ||= generatedId(state.draftId, call.index)
  call.announced = true
  partials.push({ type: "call", index: call.index, id: call.id, name: call.name })
  if (call.live.text !== "") partials.push(call.live.all(call.index))
}

/** Google seals the calls of its newer models, in a field of its own beside OpenAI's. */
function signatureOf({ extra_content: extra }: Readonly<Record<string, unknown>>): string | undefined {
  const google = isRecord(extra) ? extra["google"] : undefined
  const signature = isRecord(google) ? google["thought_signature"] : undefined
  return typeof signature === "string" && signature !== "" ? signature : undefined
}

/** A string in pieces; a few servers send the object itself. */
function argumentsOf(value: unknown): string {
  return typeof value === "string" ? value : isRecord(value) ? JSON.stringify(value) : ""
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : ""
}
