import assert from "node:assert/strict"
import { test } from "node:test"
import type { Model } from "@gong/spec"
import { openaiCompletions } from "../../src/openai-completions/provider.ts"
import { collect, events, fakeTransport, manualClock, modelOf } from "../helpers.ts"

interface Ending {
  readonly reason: string
  readonly content?: string
  readonly usage?: object
  readonly model?: Partial<Model>
}

async function ended({ reason, content, usage, model }: Ending): Promise<string> {
  const delta = content === undefined ? {} : { content }
  const body = events({ choices: [{ index: 0, delta, finish_reason: reason }] }, { choices: [], usage: usage ?? {} })
  const ports = { transport: fakeTransport({ body: [body] }), clock: manualClock(), credential: null }
  const { reply } = await collect(openaiCompletions(modelOf(model), ports))
  return reply.ok ? reply.message.stopReason : reply.failure.kind
}

test("a window that is full before the reply is an overflow, one that the reply fills a length", async () => {
  const reason = "model_context_window_exceeded"
  assert.equal(await ended({ reason }), "context-overflow")
  assert.equal(await ended({ reason, content: "half" }), "length")
})

test("a server that truncates the prompt to the window and has no room left is an overflow (Xiaomi MiMo)", async () => {
  const model = { contextWindow: 100_000 }
  const full = { prompt_tokens: 99_990, completion_tokens: 0 }
  assert.equal(await ended({ reason: "length", usage: full, model }), "context-overflow")
  assert.equal(await ended({ reason: "length", usage: full, model, content: "a" }), "length")
  assert.equal(await ended({ reason: "length", usage: { ...full, prompt_tokens: 50_000 }, model }), "length")
  assert.equal(await ended({ reason: "length", usage: { ...full, completion_tokens: 9 }, model }), "length")
})

test("Zhipu's reasons: its filter is a refusal, its inference error is retried", async () => {
  assert.equal(await ended({ reason: "sensitive", content: "a" }), "model-refused")
  assert.equal(await ended({ reason: "network_error", content: "a" }), "overloaded")
})
