import { type PartialUpdate, failure, type Failure, isDeeper, maxWrappedDepth, parseJson } from "@gong/spec"
import { type RequestContext, classify, oneLine } from "../errors/classify.ts"
import { readSse } from "./sse.ts"
import type { SilenceTimer } from "../silence-timer.ts"
import type { ReplyState, Protocol } from "../protocol.ts"

/** The connection of a reply. */
export interface ReplyConnection extends Omit<SilenceTimer, "stop"> {
  readonly signal: AbortSignal
  /** Closes the connection after this many milliseconds unless it ends by itself; null: no limit but silence. */
  setDrainTimeout(ms: number | null): void
  close(): void
}

/** Parses a response body into partials. The caller pulls, so a chunk costs no generator step. */
export interface ReplyReader {
  /** Chunks may end anywhere. The caller owns the result. */
  feed(bytes: Uint8Array): readonly PartialUpdate[]
  /** End of the body. */
  end(): readonly PartialUpdate[]
  /** Why the body is invalid; then the rest is not needed. */
  bad(): Failure | null
  /** An error outside of events at the end of an incomplete stream; null for none. */
  trailingError(): Failure | null
}

/** Passes the body of a reply to a wire format. */
export function readReply<State extends ReplyState>(
  protocol: Protocol<State>,
  state: State,
  context: RequestContext,
  connection: ReplyConnection,
): ReplyReader {
  const reader = openReader(protocol, state, context)
  let over = false
  let ended = false
  return {
    feed(bytes) {
      connection.bytesReceived()
      reader.feed(bytes)
      const partials = reader.take()
      if (partials.length > 0) connection.contentReceived(partials.at(-1)?.type === "thinking")
      if (ended) return partials
      ended = protocol.ended(state)
      if (ended) connection.setDrainTimeout(afterEnd)
      else if (reader.over() !== over) {
        over = !over
        connection.setDrainTimeout(over ? afterStop : null)
      }
      return partials
    },
    end() {
      reader.end()
      return reader.take()
    },
    bad: reader.bad,
    trailingError: reader.trailingError,
  }
}

/** Milliseconds. A connection that ends by itself can be reused. */
const afterEnd = 50

/** Milliseconds. Some servers keep the connection open after the stop, and Google has no end marker. */
const afterStop = 5000

/** Bytes; a larger reply is broken. */
const maxReply = 64 * 1024 * 1024

const none: readonly PartialUpdate[] = []

interface Reader {
  feed(bytes: Uint8Array): void
  end(): void
  take(): readonly PartialUpdate[]
  /** The stop came in an event of its own, and no content followed. */
  over(): boolean
  bad(): Failure | null
  trailingError(): Failure | null
}

function openReader<S extends ReplyState>(protocol: Protocol<S>, state: S, context: RequestContext): Reader {
  let partials: PartialUpdate[] = []
  let bad: Failure | null = null
  let form: Form | null = null
  let size = 0
  let ending = false
  let whole = ""
  let over = false
  /** Some servers send a stop with every event; then it means nothing. */
  let stopsEveryEvent = false
  const decoder = new TextDecoder()
  const sse = readSse((data, name) => {
    if (bad !== null || protocol.ended(state)) return
    const chunk = data === "[DONE]" ? data : eventOf(data)
    // An error event in a form that the wire format does not know is still an error.
    if (name === "error" && protocol.readError(chunk) === null) bad = errorIn(data)
    else if (chunk !== undefined) step(chunk)
    // The last event of a truncated stream is incomplete, not invalid.
    else if (!ending) bad = badReply(`sent an event that is not JSON: ${data.slice(0, 100)}`, context)
  })

  function step(chunk: unknown): void {
    const before = partials.length
    protocol.step(state, chunk, partials)
    if (partials.length > before) stopsEveryEvent ||= state.stop !== null
    over = !stopsEveryEvent && partials.length === before && state.stop !== null
  }

  function errorIn(text: string): Failure {
    return classify(protocol.readError(parseJson(text)) ?? { message: text, code: "" }, context)
  }

  function trailingError(): Failure | null {
    if (form !== "events" || state.stop !== null || protocol.ended(state)) return null
    const unread = sse.unread()
    const field = /^error: ?(.+)$/m.exec(unread)?.[1]
    if (field !== undefined) return errorIn(field)
    return protocol.readError(parseJson(unread)) === null ? null : errorIn(unread)
  }

  function readWhole(): void {
    if (form === "page") bad = webPage(context)
    const reply = eventOf(whole)
    const error = protocol.readError(reply)
    const chunks = protocol.chunksOf(reply)
    if (bad === null && error) bad = classify(error, context)
    else if (chunks) for (const chunk of chunks) protocol.step(state, chunk, partials)
    else bad ??= badReply(`sent something that is no reply: ${whole.slice(0, 100)}`, context)
  }

  return {
    feed(bytes) {
      size += bytes.length
      form ??= formOf(bytes)
      if (size > maxReply) bad = badReply("sent more than 64 MB for one reply", context)
      else if (form === "events") sse.feed(bytes)
      else whole += decoder.decode(bytes, { stream: true })
    },
    end() {
      ending = true
      if (bad !== null) return
      if (form === "events") {
        sse.end()
        bad ??= trailingError()
      } else if (form !== null) readWhole()
    },
    take() {
      if (partials.length === 0) return none
      const taken = partials
      partials = []
      return taken
    },
    over: () => over,
    bad: () => bad,
    trailingError,
  }
}

type Form = "events" | "json" | "page"

/** Detected by the first character, regardless of the content type: an event stream never begins with a bracket. */
function formOf(bytes: Uint8Array): Form | null {
  const first = bytes.find((byte) => byte > 0x20)
  if (first === undefined) return null
  return first === 0x7b || first === 0x5b ? "json" : first === 0x3c ? "page" : "events"
}

/**
 * Arguments that are nested too deep are an error of the model, to be reported to it, and not a broken reply. The cut keeps
 * enough levels that they are still too deep.
 */
function eventOf(text: string): unknown {
  const event = parseJson(text, Infinity)
  return isDeeper(event, maxWrappedDepth) ? cutBelow(event, maxWrappedDepth) : event
}

function cutBelow(value: unknown, levels: number): unknown {
  if (levels === 0 || typeof value !== "object" || value === null) return levels === 0 ? null : value
  if (Array.isArray(value)) return value.map((item) => cutBelow(item, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutBelow(item, levels - 1)]))
}

function badReply(what: string, context: RequestContext): Failure {
  return failure("bad-reply", oneLine(`${context.model.provider} ${what}`, context), {
    provider: context.model.provider,
  })
}

function webPage(context: RequestContext): Failure {
  const { provider, baseUrl } = context.model
  const text = `${baseUrl} answered with a web page, not with an API: check the base URL`
  const hint = "An OpenAI-compatible base URL usually ends in /v1; an Anthropic one does not."
  return failure("bad-reply", oneLine(text, context), { provider, retryable: false, hint })
}
