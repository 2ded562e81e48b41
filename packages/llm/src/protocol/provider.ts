import {
  type ModelRequest,
  type AssistantMessage,
  type Clock,
  type Credential,
  type PartialUpdate,
  estimateText,
  estimateTokens,
  type Failure,
  FailureError,
  failureOf,
  type Message,
  type Model,
  type Provider,
  type Reply,
  type Transport,
  type TransportRequest,
  phrase,
  failure,
} from "@gong/spec"
import { atBaseUrl } from "../base-url.ts"
import { type Body, createBodyCache } from "./request/body.ts"
import { type RequestContext, isReasoningRejected, oneLine, redactPhrase } from "./errors/classify.ts"
import { readRefusal } from "./errors/read-refusal.ts"
import { type ReplyConnection, readReply } from "./reply/read-reply.ts"
import { silenceLimitsFor, type SilenceLimits, type SilenceSettings, startSilenceTimer } from "./silence-timer.ts"
import type { ReplyState, Protocol } from "./protocol.ts"

export interface ProviderPorts {
  readonly transport: Transport
  readonly clock: Clock
  /** Null for an endpoint without keys. */
  readonly credential: Credential | null
  readonly silence?: SilenceSettings
}

interface ConnectionPorts extends ProviderPorts {
  readonly limits: SilenceLimits
}

/** A model over a wire format. */
export function createProvider<State extends ReplyState>(
  protocol: Protocol<State>,
  model: Model,
  ports: ProviderPorts,
): Provider {
  const bodies = createBodyCache(protocol.format)
  const whom = { model, credential: ports.credential }
  const connection = { ...ports, limits: silenceLimitsFor(model, ports.silence) }
  /** The user message whose run continues without reasoning blocks, after these were refused. */
  let recovered: Message | undefined
  let window = model.contextWindow
  let current = model
  return {
    get model() {
      if (current.contextWindow !== window) current = { ...model, contextWindow: window }
      return current
    },
    async *stream(request) {
      const { provider, id, api } = model
      yield { type: "start", draftId: request.draftId, model: { provider, id, api } }
      const context = { ...whom, promptTokens: () => promptTokens(request) }
      // Searched only if needed, since in a long run the message is far back.
      const withoutThinking = recovered !== undefined && userOf(request) === recovered
      const reply = yield* sendRequest(
        protocol,
        context,
        connection,
        request,
        bodies(request.messages, { ...request, model, withoutThinking }),
      )
      // A server may run a model with a smaller window than it has.
      if (!reply.ok) window = Math.min(window, reply.failure.contextWindow ?? window)
      if (reply.ok || withoutThinking || !isReasoningRefusal(reply.failure)) return reply
      recovered = userOf(request)
      return yield* sendRequest(
        protocol,
        context,
        connection,
        request,
        bodies(request.messages, { ...request, model, withoutThinking: true }),
      )
    },
  }
}

/** Evaluated only for a refusal, since it counts the whole conversation. */
function promptTokens({ system, tools, messages }: ModelRequest): number {
  return estimateText(system) + estimateText(JSON.stringify(tools)) + estimateTokens(messages)
}

function userOf({ messages }: ModelRequest): Message | undefined {
  return messages.findLast(({ role }) => role === "user")
}

function isReasoningRefusal({ kind, message }: Failure): boolean {
  return kind === "bad-request" && isReasoningRejected(message)
}

async function* sendRequest<State extends ReplyState>(
  protocol: Protocol<State>,
  context: RequestContext,
  ports: ConnectionPorts,
  request: ModelRequest,
  body: Body,
): AsyncGenerator<PartialUpdate, Reply, undefined> {
  const began = ports.clock.now()
  const connection = openReplyConnection(ports, context.model, request.signal)
  const state = protocol.start(context, request.draftId, request.messages.at(-1)?.role === "tool")
  const reader = readReply(protocol, state, context, connection)
  const filter = createPartialFilter(request, ports.clock)
  let broken: Failure | null = null
  let answered = false
  try {
    const response = await ports.transport.send(requestOf(protocol, context, request, body, connection.signal))
    answered = true
    connection.bytesReceived()
    if (response.status !== 200) {
      connection.setDrainTimeout(refusalTime)
      throw await readRefusal(protocol, response, context, ports.clock.now(), request.signal)
    }
    for await (const bytes of response.body) {
      for (const partial of filter.show(reader.feed(bytes))) yield partial
      if (reader.bad() !== null) break
    }
    for (const partial of filter.show(reader.end())) yield partial
    const bad = reader.bad()
    if (bad !== null) throw new FailureError(bad)
  } catch (thrown) {
    const why = failureOf(thrown)
    const ended = why.kind === "network" || why.kind === "stalled"
    broken = (ended ? reader.trailingError() : null) ?? connectionFailure(why, context, answered)
  } finally {
    connection.close()
    body.release()
  }
  const durationMs = ports.clock.now() - began
  const firstAt = filter.firstAt()
  const times = firstAt === null ? { durationMs } : { durationMs, firstTokenMs: firstAt - began }
  return timed(protocol.finish(state, broken), times)
}

/** Milliseconds for reading the body of an error response; the status matters most. */
const refusalTime = 5000

interface PartialFilter {
  /** The partials to pass on. */
  show(partials: readonly PartialUpdate[]): readonly PartialUpdate[]
  /** Time of the first partial. */
  firstAt(): number | null
}

/** If nobody shows the stream, the first of consecutive partials of a kind suffices: it tells the state of the reply. */
function createPartialFilter(request: ModelRequest, clock: Clock): PartialFilter {
  let firstAt: number | null = null
  let kind: PartialUpdate["type"] | null = null
  const isNew = ({ type }: PartialUpdate): boolean => {
    const before = kind
    kind = type
    return type !== before
  }
  return {
    show(partials) {
      if (partials.length === 0) return partials
      firstAt ??= clock.now()
      const all = request.partialsWanted?.() ?? true
      if (all) kind = partials.at(-1)?.type ?? kind
      return all ? partials : partials.filter(isNew)
    },
    firstAt: () => firstAt,
  }
}

function timed(reply: Reply, times: Pick<AssistantMessage, "durationMs" | "firstTokenMs">): Reply {
  if (reply.ok) return { ok: true, message: { ...reply.message, ...times } }
  return { ...reply, partial: reply.partial && { ...reply.partial, ...times } }
}

function requestOf<State extends ReplyState>(
  protocol: Protocol<State>,
  context: RequestContext,
  { partialsWanted }: ModelRequest,
  body: Body,
  signal: AbortSignal,
): TransportRequest {
  const { baseUrl, headers } = context.model
  return {
    url: atBaseUrl(baseUrl, protocol.path(context.model)),
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream",
      ...protocol.headers(context),
      ...headers,
    },
    body: body.bytes,
    signal,
    ...(partialsWanted && { watched: partialsWanted }),
  }
}

/** The connection of one request: closed by the caller's signal, by silence, or shortly after the end of the reply. */
function openReplyConnection({ clock, limits }: ConnectionPorts, model: Model, signal: AbortSignal): ReplyConnection {
  const controller = new AbortController()
  const forward = () => controller.abort(signal.reason)
  signal.addEventListener("abort", forward, { once: true })
  if (signal.aborted) forward()
  const timer = startSilenceTimer(clock, limits, model.provider, (stalled) => controller.abort(stalled))
  let cancelDrain = () => {}
  return {
    signal: controller.signal,
    bytesReceived: timer.bytesReceived,
    contentReceived: timer.contentReceived,
    setDrainTimeout(ms) {
      cancelDrain()
      if (ms !== null) cancelDrain = clock.timer(ms, () => controller.abort())
    },
    close() {
      cancelDrain()
      timer.stop()
      signal.removeEventListener("abort", forward)
    },
  }
}

/** Adds the name of the provider, which the transport does not know. */
function connectionFailure(why: Failure, context: RequestContext, answered: boolean): Failure {
  const { provider } = context.model
  if (why.kind !== "network") {
    const words = why.phrases?.message
    const phrases = words === undefined ? {} : { phrases: { ...why.phrases, message: redactPhrase(words, context) } }
    return { provider, ...why, ...phrases, message: oneLine(why.message, context) }
  }
  const text = answered
    ? phrase`the connection to ${provider} broke before the reply was complete (${why.message})`
    : phrase`${provider} is not reachable (${why.message})`
  const more = answered ? {} : { hint: phrase`Check the network and the base URL (${context.model.baseUrl}).` }
  const { message, hint, phrases } = failure("network", redactPhrase(text, context), more)
  return { ...why, provider, message: oneLine(message, context), ...(hint && { hint }), ...(phrases && { phrases }) }
}
