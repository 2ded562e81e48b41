import type { ServerResponse } from "node:http"
import type { Count, Fault, Turn } from "./turn.ts"

const batch = 64 * 1024

/**
 * Sends the events of a stream, with the turn's pace, chunks and faults. Resolves when nothing more will be sent;
 * a stalled reply resolves when the client or the server leaves.
 */
export async function sendEvents(
  response: ServerResponse,
  events: Iterable<string>,
  turn: Turn,
  errorEvent: (message: string) => string,
): Promise<void> {
  const { fault } = turn
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" })
  if (hasAfter(fault) && fault.after === "headers") {
    response.flushHeaders()
    await soon()
    return endWith(response, fault, errorEvent)
  }
  const limit = hasAfter(fault) && typeof fault.after === "object" && fault.kind !== "malformed" ? fault.after : null
  const told = fault?.kind === "malformed" ? withMalformed(events, fault.after.chunks) : events
  const each = (turn.delayMs ?? 0) > 0 || (limit !== null && "chunks" in limit)
  const reached = await sendUntil(response, each ? told : batches(told), limit, turn)
  if (response.destroyed) return
  if (reached && hasAfter(fault)) return endWith(response, fault, errorEvent)
  response.end()
}

type FaultWithAfter = Extract<Fault, { after: unknown }>

function hasAfter(fault: Fault | undefined): fault is FaultWithAfter {
  return fault !== undefined && "after" in fault
}

/** True when the limit was reached before the events ended. */
async function sendUntil(
  response: ServerResponse,
  texts: Iterable<string>,
  limit: Count | null,
  turn: Turn,
): Promise<boolean> {
  let chunks = 0
  let bytes = 0
  for (const text of texts) {
    if (response.destroyed) return false
    if (limit !== null && "chunks" in limit && chunks++ >= limit.chunks) return true
    const whole = Buffer.from(text)
    const part = limit !== null && "bytes" in limit ? whole.subarray(0, limit.bytes - bytes) : whole
    bytes += part.length
    await write(response, part, turn.chunkBytes)
    if (part.length < whole.length) return true
    if (turn.delayMs !== undefined && turn.delayMs > 0) await pause(turn.delayMs)
  }
  return false
}

/** Joins events into large pieces: at full speed one write per event would be the server's whole cost. */
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

/** Small chunks are sent one by one, so that the client sees them one by one. */
async function write(response: ServerResponse, bytes: Uint8Array, chunkBytes: number | undefined): Promise<void> {
  if (chunkBytes === undefined) {
    if (!response.write(bytes)) await drained(response)
    return
  }
  for (let from = 0; from < bytes.length && !response.destroyed; from += chunkBytes) {
    response.write(bytes.subarray(from, from + chunkBytes))
    await soon()
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done).off("close", done)
      resolve()
    }
    response.on("drain", done).on("close", done)
  })
}

async function endWith(
  response: ServerResponse,
  fault: FaultWithAfter,
  errorEvent: (message: string) => string,
): Promise<void> {
  switch (fault.kind) {
    case "stall":
      return left(response)
    case "drop":
      await soon()
      response.destroy()
      return
    case "error-event":
      response.end(errorEvent(fault.message ?? "The server had an error"))
      return
    case "cut":
    case "malformed":
      response.end()
      return
  }
}

/** Resolves when the connection is closed, by whomever. */
export function left(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve()
  return new Promise((resolve) => response.once("close", resolve))
}

/** After what was written has been given to the socket. */
function soon(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
