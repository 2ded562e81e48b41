import assert from "node:assert/strict"
import { test } from "node:test"
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics"
import { TracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace"
import { failure, type HookEvent, noUsage, type ToolResultMessage } from "@gong/spec"
import { telemetry } from "../../src/hooks/telemetry.ts"

/** The real API and SDK with an in-memory exporter; nothing of the process is registered. */
function collected(content = false) {
  const spans = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] })
  const sent = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter: sent, exportIntervalMillis: 3_600_000 })
  const meters = new MeterProvider({ readers: [reader] })
  const subscriber = telemetry({ trace: provider, metrics: meters }, { version: "1", content })
  return {
    tell: (event: HookEvent) => subscriber.wants(event.event) && subscriber.receive(event),
    spans: () => spans.getFinishedSpans(),
    async metrics() {
      await reader.forceFlush()
      const all = sent.getMetrics().flatMap((one) => one.scopeMetrics.flatMap((scope) => scope.metrics))
      await meters.shutdown()
      return all
    },
  }
}

const session_id = "s1"
const model = { model: "gemini-x", provider: "google" }
const result: ToolResultMessage = {
  role: "tool",
  toolCallId: "c1",
  toolName: "bash",
  content: [{ type: "text", text: "SECRET RESULT" }],
  details: null,
  isError: true,
  status: "error",
}
const run: readonly HookEvent[] = [
  { event: "session.start", session_id },
  { event: "agent.start", session_id, prompt: "SECRET PROMPT" },
  { event: "turn.start", session_id, turn_index: 0 },
  { event: "llm.start", session_id, ...model },
  {
    event: "llm.stop",
    session_id,
    ...model,
    duration_ms: 1500,
    usage: { ...noUsage, input: 10, cacheRead: 85, cacheWrite: 5, output: 7 },
    stop_reason: "tool_calls",
    failure: null,
  },
  { event: "tool.start", session_id, id: "c1", tool: "bash", arguments: { command: "SECRET COMMAND" } },
  { event: "tool.stop", session_id, id: "c1", tool: "bash", duration_ms: 3, result },
  { event: "llm.start", session_id, ...model },
  {
    event: "llm.stop",
    session_id,
    ...model,
    duration_ms: 20,
    usage: null,
    stop_reason: null,
    failure: failure("overloaded", "busy"),
  },
  { event: "agent.end", session_id, duration_ms: 2000, steps: 1, status: "failed" },
]

test("a run is nested spans of the GenAI conventions, without any content", () => {
  const { tell, spans } = collected()
  for (const event of run) tell(event)
  const [chat, ran, again, agent] = spans()
  assert.deepEqual(
    spans().map(({ name, kind }) => [name, kind]),
    [
      ["chat gemini-x", 2],
      ["execute_tool bash", 0],
      ["chat gemini-x", 2],
      ["invoke_agent gong", 0],
    ],
  )
  const parent = agent?.spanContext().spanId
  assert.ok(parent)
  assert.deepEqual(
    spans().map(({ parentSpanContext }) => parentSpanContext?.spanId),
    [parent, parent, parent, undefined],
  )
  assert.deepEqual(chat?.attributes, {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "gcp.gemini",
    "gen_ai.request.model": "gemini-x",
    "gen_ai.response.finish_reasons": ["tool_calls"],
    "gen_ai.usage.input_tokens": 100,
    "gen_ai.usage.output_tokens": 7,
    "gen_ai.usage.cache_read.input_tokens": 85,
    "gen_ai.usage.cache_creation.input_tokens": 5,
  })
  assert.deepEqual(ran?.attributes, {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "bash",
    "gen_ai.tool.call.id": "c1",
    "gen_ai.tool.type": "function",
    "error.type": "error",
  })
  assert.deepEqual([again?.status, again?.attributes["error.type"]], [{ code: 2, message: "busy" }, "overloaded"])
  assert.deepEqual(agent?.attributes, {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "gong",
    "gen_ai.conversation.id": "s1",
    "gong.turns": 1,
    "error.type": "failed",
  })
  assert.doesNotMatch(JSON.stringify(spans().map(({ attributes }) => attributes)), /SECRET/)
})

test("events after the end of a run belong to no run", () => {
  const { tell, spans } = collected()
  for (const event of [...run, ...run.slice(5, 7)]) tell(event)
  assert.equal(spans().length, 5)
  assert.equal(spans().at(-1)?.parentSpanContext, undefined)
})

test("content is recorded only on request", () => {
  const { tell, spans } = collected(true)
  for (const event of run) tell(event)
  const all = JSON.stringify(spans().map(({ attributes }) => attributes))
  for (const what of ["PROMPT", "COMMAND", "RESULT"]) assert.match(all, new RegExp(`SECRET ${what}`))
})

test("metrics: duration in seconds, tokens in and out", async () => {
  const { tell, metrics: flushed } = collected()
  for (const event of run) tell(event)
  const rows = (await flushed()).map(({ descriptor, dataPoints }) => [
    descriptor.name,
    descriptor.unit,
    dataPoints.map(({ value, attributes }) => [
      (value as { sum: number }).sum,
      attributes["gen_ai.token.type"] ?? attributes["error.type"] ?? null,
    ]),
  ])
  assert.deepEqual(rows, [
    [
      "gen_ai.client.operation.duration",
      "s",
      [
        [1.5, null],
        [0.02, "overloaded"],
      ],
    ],
    [
      "gen_ai.client.token.usage",
      "{token}",
      [
        [100, "input"],
        [7, "output"],
      ],
    ],
  ])
})

test("successful spans have no error; other names of providers are Gong's", () => {
  const { tell, spans } = collected()
  const provider = "toString"
  const stop = { duration_ms: 1, usage: null, stop_reason: null, failure: null }
  tell({ event: "agent.start", session_id, prompt: "" })
  tell({ event: "llm.start", session_id, model: "m", provider })
  tell({ event: "llm.stop", session_id, model: "m", provider, ...stop })
  tell({ event: "tool.start", session_id, id: "c1", tool: "bash", arguments: {} })
  tell({
    event: "tool.stop",
    session_id,
    id: "c1",
    tool: "bash",
    duration_ms: 3,
    result: { ...result, isError: false },
  })
  tell({ event: "agent.end", session_id, duration_ms: 2, steps: 1, status: "done" })
  assert.deepEqual(
    spans().map(({ status, attributes }) => [status.code, attributes["error.type"]]),
    [
      [0, undefined],
      [0, undefined],
      [0, undefined],
    ],
  )
  assert.equal(spans()[0]?.attributes["gen_ai.provider.name"], provider)
})

test("at most a thousand spans are open; without an SDK nothing happens", () => {
  const { tell, spans } = collected()
  const each = (event: (id: string) => HookEvent) => Array.from({ length: 1001 }, (_, at) => tell(event(`c${at}`)))
  each((id) => ({ event: "tool.start", session_id, id, tool: "bash", arguments: {} }))
  each((id) => ({ event: "tool.stop", session_id, id, tool: "bash", duration_ms: 3, result }))
  assert.equal(spans().length, 1000)
  const others = collected()
  for (let at = 0; at <= 1000; at++)
    for (const event of run.slice(5, 7)) others.tell({ ...event, id: `c${at}` } as HookEvent)
  assert.equal(others.spans().length, 1001, "those that ended take no room")
  const none = telemetry({}, { version: "1", content: false })
  for (const event of run) none.receive(event)
})

test("token counts have buckets with powers of four", async () => {
  const { tell, metrics: flushed } = collected()
  for (const event of run) tell(event)
  const [duration, tokens] = (await flushed()).map(
    ({ dataPoints }) => (dataPoints[0]?.value as { buckets: { boundaries: number[] } } | undefined)?.buckets.boundaries,
  )
  assert.deepEqual(duration?.slice(0, 3), [0.01, 0.02, 0.04])
  assert.deepEqual([tokens?.length, tokens?.slice(0, 4)], [14, [1, 4, 16, 64]])
})
