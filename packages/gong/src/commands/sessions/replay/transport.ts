import {
  failure,
  FailureError,
  phrase,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "@gong/spec"
import type { RecordedEnd } from "@gong/app/record/lines"
import { bodyDifference, type Difference } from "./difference.ts"
import type { BlockedOperations } from "./blocked.ts"
import type { Exchange } from "./recording.ts"

export interface RecordedReplies {
  /** The next exchange; null for none, and then the request gets no response. */
  next(): Exchange | null
  bodyOf(exchange: Exchange): Uint8Array
  onDifference(exchange: Exchange, difference: Difference): void
  readonly blocked: BlockedOperations
}

/** Answers each request with its recorded response if it equals the recorded request. Opens no connection. */
export function replayTransport({ next, bodyOf, onDifference, blocked }: RecordedReplies): Transport {
  return {
    async send(request) {
      const exchange = next()
      if (exchange === null) return pendingForever()
      const difference = requestDifference(exchange, bodyOf(exchange), request)
      if (difference !== null) {
        onDifference(exchange, difference)
        return pendingForever()
      }
      await blocked.block({ kind: "request", exchange })
      return responseOf(exchange, request.signal, blocked)
    },
  }
}

function requestDifference(exchange: Exchange, body: Uint8Array, request: TransportRequest): Difference | null {
  const address = `${request.method} ${request.url}`
  const recorded = `${exchange.method} ${exchange.url}`
  if (address !== recorded) return { path: "", recorded, replayed: address }
  return bodyDifference(body, Buffer.concat(request.body))
}

async function responseOf(
  exchange: Exchange,
  signal: AbortSignal,
  blocked: BlockedOperations,
): Promise<TransportResponse> {
  const { response, end } = exchange
  if (response === null) {
    if (end.kind === "broken") throw recordedFailure(end.failure)
    return untilAborted(signal, blocked)
  }
  const { status, headers, text, base64 } = response
  const bytes = base64 === undefined ? Buffer.from(text ?? "") : Buffer.from(base64, "base64")
  return { status, headers, body: bodyOf(bytes, exchange, signal, blocked) }
}

async function* bodyOf(bytes: Uint8Array, { end }: Exchange, signal: AbortSignal, blocked: BlockedOperations) {
  if (bytes.length > 0) yield bytes
  if (end.kind === "broken") throw recordedFailure(end.failure)
  if (end.kind === "left") await untilAborted(signal, blocked)
}

function recordedFailure({
  kind,
  message,
  retryable,
}: Extract<RecordedEnd, { kind: "broken" }>["failure"]): FailureError {
  return new FailureError(failure(kind, message, { retryable }))
}

/** Waits until the request is aborted and rejects with the reason. */
function untilAborted(signal: AbortSignal, blocked: BlockedOperations): Promise<never> {
  const remove = blocked.add({ kind: "open-stream" })
  return new Promise<never>((_, reject) => {
    const stop = (): void => {
      remove()
      reject(
        signal.reason instanceof FailureError
          ? signal.reason
          : new FailureError(failure("aborted", phrase`Operation aborted`)),
      )
    }
    if (signal.aborted) stop()
    else signal.addEventListener("abort", stop, { once: true })
  })
}

/** The caller is abandoned with the replay. */
function pendingForever(): Promise<never> {
  return new Promise(() => undefined)
}
