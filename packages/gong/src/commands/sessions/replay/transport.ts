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
import type { Holds } from "./holds.ts"
import type { Exchange } from "./recording.ts"

export interface Answers {
  /** The exchange whose turn it is; null: there is none any more, and this request is never answered. */
  next(): Exchange | null
  bodyOf(exchange: Exchange): Uint8Array
  differs(exchange: Exchange, difference: Difference): void
  readonly holds: Holds
}

/** Gives each request what the recording has for it, as long as they are the same. It opens no connection. */
export function replayTransport({ next, bodyOf, differs, holds }: Answers): Transport {
  return {
    async send(request) {
      const exchange = next()
      if (exchange === null) return never()
      const difference = compared(exchange, bodyOf(exchange), request)
      if (difference !== null) {
        differs(exchange, difference)
        return never()
      }
      await holds.hold({ kind: "request", exchange })
      return responseOf(exchange, request.signal, holds)
    },
  }
}

function compared(exchange: Exchange, body: Uint8Array, request: TransportRequest): Difference | null {
  const address = `${request.method} ${request.url}`
  const recorded = `${exchange.method} ${exchange.url}`
  if (address !== recorded) return { path: "", recorded, replayed: address }
  return bodyDifference(body, Buffer.concat(request.body))
}

async function responseOf(exchange: Exchange, signal: AbortSignal, holds: Holds): Promise<TransportResponse> {
  const { response, end } = exchange
  if (response === null) {
    if (end.kind === "broken") throw brokenAs(end.failure)
    return stopped(signal, holds)
  }
  const { status, headers, text, base64 } = response
  const bytes = base64 === undefined ? Buffer.from(text ?? "") : Buffer.from(base64, "base64")
  return { status, headers, body: bodyOf(bytes, exchange, signal, holds) }
}

async function* bodyOf(bytes: Uint8Array, { end }: Exchange, signal: AbortSignal, holds: Holds) {
  if (bytes.length > 0) yield bytes
  if (end.kind === "broken") throw brokenAs(end.failure)
  if (end.kind === "left") await stopped(signal, holds)
}

function brokenAs({ kind, message, retryable }: Extract<RecordedEnd, { kind: "broken" }>["failure"]): FailureError {
  return new FailureError(failure(kind, message, { retryable }))
}

/** Waits for the stop of the request and fails with its reason. */
function stopped(signal: AbortSignal, holds: Holds): Promise<never> {
  const letGo = holds.keep({ kind: "open-line" })
  return new Promise<never>((_, reject) => {
    const stop = (): void => {
      letGo()
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

/** What asks for it is left behind with the replay. */
function never(): Promise<never> {
  return new Promise(() => undefined)
}
