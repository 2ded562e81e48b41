import type { ServerResponse } from "node:http"
import { left, sendEvents } from "./send.ts"
import type { Fault, Turn } from "./turn.ts"
import type { NumberedCall, Play, Wire } from "./wire.ts"

/** Plays one turn as the reply to one request; `number` makes its ids different from all other replies'. */
export async function answer(
  response: ServerResponse,
  wire: Wire,
  turn: Turn,
  request: { readonly number: number; readonly body: unknown },
): Promise<void> {
  const { fault } = turn
  if ((fault?.kind === "stall" || fault?.kind === "drop") && fault.after === "connect") {
    if (fault.kind === "drop") response.destroy()
    return left(response)
  }
  if (fault?.kind === "status") return refuse(response, wire, fault)
  if (fault?.kind === "body") return sendOther(response, fault)
  const play = playOf(turn, request)
  const streamed = (request.body as { stream?: unknown } | null)?.stream ?? true
  if (fault?.kind === "not-streamed" || streamed !== true) {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(wire.whole(play)))
    return
  }
  return sendEvents(response, wire.stream(play), turn, (message) => wire.errorEvent(message))
}

function playOf(turn: Turn, request: { readonly number: number; readonly body: unknown }): Play {
  const id = (index: number) =>
    turn.ids === "duplicate" ? `call_${request.number}` : `call_${request.number}_${index + 1}`
  const calls = (turn.calls ?? []).map((call, index): NumberedCall => ({ ...call, id: call.id ?? id(index) }))
  const model = (request.body as { model?: unknown } | null)?.model
  return {
    turn,
    calls,
    replyId: `reply_${request.number}`,
    model: typeof model === "string" ? model : "mock",
    created: 1_760_000_000,
  }
}

function refuse(response: ServerResponse, wire: Wire, fault: Extract<Fault, { kind: "status" }>): void {
  const message = fault.overflow === true ? wire.overflow : (fault.message ?? `This is a scripted ${fault.status}`)
  const code = fault.overflow === true && wire.api === "openai-completions" ? "context_length_exceeded" : fault.code
  const retry = fault.retryAfter === undefined ? {} : { "retry-after": fault.retryAfter }
  const body = JSON.stringify(wire.refusal(fault.status, message, code))
  response.writeHead(fault.status, { "content-type": "application/json", ...retry }).end(body)
}

const page = "<!DOCTYPE html>\n<html><head><title>Welcome</title></head><body><h1>It works!</h1></body></html>\n"

function sendOther(response: ServerResponse, fault: Extract<Fault, { kind: "body" }>): void {
  const { body } = fault
  const bytes = body === "html" ? Buffer.from(page) : body === "garbage" ? garbage() : Buffer.from(body.text)
  const type = fault.type ?? (body === "html" ? "text/html" : "text/event-stream")
  response.writeHead(fault.status ?? 200, { "content-type": type }).end(bytes)
}

/** Every byte value, neither UTF-8 nor SSE; the same every time. */
function garbage(): Buffer {
  return Buffer.from(Array.from({ length: 1024 }, (_, i) => (i * 167 + 13) % 256))
}
