import {
  type ModelRequest,
  type AssistantMessage,
  type Clock,
  deepFreeze,
  type PartialUpdate,
  type Message,
  type Model,
  noUsage,
  type Provider,
  type Reply,
  type Transport,
  type TransportRequest,
  userText,
  type ToolResultMessage,
} from "@gong/spec"

export function modelOf(more: Partial<Model> = {}): Model {
  return {
    provider: "test",
    id: "m",
    api: "openai-completions",
    baseUrl: "http://model.test/v1",
    contextWindow: 100_000,
    maxOutput: 8000,
    reasoning: true,
    images: true,
    ...more,
  }
}

export function requestWith(more: Partial<ModelRequest> = {}): ModelRequest {
  const { signal } = new AbortController()
  const messages: readonly Message[] = [deepFreeze(userText("hi"))]
  return { system: "sys", tools: [], messages, thinking: "off", draftId: "d1", signal, ...more }
}

export function replyMessage(
  content: AssistantMessage["content"],
  more: Partial<AssistantMessage> = {},
): AssistantMessage {
  const model = { provider: "test", id: "m", api: "openai-completions" }
  return deepFreeze({ role: "assistant", content, model, stopReason: "stop", usage: noUsage, cost: null, ...more })
}

/** The result of a call of `ls`. */
export function resultMessage(id: string, text: string, more: Partial<ToolResultMessage> = {}): ToolResultMessage {
  return deepFreeze({
    role: "tool",
    toolCallId: id,
    toolName: "ls",
    content: [{ type: "text", text }],
    details: { secret: 1 },
    isError: false,
    status: "ok",
    ...more,
  })
}

/** A clock that advances only on request. */
export interface ManualClock extends Clock {
  /** Advances the clock and runs due timers in order. */
  advance(ms: number): void
}

export function manualClock(start = 1_000_000): ManualClock {
  let now = start
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()
  const timer = (ms: number, run: () => void) => {
    const entry = { at: now + ms, run }
    timers.add(entry)
    return () => void timers.delete(entry)
  }
  return {
    now: () => now,
    timer,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        timer(ms, resolve)
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true })
      }),
    advance(ms) {
      const end = now + ms
      for (;;) {
        const due = [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0]
        if (!due) break
        timers.delete(due)
        now = due.at
        due.run()
      }
      now = end
    },
  }
}

export interface FakeReply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Chunks of the body; an Error breaks the connection there, a promise is awaited. */
  readonly body: Iterable<Piece> | AsyncIterable<Piece>
}

export type Piece = string | Uint8Array | Error | Promise<unknown>

export interface FakeTransport extends Transport {
  readonly requests: TransportRequest[]
  /** Bodies of the requests, parsed. */
  bodies(): unknown[]
  /** Number of bodies whose reading ended, completely or early. */
  left: number
}

/** Answers each request with the next reply, and then always with the last one. Obeys the signal like the port. */
export function fakeTransport(...replies: readonly FakeReply[]): FakeTransport {
  const requests: TransportRequest[] = []
  const bodies: unknown[] = []
  const transport: FakeTransport = {
    requests,
    bodies: () => bodies,
    left: 0,
    async send(request) {
      requests.push(request)
      bodies.push(JSON.parse(request.body.map((bytes) => Buffer.from(bytes).toString()).join("")))
      const reply = replies[Math.min(requests.length, replies.length) - 1]
      if (!reply) throw new Error("no reply was given")
      return { status: reply.status ?? 200, headers: reply.headers ?? {}, body: bodyOf(reply, request.signal) }
    },
  }
  async function* bodyOf(reply: FakeReply, signal: AbortSignal) {
    try {
      for await (const piece of reply.body) {
        if (signal.aborted) throw signal.reason
        if (piece instanceof Error) throw piece
        if (typeof piece === "string") yield Buffer.from(piece)
        else if (piece instanceof Uint8Array) yield piece
      }
    } finally {
      transport.left++
    }
  }
  return transport
}

/** Waits until the signal of the request aborts: a server that sends nothing more. */
export async function* silentAfter(transport: () => FakeTransport, ...pieces: readonly string[]) {
  yield* pieces
  const signal = transport().requests.at(-1)?.signal
  await new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true })
  })
  yield ""
}

export function events(...chunks: readonly unknown[]): string {
  return chunks.map((chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`).join("")
}

export interface Collected {
  readonly partials: readonly PartialUpdate[]
  readonly reply: Reply
}

/** `look` is called with each partial. */
export async function collect(
  provider: Provider,
  ask: ModelRequest = requestWith(),
  look: (partial: PartialUpdate) => void = () => {},
): Promise<Collected> {
  const partials: PartialUpdate[] = []
  const stream = provider.stream(ask)
  for (;;) {
    const next = await stream.next()
    if (next.done) return { partials, reply: next.value }
    look(next.value)
    partials.push(next.value)
  }
}
