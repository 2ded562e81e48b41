import type { Count, Fault, Turn } from "./turn.ts"
import type { NumberedCall, Play, WireFormat } from "./wire-format.ts"

/** Actions on the connection, in order; a reply without `stall` or `drop` ends properly. */
export type Action =
  | { readonly kind: "head"; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "wait"; readonly ms: number }
  /** No more data; the connection stays open. */
  | { readonly kind: "stall" }
  /** The connection is destroyed. */
  | { readonly kind: "drop" }

export interface Asked {
  /** Makes the ids of this reply unique. */
  readonly number: number
  /** The parsed request; null if unknown. */
  readonly body: unknown
}

/** Converts one turn into actions: a server performs them on a socket, a simulation in memory. */
export function* actionsOf(format: WireFormat, turn: Turn, asked: Asked): Generator<Action> {
  const { fault } = turn
  if ((fault?.kind === "stall" || fault?.kind === "drop") && fault.after === "connect")
    return yield { kind: fault.kind }
  if (fault?.kind === "status") return yield* refusal(format, fault)
  if (fault?.kind === "body") return yield* otherBody(fault)
  const play = playOf(turn, asked)
  const streamed = (asked.body as { stream?: unknown } | null)?.stream ?? true
  if (fault?.kind === "not-streamed" || streamed !== true) return yield* json(200, format.whole(play))
  return yield* stream(format, play)
}

/** A non-streamed JSON reply. */
export function* json(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Generator<Action> {
  yield { kind: "head", status, headers: { "content-type": "application/json", ...headers } }
  yield { kind: "bytes", bytes: Buffer.from(typeof value === "string" ? value : JSON.stringify(value)) }
}

function playOf(turn: Turn, asked: Asked): Play {
  const id = (index: number) =>
    turn.ids === "duplicate" ? `call_${asked.number}` : `call_${asked.number}_${index + 1}`
  const calls = (turn.calls ?? []).map((call, index): NumberedCall => ({ ...call, id: call.id ?? id(index) }))
  const model = (asked.body as { model?: unknown } | null)?.model
  return {
    turn,
    calls,
    replyId: `reply_${asked.number}`,
    model: typeof model === "string" ? model : "mock",
    created: 1_760_000_000,
  }
}

function refusal(format: WireFormat, fault: Extract<Fault, { kind: "status" }>): Iterable<Action> {
  const message = fault.overflow === true ? format.overflow : (fault.message ?? `This is a scripted ${fault.status}`)
  const code = fault.overflow === true && format.api.startsWith("openai-") ? "context_length_exceeded" : fault.code
  const retry = fault.retryAfter === undefined ? {} : { "retry-after": fault.retryAfter }
  return json(fault.status, format.refusal(fault.status, message, code), retry)
}

const page = "<!DOCTYPE html>\n<html><head><title>Welcome</title></head><body><h1>It works!</h1></body></html>\n"

function* otherBody(fault: Extract<Fault, { kind: "body" }>): Generator<Action> {
  const { body } = fault
  const type = fault.type ?? (body === "html" ? "text/html" : "text/event-stream")
  yield { kind: "head", status: fault.status ?? 200, headers: { "content-type": type } }
  yield {
    kind: "bytes",
    bytes: body === "html" ? Buffer.from(page) : body === "garbage" ? garbage : Buffer.from(body.text),
  }
}

/** Every byte value, neither UTF-8 nor SSE; deterministic. */
const garbage = Uint8Array.from({ length: 1024 }, (_, i) => (i * 167 + 13) % 256)

function* stream(format: WireFormat, play: Play): Generator<Action> {
  const { turn } = play
  const { fault } = turn
  yield { kind: "head", status: 200, headers: { "content-type": "text/event-stream", "cache-control": "no-cache" } }
  const events = format.stream(play)
  if (fault === undefined || !("after" in fault)) return yield* paced(events, turn)
  if (fault.kind === "malformed") return yield* paced(withMalformed(events, fault.after.chunks), turn)
  const after: Count = typeof fault.after === "string" ? { chunks: 0 } : fault.after
  const reached = yield* "chunks" in after
    ? firstEvents(events, after.chunks, turn)
    : firstBytes(events, after.bytes, turn)
  if (!reached) return
  if (fault.kind === "error-event") yield* split(format.errorEvent(fault.message ?? "The server had an error"), turn)
  else if (fault.kind !== "cut") yield { kind: fault.kind }
}

/** Merged into large writes unless the turn has a delay: one write per event would dominate the cost at full speed. */
function* paced(events: Iterable<string>, turn: Turn): Generator<Action> {
  if (turn.delayMs === undefined || turn.delayMs === 0) {
    for (const text of batches(events)) yield* split(text, turn)
    return
  }
  for (const event of events) {
    yield* split(event, turn)
    yield { kind: "wait", ms: turn.delayMs }
  }
}

/** True when there were more than `count`. */
function* firstEvents(events: Iterable<string>, count: number, turn: Turn): Generator<Action, boolean> {
  let sent = 0
  for (const event of events) {
    if (sent++ >= count) return true
    yield* paced([event], turn)
  }
  return false
}

/** True when there were more than `limit`. */
function* firstBytes(events: Iterable<string>, limit: number, turn: Turn): Generator<Action, boolean> {
  let left = limit
  for (const text of batches(events)) {
    const bytes = Buffer.from(text)
    yield* split(bytes.subarray(0, left), turn)
    if (bytes.length > left) return true
    left -= bytes.length
  }
  return false
}

function* split(text: string | Uint8Array, turn: Turn): Generator<Action> {
  const bytes = typeof text === "string" ? Buffer.from(text) : text
  const size = turn.chunkBytes ?? Math.max(1, bytes.length)
  for (let from = 0; from < bytes.length; from += size)
    yield { kind: "bytes", bytes: bytes.subarray(from, from + size) }
}

const batch = 64 * 1024

function* batches(texts: Iterable<string>): Generator<string> {
  let held = ""
  for (const text of texts) {
    held += text
    if (held.length < batch) continue
    yield held
    held = ""
  }
  if (held !== "") yield held
}

function* withMalformed(events: Iterable<string>, after: number): Generator<string> {
  let count = 0
  for (const event of events) {
    if (count++ === after) yield `data: {"broken": tru\n\n`
    yield event
  }
}
