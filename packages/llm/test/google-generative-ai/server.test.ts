import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { GoogleGenAI, type Part } from "@google/genai"
import type { Clock } from "@gong/spec"
import { startModelServer, type Turn } from "@gong/testing/model-server"
import { openProvider } from "../../src/index.ts"
import { createTransport } from "../../src/transport/transport.ts"
import { requestWith, collect, modelOf } from "../helpers.ts"

// The model server's google-generative-ai, read by our client and by the official one.

const clock: Clock = {
  now: Date.now,
  sleep: () => Promise.reject(new Error("nothing sleeps here")),
  timer(ms, callback) {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
}

async function serve(t: TestContext, turns: readonly Turn[]) {
  const server = await startModelServer({ turns })
  const transport = createTransport()
  t.after(async () => {
    transport.close()
    await server.close()
    assert.deepEqual(server.problems, [])
  })
  const model = modelOf({ api: "google-generative-ai", baseUrl: `${server.url}/v1beta` })
  const provider = await openProvider(model, { transport, clock, credential: { key: "k", from: "X" } })
  return { server, ask: async () => (await collect(provider, requestWith({ thinking: "high" }))).reply }
}

const turn: Turn = {
  thinking: "Hm, ü.",
  text: "Let me 看 😀",
  calls: [
    { name: "read", args: { path: "a.ts" } },
    { name: "ls", args: {} },
  ],
  usage: { input: 20, output: 40, cacheRead: 100, reasoning: 8 },
}

const signature = (number: number) => Buffer.from(`sealed reply_${number}`).toString("base64")

test("[PROVIDER-04] reasoning, text, calls and usage over loopback, streamed in any chunks or whole", async (t) => {
  const forms = [{}, { chunkBytes: 1 }, { delta: 1 }, { fault: { kind: "not-streamed" } }] as const
  const { ask } = await serve(
    t,
    forms.map((form) => ({ ...turn, ...form })),
  )
  for (const number of [1, 2, 3, 4]) {
    const reply = await ask()
    assert.ok(reply.ok, JSON.stringify(reply))
    assert.deepEqual(reply.message.content, [
      { type: "thinking", text: "Hm, ü.", signature: "" },
      { type: "text", text: "Let me 看 😀" },
      {
        type: "tool_call",
        id: `call_${number}_1`,
        name: "read",
        arguments: { path: "a.ts" },
        signature: signature(number),
      },
      { type: "tool_call", id: `call_${number}_2`, name: "ls", arguments: {} },
    ])
    assert.deepEqual(reply.message.usage, { input: 20, output: 40, cacheRead: 100, cacheWrite: 0, reasoning: 8 })
  }
})

test("the official client accepts the server's stream", async (t) => {
  const { server } = await serve(t, [turn, { text: "half", stop: "MAX_TOKENS" }])
  const client = new GoogleGenAI({ apiKey: "x", httpOptions: { baseUrl: server.url } })
  const parts: Part[] = []
  for await (const chunk of await client.models.generateContentStream({ model: "m", contents: "hi" }))
    parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []))
  const printed = (thought: boolean) =>
    parts.map((part) => ((part.thought ?? false) === thought ? (part.text ?? "") : "")).join("")
  assert.deepEqual([printed(true), printed(false)], ["Hm, ü.", "Let me 看 😀"])
  assert.deepEqual(
    parts.flatMap((part) => (part.functionCall ? [part.functionCall.name, part.thoughtSignature] : [])),
    ["read", signature(1), "ls", undefined],
  )
  const reasons = []
  for await (const chunk of await client.models.generateContentStream({ model: "m", contents: "hi" }))
    reasons.push(chunk.candidates?.[0]?.finishReason)
  assert.equal(reasons.at(-1), "MAX_TOKENS")
})

test("a transport error is a failure of its kind and never throws", async (t) => {
  const faults = [
    { kind: "status", status: 400, message: "API key not valid. Please pass a valid API key." },
    { kind: "status", status: 429 },
    { kind: "status", status: 400, overflow: true },
    { kind: "status", status: 500 },
    { kind: "error-event", after: { chunks: 2 } },
    { kind: "cut", after: { chunks: 3 } },
    { kind: "drop", after: { chunks: 3 } },
    { kind: "malformed", after: { chunks: 2 } },
  ] as const
  const { ask } = await serve(
    t,
    faults.map((fault) => ({ ...turn, fault })),
  )
  const kinds: string[] = []
  for (const _ of faults) {
    const reply = await ask()
    kinds.push(reply.ok ? "ok" : reply.failure.kind)
  }
  assert.deepEqual(kinds, [
    "auth",
    "rate-limit",
    "context-overflow",
    "overloaded",
    "overloaded",
    "network",
    "network",
    "bad-reply",
  ])
})
