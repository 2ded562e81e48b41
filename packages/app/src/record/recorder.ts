import { type Clock, failureOf, type Model, type Transport, type TransportRequest } from "@gong/spec"
import { bodyDeltas } from "./body.ts"
import type { ExchangeLine, RecordedEnd, RecordedResponse, RecordedSettings } from "./lines.ts"
import { observedBody } from "./observed-body.ts"
import { type RecordingFile, type RecordingWriter, recordingWriter } from "./writer.ts"

export interface RecorderDeps {
  /** A model's network without recording. */
  transport(model: Model): Transport
  readonly file: RecordingFile
  readonly clock: Clock
  /** Redacted in every recording. */
  keys(): readonly string[]
  redact(text: string): string
}

/** Known only after the session was created. */
export interface RecordedSession {
  /** The last entry of the tape. */
  leaf(): string
  /** The current configuration. */
  settings(): RecordedSettings
  /** Reported once, if the recording ends before the session. */
  ended(why: string): void
}

/** Records the requests and responses of a session. A failure of the recording does not affect the session. */
export interface Recorder {
  begin(session: RecordedSession): void
  /** The network for one model; nothing is recorded before `begin`. */
  over(model: Model): Transport
  /** Writes pending lines. */
  flush(): void
}

/** Maximum bytes of one response; beyond it recording stops. */
const maxResponse = 32 * 1024 ** 2

export function recorder(parts: RecorderDeps): Recorder {
  let open: ExchangeRecorder | null = null
  return {
    begin(session) {
      open = exchangeRecorder(parts, session)
    },
    flush: () => open?.writer.flush(),
    over: (model) => ({
      async send(request) {
        const network = parts.transport(model)
        if (open === null || open.writer.over) return network.send(request)
        const exchange = open.begin(model, request)
        const onError = (error: unknown): void => exchange.end(endBy(error, request, parts))
        try {
          const response = await network.send(request)
          exchange.response(response.status, response.headers)
          const onEnd = (kind: "done" | "left"): void => exchange.end({ kind })
          return {
            ...response,
            body: observedBody(response.body, { onChunk: exchange.chunk, onEnd, onError }),
          }
        } catch (error) {
          onError(error)
          throw error
        }
      },
    }),
  }
}

/** A request in progress. */
interface OpenExchange {
  response(status: number, headers: RecordedResponse["headers"]): void
  chunk(chunk: Uint8Array): void
  end(end: RecordedEnd): void
}

interface ExchangeRecorder {
  readonly writer: RecordingWriter
  begin(model: Model, request: TransportRequest): OpenExchange
}

function exchangeRecorder(parts: RecorderDeps, session: RecordedSession): ExchangeRecorder {
  const writer = recordingWriter(parts.file, parts.clock, session.ended)
  const delta = bodyDeltas(parts.keys)
  const models = new Map<string, Model>()
  /** The last written session line. */
  let known = ""
  let last: OpenExchange | null = null

  const nameOf = (model: Model): string => {
    const name = `${model.provider}/${model.id}`
    if (models.get(name) === model) return name
    models.set(name, model)
    const { headers: _, ...rest } = model
    writer.put(() => ({ type: "model", model: { ...rest, baseUrl: withoutUserInfo(model.baseUrl) } }))
    return name
  }
  return {
    writer,
    begin(model, request) {
      // A response that was not read to its end; lines are in the order of requests.
      last?.end({ kind: "left" })
      const set = session.settings()
      const text = JSON.stringify(set)
      if (text !== known) writer.put(() => ({ type: "session", version: 1, set }))
      known = text
      const begin = {
        type: "exchange",
        model: nameOf(model),
        began: session.leaf(),
        method: request.method,
        url: parts.redact(withoutUserInfo(request.url)),
        headers: publicHeaders(request.headers),
        body: delta(request.body),
      } as const
      last = openExchange(parts, writer, (rest) => ({ ...begin, ended: session.leaf(), ...rest }))
      return last
    },
  }
}

type Finish = (rest: Pick<ExchangeLine, "response" | "end">) => ExchangeLine

function openExchange(parts: RecorderDeps, writer: RecordingWriter, finish: Finish): OpenExchange {
  const chunks: Uint8Array[] = []
  let size = 0
  let head: Pick<RecordedResponse, "status" | "headers"> | null = null
  let isOver = false
  return {
    response: (status, headers) => void (head = { status, headers: publicHeaders(headers) }),
    chunk(chunk) {
      size += chunk.length
      if (size > maxResponse) writer.end(`a reply has more than ${maxResponse / 1024 ** 2} MB`)
      else chunks.push(chunk)
    },
    end(end) {
      if (isOver) return
      isOver = true
      const line = finish({ response: head, end })
      writer.put(() => (head === null ? line : { ...line, response: { ...head, ...bytesOf(parts, chunks) } }))
    },
  }
}

/** Headers without keys and cookies, of any origin. */
const publicHeaderNames: ReadonlySet<string> = new Set(
  "accept anthropic-version content-type date location request-id retry-after retry-after-ms server x-request-id".split(
    " ",
  ),
)

function publicHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  return Object.fromEntries(lower.filter(([name]) => publicHeaderNames.has(name)))
}

function bytesOf({ redact }: RecorderDeps, chunks: readonly Uint8Array[]): Pick<RecordedResponse, "text" | "base64"> {
  const bytes = Buffer.concat(chunks)
  const text = bytes.toString()
  if (Buffer.from(text).equals(bytes)) return { text: redact(text) }
  return { base64: Buffer.from(redact(bytes.toString("latin1")), "latin1").toString("base64") }
}

/** A stop looks like a broken connection; its reason is not the network. */
function endBy(error: unknown, { signal }: TransportRequest, { redact }: RecorderDeps): RecordedEnd {
  if (signal.aborted) return { kind: "left" }
  const { kind, message, retryable } = failureOf(error)
  return { kind: "broken", failure: { kind, message: redact(message), retryable } }
}

/** A URL without user and password. */
function withoutUserInfo(address: string): string {
  return address.replace(/^(\w+:\/\/)[^/@]*@/, "$1")
}
