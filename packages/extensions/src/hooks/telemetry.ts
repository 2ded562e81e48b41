import {
  type HookEvent,
  type HookEventName,
  type HookEventOf,
  type TelemetrySubscriber,
  textOf,
  type Usage,
} from "@gong/spec"

type Attributes = Record<string, string | number | boolean | string[]>

interface Span {
  setAttributes(attributes: Attributes): unknown
  setStatus(status: { code: number; message?: string }): unknown
  end(): void
}

interface Histogram {
  record(value: number, attributes: Attributes): void
}

interface Context {
  getValue(key: symbol): unknown
  setValue(key: symbol, value: unknown): Context
  deleteValue(key: symbol): Context
}

/** The providers that an SDK registered with `@opentelemetry/api` 1.x in this process; Gong bundles neither. */
export interface Registered {
  readonly trace?: {
    getTracer(
      name: string,
      version: string,
    ): { startSpan(name: string, options: { kind: number; attributes: Attributes }, context: Context): Span }
  }
  readonly context?: { active(): Context }
  readonly metrics?: {
    getMeter(
      name: string,
      version: string,
    ): {
      createHistogram(
        name: string,
        options: { unit: string; description: string; advice: { explicitBucketBoundaries: number[] } },
      ): Histogram
    }
  }
}

/** Context key of a span, the same in every copy of the API. */
const spanKey = Symbol.for("OpenTelemetry Context Key SPAN")

export interface TelemetryOptions {
  readonly version: string
  /** Whether prompts, arguments and results are recorded. */
  readonly content: boolean
}

/** SpanKind and SpanStatusCode of the API. */
const internal = 0
const client = 2
const failed = 2
/** Maximum number of started calls without an end, e.g. of an abandoned run. */
const maxOpen = 1000

/**
 * Runs, requests and calls as spans and metrics of the OpenTelemetry GenAI semantic conventions: `invoke_agent` around `chat`
 * and `execute_tool`.
 */
export function telemetry(registered: Registered, { version, content }: TelemetryOptions): TelemetrySubscriber {
  const tracer = registered.trace?.getTracer("gong", version)
  const metrics = histograms(registered, version)
  const outside = () => registered.context?.active() ?? contextOf()
  const open = new Map<string, Span>()
  const contexts = new Map<string, Context>()
  const start = (
    key: string,
    name: string,
    kind: number,
    attributes: Attributes,
    session: string,
  ): Span | undefined => {
    const span = tracer?.startSpan(name, { kind, attributes }, contexts.get(session) ?? outside())
    if (span !== undefined && open.size < maxOpen) open.set(key, span)
    return span
  }
  const end = (key: string, attributes: Attributes, error: string | null, message?: string): void => {
    const span = open.get(key)
    open.delete(key)
    span?.setAttributes({ ...attributes, ...(error !== null && { "error.type": error }) })
    if (error !== null) span?.setStatus({ code: failed, ...(message !== undefined && { message }) })
    span?.end()
  }
  const receive = (event: HookEvent): void => {
    const session = event.session_id
    switch (event.event) {
      case "agent.start": {
        const span = start(session, "invoke_agent gong", internal, agentAttributes(event, content), session)
        contexts.set(session, outside().setValue(spanKey, span))
        return
      }
      case "agent.end":
        end(session, { "gong.turns": event.steps }, event.status === "done" ? null : event.status)
        contexts.delete(session)
        return
      case "llm.start":
        start(`${session} llm`, `chat ${event.model}`, client, modelAttributes(event), session)
        return
      case "llm.stop":
        metrics?.add(event)
        end(`${session} llm`, replyAttributes(event), event.failure?.kind ?? null, event.failure?.message)
        return
      case "tool.start":
        start(`${session} ${event.id}`, `execute_tool ${event.tool}`, internal, toolAttributes(event, content), session)
        return
      case "tool.stop": {
        const attributes: Attributes = content ? { "gen_ai.tool.call.result": textOf(event.result) } : {}
        end(`${session} ${event.id}`, attributes, event.result.isError ? event.result.status : null)
        return
      }
      default:
    }
  }
  return { wants: (name) => wanted.has(name), receive }
}

const wanted: ReadonlySet<HookEventName> = new Set([
  "agent.start",
  "agent.end",
  "llm.start",
  "llm.stop",
  "tool.start",
  "tool.stop",
])

function agentAttributes({ session_id, prompt }: HookEventOf<"agent.start">, content: boolean): Attributes {
  const messages = [{ role: "user", parts: [{ type: "text", content: prompt }] }]
  return {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "gong",
    "gen_ai.conversation.id": session_id,
    ...(content && { "gen_ai.input.messages": JSON.stringify(messages) }),
  }
}

/** Names in the conventions that differ from Gong's. */
const providers: Readonly<Record<string, string>> = {
  google: "gcp.gemini",
  mistral: "mistral_ai",
  xai: "x_ai",
}

function modelAttributes({ model, provider }: { readonly model: string; readonly provider: string }): Attributes {
  return {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": Object.hasOwn(providers, provider) ? (providers[provider] ?? provider) : provider,
    "gen_ai.request.model": model,
  }
}

function replyAttributes({ usage, stop_reason }: HookEventOf<"llm.stop">): Attributes {
  return {
    ...(stop_reason !== null && { "gen_ai.response.finish_reasons": [stop_reason] }),
    ...(usage && {
      "gen_ai.usage.input_tokens": inputOf(usage),
      "gen_ai.usage.output_tokens": usage.output,
      "gen_ai.usage.cache_read.input_tokens": usage.cacheRead,
      "gen_ai.usage.cache_creation.input_tokens": usage.cacheWrite,
    }),
  }
}

/** The conventions include cached tokens in the input. */
function inputOf({ input, cacheRead, cacheWrite }: Usage): number {
  return input + cacheRead + cacheWrite
}

function toolAttributes({ id, tool, arguments: args }: HookEventOf<"tool.start">, content: boolean): Attributes {
  return {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": tool,
    "gen_ai.tool.call.id": id,
    "gen_ai.tool.type": "function",
    ...(content && { "gen_ai.tool.call.arguments": JSON.stringify(args) }),
  }
}

/** Bucket boundaries of the conventions. */
const seconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const powersOf4 = Array.from({ length: 14 }, (_, power) => 4 ** power)

function histograms({ metrics }: Registered, version: string) {
  if (metrics === undefined) return null
  const meter = metrics.getMeter("gong", version)
  const duration = meter.createHistogram("gen_ai.client.operation.duration", {
    unit: "s",
    description: "GenAI operation duration",
    advice: { explicitBucketBoundaries: seconds },
  })
  const tokens = meter.createHistogram("gen_ai.client.token.usage", {
    unit: "{token}",
    description: "Number of input and output tokens used",
    advice: { explicitBucketBoundaries: powersOf4 },
  })
  return {
    add(event: HookEventOf<"llm.stop">): void {
      const model = modelAttributes(event)
      const error: Attributes = event.failure ? { "error.type": event.failure.kind } : {}
      duration.record(event.duration_ms / 1000, { ...model, ...error })
      if (event.usage === null) return
      tokens.record(inputOf(event.usage), { ...model, "gen_ai.token.type": "input" })
      tokens.record(event.usage.output, { ...model, "gen_ai.token.type": "output" })
    },
  }
}

/** A context as the API creates it, for an SDK without context propagation. */
function contextOf(values: ReadonlyMap<symbol, unknown> = new Map()): Context {
  return {
    getValue: (key) => values.get(key),
    setValue: (key, value) => contextOf(new Map(values).set(key, value)),
    deleteValue: (without) => contextOf(new Map([...values].filter(([key]) => key !== without))),
  }
}
