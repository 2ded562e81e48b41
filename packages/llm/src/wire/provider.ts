import {
  type Ask,
  type AssistantMessage,
  type Clock,
  type Credential,
  type Draft,
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
import { type Body, createBodyCache } from "./body.ts"
import { type Asked, isThinkingOrder, oneLine, withoutKey } from "./classify.ts"
import { refusalOf } from "./refusal.ts"
import { type Line, readReply } from "./read-reply.ts"
import { limitsFor, type SilenceLimits, type SilenceSettings, watchSilence } from "./watch.ts"
import type { ReplyState, Wire } from "./wire.ts"

export interface ProviderPorts {
  readonly transport: Transport
  readonly clock: Clock
  /** Null for an endpoint that wants no key. */
  readonly credential: Credential | null
  readonly silence?: SilenceSettings
}

interface LinePorts extends ProviderPorts {
  readonly limits: SilenceLimits
}

/** A model behind a wire format. */
export function createProvider<State extends ReplyState>(
  wire: Wire<State>,
  model: Model,
  ports: ProviderPorts,
): Provider {
  const bodies = createBodyCache(wire.format)
  const whom = { model, credential: ports.credential }
  const line = { ...ports, limits: limitsFor(model, ports.silence) }
  /** The user's message whose run goes on without thinking blocks, because they were refused. */
  let recovered: Message | undefined
  return {
    model,
    async *stream(ask) {
      const { provider, id, api } = model
      yield { type: "start", draftId: ask.draftId, model: { provider, id, api } }
      const asked = { ...whom, promptTokens: () => promptTokens(ask) }
      // Looked for where it matters only: a long run has it far behind.
      const withoutThinking = recovered !== undefined && userOf(ask) === recovered
      const reply = yield* talk(wire, asked, line, ask, bodies(ask.messages, { ...ask, model, withoutThinking }))
      if (reply.ok || withoutThinking || !refusedThinking(reply.failure)) return reply
      recovered = userOf(ask)
      return yield* talk(wire, asked, line, ask, bodies(ask.messages, { ...ask, model, withoutThinking: true }))
    },
  }
}

/** Only a refusal asks for it: the count goes over the whole conversation. */
function promptTokens({ system, tools, messages }: Ask): number {
  return estimateText(system) + estimateText(JSON.stringify(tools)) + estimateTokens(messages)
}

function userOf({ messages }: Ask): Message | undefined {
  return messages.findLast(({ role }) => role === "user")
}

function refusedThinking({ kind, message }: Failure): boolean {
  return kind === "bad-request" && isThinkingOrder(message)
}

async function* talk<State extends ReplyState>(
  wire: Wire<State>,
  asked: Asked,
  ports: LinePorts,
  ask: Ask,
  body: Body,
): AsyncGenerator<Draft, Reply, undefined> {
  const began = ports.clock.now()
  const line = openLine(ports, asked.model, ask.signal)
  const state = wire.start(asked, ask.draftId, ask.messages.at(-1)?.role === "tool")
  const reader = readReply(wire, state, asked, line)
  const screen = openScreen(ask, ports.clock)
  let broken: Failure | null = null
  let answered = false
  try {
    const response = await ports.transport.send(requestOf(wire, asked, ask, body, line.signal))
    answered = true
    line.alive()
    if (response.status !== 200) {
      line.hurry(refusalTime)
      throw await refusalOf(wire, response, asked, ports.clock.now(), ask.signal)
    }
    for await (const bytes of response.body) {
      for (const draft of screen.show(reader.feed(bytes))) yield draft
      if (reader.bad() !== null) break
    }
    for (const draft of screen.show(reader.end())) yield draft
    const bad = reader.bad()
    if (bad !== null) throw new FailureError(bad)
  } catch (thrown) {
    const why = failureOf(thrown)
    const ended = why.kind === "network" || why.kind === "stalled"
    broken = (ended ? reader.lastWords() : null) ?? lineFailure(why, asked, answered)
  } finally {
    line.close()
    body.release()
  }
  const durationMs = ports.clock.now() - began
  const { firstAt } = screen
  const times = firstAt === null ? { durationMs } : { durationMs, firstTokenMs: firstAt - began }
  return timed(wire.finish(state, broken), times)
}

/** Milliseconds for the body of a refusal: its status says the most. */
const refusalTime = 5000

interface Screen {
  /** Which of these are handed on. */
  show(drafts: readonly Draft[]): readonly Draft[]
  /** When the first of all came. */
  readonly firstAt: number | null
}

/** Where nobody looks, of drafts in a row the first of a kind is enough: it says what the model is at. */
function openScreen(ask: Ask, clock: Clock): Screen {
  let firstAt: number | null = null
  let kind: Draft["type"] | null = null
  const isNew = ({ type }: Draft): boolean => {
    const before = kind
    kind = type
    return type !== before
  }
  return {
    show(drafts) {
      if (drafts.length === 0) return drafts
      firstAt ??= clock.now()
      const all = ask.draftsWanted?.() ?? true
      if (all) kind = drafts.at(-1)?.type ?? kind
      return all ? drafts : drafts.filter(isNew)
    },
    get firstAt() {
      return firstAt
    },
  }
}

function timed(reply: Reply, times: Pick<AssistantMessage, "durationMs" | "firstTokenMs">): Reply {
  if (reply.ok) return { ok: true, message: { ...reply.message, ...times } }
  return { ...reply, partial: reply.partial && { ...reply.partial, ...times } }
}

function requestOf<State extends ReplyState>(
  wire: Wire<State>,
  asked: Asked,
  { draftsWanted }: Ask,
  body: Body,
  signal: AbortSignal,
): TransportRequest {
  const { baseUrl, headers } = asked.model
  return {
    url: atBaseUrl(baseUrl, wire.path(asked.model)),
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream", ...wire.headers(asked), ...headers },
    body: body.bytes,
    signal,
    ...(draftsWanted && { watched: draftsWanted }),
  }
}

/** The connection of one request: cut by the asker's signal, by silence, or soon after the reply is over. */
function openLine({ clock, limits }: LinePorts, model: Model, signal: AbortSignal): Line {
  const controller = new AbortController()
  const forward = () => controller.abort(signal.reason)
  signal.addEventListener("abort", forward, { once: true })
  if (signal.aborted) forward()
  const watch = watchSilence(clock, limits, model.provider, (stalled) => controller.abort(stalled))
  let cancelHurry = () => {}
  return {
    signal: controller.signal,
    alive: watch.alive,
    content: watch.content,
    hurry(ms) {
      cancelHurry()
      if (ms !== null) cancelHurry = clock.timer(ms, () => controller.abort())
    },
    close() {
      cancelHurry()
      watch.stop()
      signal.removeEventListener("abort", forward)
    },
  }
}

/** A transport knows addresses; a person wants to know who was not reached. */
function lineFailure(why: Failure, asked: Asked, answered: boolean): Failure {
  const { provider } = asked.model
  if (why.kind !== "network") {
    const words = why.phrases?.message
    const phrases = words === undefined ? {} : { phrases: { ...why.phrases, message: withoutKey(words, asked) } }
    return { provider, ...why, ...phrases, message: oneLine(why.message, asked) }
  }
  const text = answered
    ? phrase`the connection to ${provider} broke before the reply was complete (${why.message})`
    : phrase`${provider} is not reachable (${why.message})`
  const more = answered ? {} : { hint: phrase`Check the network and the base URL (${asked.model.baseUrl}).` }
  const { message, hint, phrases } = failure("network", withoutKey(text, asked), more)
  return { ...why, provider, message: oneLine(message, asked), ...(hint && { hint }), ...(phrases && { phrases }) }
}
