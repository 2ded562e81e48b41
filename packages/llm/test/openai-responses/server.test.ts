import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import OpenAI from "openai"
import type { Clock } from "@gong/spec"
import { startModelServer, type Turn } from "@gong/testing/model-server"
import { openProvider } from "../../src/index.ts"
import { createTransport } from "../../src/transport/transport.ts"
import { requestWith, collect, modelOf } from "../helpers.ts"

// The model server's openai-responses, read by our client and by the official one.

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
  const baseUrl = `${server.url}/v1`
  const credential = { key: "k", from: "X" }
  const provider = await openProvider(modelOf({ api: "openai-responses", baseUrl }), { transport, clock, credential })
  return { baseUrl, ask: async () => (await collect(provider, requestWith({ thinking: "high" }))).reply }
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

test("[PROVIDER-03] reasoning, text, calls and usage over loopback, streamed in any chunks or whole", async (t) => {
  const forms = [{}, { chunkBytes: 1 }, { delta: 1, argDelta: 1 }, { fault: { kind: "not-streamed" } }] as const
  const { ask } = await serve(
    t,
    forms.map((form) => ({ ...turn, ...form })),
  )
  for (const number of [1, 2, 3, 4]) {
    const reply = await ask()
    assert.ok(reply.ok, JSON.stringify(reply))
    assert.deepEqual(reply.message.content, [
      { type: "thinking", text: "Hm, ü.", signature: `rs_reply_${number}|sealed-6` },
      { type: "text", text: "Let me 看 😀" },
      { type: "tool_call", id: `call_${number}_1|fc_reply_${number}_0`, name: "read", arguments: { path: "a.ts" } },
      { type: "tool_call", id: `call_${number}_2|fc_reply_${number}_1`, name: "ls", arguments: {} },
    ])
    assert.deepEqual(reply.message.usage, { input: 20, output: 40, cacheRead: 100, cacheWrite: 0, reasoning: 8 })
  }
})

test("the official client accepts the server's stream", async (t) => {
  const { baseUrl } = await serve(t, [turn, { text: "half", stop: "max_output_tokens" }])
  const client = new OpenAI({ apiKey: "x", baseURL: baseUrl, maxRetries: 0, logLevel: "off" })
  const first = await client.responses.stream({ model: "m", input: "hi" }).finalResponse()
  assert.deepEqual(
    [first.output_text, first.output.map(({ type }) => type)],
    [turn.text, ["reasoning", "message", "function_call", "function_call"]],
  )
  const second = await client.responses.stream({ model: "m", input: "hi" }).finalResponse()
  assert.equal(second.incomplete_details?.reason, "max_output_tokens")
})

test("a transport error is a failure of its kind and never throws", async (t) => {
  const faults = [
    { kind: "status", status: 401, message: "Incorrect API key provided" },
    { kind: "status", status: 429 },
    { kind: "status", status: 400, overflow: true },
    { kind: "status", status: 500 },
    { kind: "error-event", after: { chunks: 5 } },
    { kind: "cut", after: { chunks: 9 } },
    { kind: "drop", after: { chunks: 9 } },
    { kind: "malformed", after: { chunks: 5 } },
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
