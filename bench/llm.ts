/** Measures the package llm without a network: `node bench/llm.ts`. CPU time in milliseconds or microseconds, best of several rounds. */
import { anthropicMessages } from "../packages/llm/src/anthropic-messages/provider.ts"
import { format as googleFormat } from "../packages/llm/src/google-generative-ai/request.ts"
import { googleGenerativeAi } from "../packages/llm/src/google-generative-ai/provider.ts"
import { format as responsesFormat } from "../packages/llm/src/openai-responses/request.ts"
import { openaiResponses } from "../packages/llm/src/openai-responses/provider.ts"
import { openaiCompletions } from "../packages/llm/src/openai-completions/provider.ts"
import { format } from "../packages/llm/src/openai-completions/request.ts"
import { format as anthropicFormat } from "../packages/llm/src/anthropic-messages/request.ts"
import { createBodyCache, type BodyFormat } from "../packages/llm/src/protocol/request/body.ts"
import { accumulator } from "../packages/llm/src/protocol/reply/partial-json.ts"
import {
  type Clock,
  deepFreeze,
  type Message,
  type Model,
  noUsage,
  type Provider,
  type Transport,
  userText,
} from "../packages/spec/src/index.ts"

const model: Model = {
  provider: "bench",
  id: "m",
  api: "openai-completions",
  baseUrl: "http://127.0.0.1/v1",
  contextWindow: 1_000_000,
  maxOutput: 8000,
  reasoning: false,
  images: true,
}
const clock: Clock = { now: Date.now, sleep: async () => {}, timer: () => () => {} }
const signal = new AbortController().signal

console.log("stream parse + reply, CPU (whole / per delta)")
const text = (size: number) =>
  JSON.stringify({ id: "c", choices: [{ index: 0, delta: { content: "x".repeat(size) } }] })
const args = (piece: string) =>
  JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: piece } }] } }] })
const opening = JSON.stringify({
  choices: [
    {
      index: 0,
      delta: {
        tool_calls: [{ index: 0, id: "c1", function: { name: "write", arguments: '{"path":"a","content":"' } }],
      },
    },
  ],
})
const deltas = (count: number, one: string) => Array.from({ length: count }, () => one)
await stream("200 KB text, 20,000 deltas", deltas(20_000, text(10)), false)
await stream("400 KB text, 40,000 deltas", deltas(40_000, text(10)), false)
await stream("400 KB arguments, 8,000 deltas", [opening, ...deltas(8000, args("y".repeat(50))), args('"}')], false)
await stream("800 KB arguments, 16,000 deltas", [opening, ...deltas(16_000, args("y".repeat(50))), args('"}')], false)
await stream(
  "400 KB arguments, every partialArgs read",
  [opening, ...deltas(8000, args("y".repeat(50))), args('"}')],
  true,
)
await stream(
  "800 KB arguments, every partialArgs read",
  [opening, ...deltas(16_000, args("y".repeat(50))), args('"}')],
  true,
)
await anthropicStream("anthropic: 200 KB text, 20,000 deltas")
await responsesStream("responses: 200 KB text, 20,000 deltas")
await googleStream("google: 200 KB text, 20,000 deltas")

console.log("\npartial JSON alone, 400 KB in 8,000 pieces and 800 KB in 16,000")
for (const count of [8000, 16_000]) report(`${count} pieces`, await best(5, () => readPieces(count)), count)

console.log("\nrequest body, 2,000 messages / 4.4 MB")
bodies("openai-completions", format, model)
bodies("openai-responses", responsesFormat, { ...model, api: "openai-responses" })
bodies("anthropic-messages", anthropicFormat, { ...model, api: "anthropic-messages" })
bodies("google-generative-ai", googleFormat, { ...model, api: "google-generative-ai" })

async function stream(name: string, data: readonly string[], look: boolean): Promise<void> {
  const bytes = chunked(
    `${[...data, '{"choices":[{"delta":{},"finish_reason":"stop"}]}', "[DONE]"].map((one) => `data: ${one}`).join("\n\n")}\n\n`,
  )
  const provider = openaiCompletions(model, { transport: replay(bytes), clock, credential: null })
  const cpu = await best(5, async () => {
    for await (const partial of provider.stream({
      system: "",
      tools: [],
      messages: [],
      thinking: "off",
      draftId: "d",
      signal,
    })) {
      if (look && partial.type === "args" && partial.partialArgs === undefined) throw new Error("no view")
    }
  })
  report(name, cpu, data.length)
}

async function anthropicStream(name: string): Promise<void> {
  const delta = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "x".repeat(10) } }
  const begin = { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }
  const all = [begin, ...Array.from({ length: 20_000 }, () => delta), { type: "message_stop" }]
  await namedStream(name, all, (transport) =>
    anthropicMessages({ ...model, api: "anthropic-messages" }, { transport, clock, credential: null }),
  )
}

async function responsesStream(name: string): Promise<void> {
  const place = { item_id: "msg_1", output_index: 0, content_index: 0 }
  const delta = {
    type: "response.output_text.delta",
    ...place,
    delta: "x".repeat(10),
    logprobs: [],
    sequence_number: 9,
  }
  const begin = { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "msg_1" } }
  const end = { type: "response.completed", response: { status: "completed", output: [] } }
  await namedStream(name, [begin, ...Array.from({ length: 20_000 }, () => delta), end], (transport) =>
    openaiResponses({ ...model, api: "openai-responses" }, { transport, clock, credential: null }),
  )
}

async function googleStream(name: string): Promise<void> {
  const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 5, totalTokenCount: 105 }
  const part = { content: { parts: [{ text: "x".repeat(10) }], role: "model" }, index: 0 }
  const delta = { candidates: [part], usageMetadata, modelVersion: "m", responseId: "r" }
  const end = { ...delta, candidates: [{ ...part, finishReason: "STOP" }] }
  const all = [...Array.from({ length: 20_000 }, () => delta), end]
  await timedStream(name, all.map((one) => `data: ${JSON.stringify(one)}\r\n\r\n`).join(""), (transport) =>
    googleGenerativeAi({ ...model, api: "google-generative-ai" }, { transport, clock, credential: null }),
  )
}

async function namedStream(
  name: string,
  all: readonly { readonly type: string }[],
  open: (transport: Transport) => Provider,
): Promise<void> {
  await timedStream(name, all.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join(""), open)
}

async function timedStream(name: string, text: string, open: (transport: Transport) => Provider): Promise<void> {
  const provider = open(replay(chunked(text)))
  const ask = { system: "", tools: [], messages: [], thinking: "off", draftId: "d", signal } as const
  const cpu = await best(5, async () => {
    for await (const _ of provider.stream(ask));
  })
  report(name, cpu, 20_000)
}

/** Chunks of the size that a socket delivers. */
function chunked(text: string): readonly Uint8Array[] {
  const bytes = new TextEncoder().encode(text)
  const chunks: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += 65_536) chunks.push(bytes.subarray(at, at + 65_536))
  return chunks
}

function replay(chunks: readonly Uint8Array[]): Transport {
  return {
    async send() {
      async function* body() {
        yield* chunks
      }
      return { status: 200, headers: {}, body: body() }
    },
  }
}

async function readPieces(count: number): Promise<void> {
  const json = accumulator()
  json.add('{"path":"a","content":"')
  for (let i = 0; i < count; i++) json.add("y".repeat(50))
  json.add('"}')
}

function bodies(name: string, protocol: BodyFormat, of: Model): void {
  const messages: Message[] = []
  for (let i = 0; i < 1000; i++) messages.push(...turn(i))
  const options = { model: of, system: "s".repeat(5000), tools: [], thinking: "off", withoutThinking: false } as const
  const cache = createBodyCache(protocol)
  const first = timed(() => cache(messages, options).release())
  const turns: number[] = []
  let size = 0
  for (let i = 0; i < 50; i++) {
    messages.push(...turn(1000 + i))
    const now = messages.slice()
    turns.push(
      timed(() => {
        const body = cache(now, options)
        size = body.bytes.reduce((sum, bytes) => sum + bytes.length, 0)
        body.release()
      }),
    )
  }
  const middle = turns.toSorted((a, b) => a - b)[25] ?? 0
  console.log(
    `  ${name}: ${(size / 1e6).toFixed(1)} MB, first ${first.toFixed(1)} ms, per turn ${middle.toFixed(3)} ms (median)`,
  )
}

function turn(index: number): readonly Message[] {
  const from = { provider: of().provider, id: of().id, api: of().api }
  const call = {
    type: "tool_call",
    id: `call_${index}`,
    name: "read",
    arguments: { path: `src/file-${index}.ts` },
  } as const
  const content = [{ type: "text", text: "line of text\n".repeat(320) } as const]
  return [
    index === 0 ? userText("go") : null,
    deepFreeze({
      role: "assistant",
      content: [call],
      model: from,
      stopReason: "tool_calls",
      usage: noUsage,
      cost: null,
    } as const),
    deepFreeze({
      role: "tool",
      toolCallId: call.id,
      toolName: "read",
      content,
      details: null,
      isError: false,
      status: "ok",
    } as const),
  ].filter((message) => message !== null)
}

function of(): Model {
  return model
}

function timed(work: () => void): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

async function best(rounds: number, work: () => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < rounds; i++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

function report(name: string, ms: number, count: number): void {
  console.log(`  ${name}: ${ms.toFixed(1)} ms, ${((ms * 1000) / count).toFixed(2)} us each`)
}
