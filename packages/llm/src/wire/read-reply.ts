import { type Draft, failure, type Failure, isDeeper, maxWrappedDepth, parseJson } from "@gong/spec"
import { type Asked, classify, oneLine } from "./classify.ts"
import { readSse } from "./sse.ts"
import type { Watch } from "./watch.ts"
import type { ReplyState, Wire } from "./wire.ts"

/** The connection that a reply comes over. */
export interface Line extends Omit<Watch, "stop"> {
  readonly signal: AbortSignal
  /** The connection has so many milliseconds from now on to end by itself; null: as long as it is not silent. */
  hurry(ms: number | null): void
  close(): void
}

/** A body as it comes, as what it brings for the screen. The caller pulls, so that a piece costs no step of a generator. */
export interface ReplyReader {
  /** Bytes may end anywhere. What is returned is the caller's. */
  feed(bytes: Uint8Array): readonly Draft[]
  /** The body is over. */
  end(): readonly Draft[]
  /** Why it is no reply; the rest of it is not wanted then. */
  bad(): Failure | null
  /** What the provider said outside of events where it stopped in the middle; null when it said nothing. */
  lastWords(): Failure | null
}

/** Feeds the body of a reply to a wire. */
export function readReply<State extends ReplyState>(
  wire: Wire<State>,
  state: State,
  asked: Asked,
  line: Line,
): ReplyReader {
  const reader = openReader(wire, state, asked)
  let over = false
  let ended = false
  return {
    feed(bytes) {
      line.alive()
      reader.feed(bytes)
      const drafts = reader.take()
      if (drafts.length > 0) line.content(drafts.at(-1)?.type === "thinking")
      if (ended) return drafts
      ended = wire.ended(state)
      if (ended) line.hurry(afterEnd)
      else if (reader.over() !== over) {
        over = !over
        line.hurry(over ? afterStop : null)
      }
      return drafts
    },
    end() {
      reader.end()
      return reader.take()
    },
    bad: reader.bad,
    lastWords: reader.lastWords,
  }
}

/** Milliseconds. A connection that ends by itself can be used again. */
const afterEnd = 50

/** Milliseconds. Some servers keep the line open behind the stop, and Google has no word for the end. */
const afterStop = 5000

/** More than any reply is; what is larger comes from something broken. */
const maxReply = 64 * 1024 * 1024

const none: readonly Draft[] = []

interface Reader {
  feed(bytes: Uint8Array): void
  end(): void
  take(): readonly Draft[]
  /** The stop was said in an event of its own, and nothing of the reply came behind it. */
  over(): boolean
  bad(): Failure | null
  lastWords(): Failure | null
}

function openReader<State extends ReplyState>(wire: Wire<State>, state: State, asked: Asked): Reader {
  let drafts: Draft[] = []
  let bad: Failure | null = null
  let form: Form | null = null
  let size = 0
  let ending = false
  let whole = ""
  let over = false
  /** Some servers say a stop with every piece: theirs means nothing. */
  let goesOn = false
  const decoder = new TextDecoder()
  const sse = readSse((data, name) => {
    if (bad !== null || wire.ended(state)) return
    const chunk = data === "[DONE]" ? data : eventOf(data)
    // An error in a form that the wire does not know is one all the same.
    if (name === "error" && wire.readError(chunk) === null) bad = errorIn(data)
    else if (chunk !== undefined) step(chunk)
    // The last event of a stream that was cut is not bad, it is missing.
    else if (!ending) bad = badReply(`sent an event that is not JSON: ${data.slice(0, 100)}`, asked)
  })

  function step(chunk: unknown): void {
    const before = drafts.length
    wire.step(state, chunk, drafts)
    if (drafts.length > before) goesOn ||= state.stop !== null
    over = !goesOn && drafts.length === before && state.stop !== null
  }

  function errorIn(text: string): Failure {
    return classify(wire.readError(parseJson(text)) ?? { message: text, code: "" }, asked)
  }

  function lastWords(): Failure | null {
    if (form !== "events" || state.stop !== null || wire.ended(state)) return null
    const unread = sse.unread()
    const field = /^error: ?(.+)$/m.exec(unread)?.[1]
    if (field !== undefined) return errorIn(field)
    return wire.readError(parseJson(unread)) === null ? null : errorIn(unread)
  }

  function readWhole(): void {
    if (form === "page") bad = webPage(asked)
    const reply = eventOf(whole)
    const error = wire.readError(reply)
    const chunks = wire.chunksOf(reply)
    if (bad === null && error) bad = classify(error, asked)
    else if (chunks) for (const chunk of chunks) wire.step(state, chunk, drafts)
    else bad ??= badReply(`sent something that is no reply: ${whole.slice(0, 100)}`, asked)
  }

  return {
    feed(bytes) {
      size += bytes.length
      form ??= formOf(bytes)
      if (size > maxReply) bad = badReply("sent more than 64 MB for one reply", asked)
      else if (form === "events") sse.feed(bytes)
      else whole += decoder.decode(bytes, { stream: true })
    },
    end() {
      ending = true
      if (bad !== null) return
      if (form === "events") {
        sse.end()
        bad ??= lastWords()
      } else if (form !== null) readWhole()
    },
    take() {
      if (drafts.length === 0) return none
      const taken = drafts
      drafts = []
      return taken
    },
    over: () => over,
    bad: () => bad,
    lastWords,
  }
}

type Form = "events" | "json" | "page"

/** Told by the first character, whatever the content type says: an event stream never begins with a bracket. */
function formOf(bytes: Uint8Array): Form | null {
  const first = bytes.find((byte) => byte > 0x20)
  if (first === undefined) return null
  return first === 0x7b || first === 0x5b ? "json" : first === 0x3c ? "page" : "events"
}

/**
 * Arguments that are too deep are the model's slip, to be told to it, and no broken reply: so much of them stays that they
 * are too deep still.
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

function badReply(what: string, asked: Asked): Failure {
  return failure("bad-reply", oneLine(`${asked.model.provider} ${what}`, asked), { provider: asked.model.provider })
}

function webPage(asked: Asked): Failure {
  const { provider, baseUrl } = asked.model
  const text = `${baseUrl} answered with a web page, not with an API: check the base URL`
  const hint = "An OpenAI-compatible base URL usually ends in /v1; an Anthropic one does not."
  return failure("bad-reply", oneLine(text, asked), { provider, retryable: false, hint })
}
