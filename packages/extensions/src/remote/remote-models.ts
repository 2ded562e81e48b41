import { failure, FailureError, messageOf, phrase, type Transport, type TransportRequest } from "@gong/spec"
import type { ExtensionHost } from "../host/host.ts"
import { ExtensionError } from "../host/open-calls.ts"
import { maxAnswer, type Problem } from "../protocol.ts"
import type { Remote } from "./remote.ts"

/**
 * A transport to the models of an extension's provider: the chunks of its `stream` become server-sent events. So
 * timeouts, aborts, retries and recordings work as for any other model.
 */
export function remoteTransport(remote: Remote, provider: string): Transport {
  return {
    async send(request) {
      if (request.signal.aborted) throw abortedBy(request.signal)
      if (remote.host.isOff(remote.id)) throw offFailure(remote, provider)
      return { status: 200, headers: { "content-type": "text/event-stream" }, body: bodyOf(remote, provider, request) }
    },
  }
}

interface PendingChunk {
  readonly json: string
  consumed(): void
}

async function* bodyOf(remote: Remote, provider: string, request: TransportRequest): AsyncGenerator<Uint8Array> {
  const { signal } = request
  const stop = new AbortController()
  const waiting: PendingChunk[] = []
  let over: { readonly error: unknown } | null = null
  let wake = (): void => undefined
  const end = (error: unknown): void => {
    over = { error }
    wake()
  }
  const abort = (): void => end(abortedBy(signal))
  signal.addEventListener("abort", abort, { once: true })
  let size = 0
  begin(remote, provider, request, stop.signal, (one) => {
    size += one.json.length
    if (size > maxAnswer) return end(tooLong(provider))
    waiting.push(one)
    wake()
  }).then(() => end(null), end)
  try {
    for (;;) {
      const chunks = waiting.splice(0)
      if (chunks.length > 0 && !signal.aborted) {
        yield encoder.encode(chunks.map(({ json }) => `data: ${json}\n\n`).join(""))
        for (const { consumed } of chunks) consumed()
        continue
      }
      const ended = over as { readonly error: unknown } | null
      if (ended === null) await new Promise<void>((resolve) => (wake = resolve))
      else if (ended.error === null) return
      else return yield* errorEvents(remote, provider, ended.error)
    }
  } finally {
    signal.removeEventListener("abort", abort)
    stop.abort()
  }
}

const encoder = new TextEncoder()

function begin(
  { id, host }: { readonly id: number; readonly host: ExtensionHost },
  key: string,
  { body, headers }: TransportRequest,
  signal: AbortSignal,
  chunk: (one: PendingChunk) => void,
): Promise<unknown> {
  const credential = headers["authorization"]?.replace(/^Bearer /, "") ?? null
  const call = { extension: id, target: { kind: "provider", key } as const, args: [joined(body), credential] }
  return host.call(call, { signal, chunk: (json, taken) => chunk({ json, consumed: taken }) })
}

/** Copies exactly these bytes, because a view would transfer its whole buffer. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.byteLength, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.byteLength
  }
  return bytes
}

/** A thrown error: an HTTP error response if it has a status, otherwise a failure of its kind. */
function* errorEvents(remote: Remote, provider: string, error: unknown): Generator<Uint8Array> {
  if (!(error instanceof ExtensionError)) throw error
  const { message, exited, problem } = error
  const text = messageOf(error.failure)
  if (exited)
    throw remote.host.isOff(remote.id) ? offFailure(remote, provider) : new FailureError(failure("network", text))
  const status = problem?.status
  if (status !== undefined) {
    yield encoder.encode(`data: ${JSON.stringify({ type: "failure", message, status })}\n\n`)
    return
  }
  if (isConnection(message, problem))
    throw new FailureError(failure("network", [problem?.code, message].join(" ").trim()))
  throw new FailureError(failure("bad-reply", phrase`${provider}: ${text}`, { retryable: false, ...hintOf(problem) }))
}

/** Error messages of Node and of `fetch` for failed or broken connections. */
function isConnection(message: string, problem: Problem | null): boolean {
  return /^(E[A-Z]+|UND_ERR_\w+)$/.test(problem?.code ?? "") || /^(fetch failed|terminated)$/.test(message)
}

function hintOf(problem: Problem | null) {
  if (problem === null || problem.path === null) return {}
  return { hint: phrase`It was thrown at ${problem.path}:${problem.line}.` }
}

/** A valid reply is never this long, and a retry would be as long. */
function tooLong(provider: string): FailureError {
  const text = phrase`${provider} gave more than ${maxAnswer / 1_000_000} million characters for one reply`
  return new FailureError(failure("bad-reply", text, { provider, retryable: false }))
}

/** Another model may be used; this one needs a fix of the extension. */
function offFailure({ name }: Remote, provider: string): FailureError {
  const text = phrase`${provider} cannot be asked: the extension ${name} is off`
  return new FailureError(failure("bad-request", text, { provider, hint: phrase`Mend it; /reload loads it again.` }))
}

function abortedBy(signal: AbortSignal): FailureError {
  return signal.reason instanceof FailureError
    ? signal.reason
    : new FailureError(failure("aborted", phrase`Operation aborted`))
}
