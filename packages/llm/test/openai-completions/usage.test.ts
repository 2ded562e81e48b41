import assert from "node:assert/strict"
import { test } from "node:test"
import { openaiCompletions } from "../../src/openai-completions/provider.ts"
import { collect, events, fakeTransport, manualClock, modelOf } from "../helpers.ts"

const price = { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 }

/** `usage` as JSON. */
async function replyTo(usage: string) {
  const choice = { index: 0, delta: { content: "a" }, finish_reason: "stop" }
  const body = [events({ choices: [choice] }), `data: {"choices":[],"usage":${usage}}\n\n`]
  const ports = { transport: fakeTransport({ body }), clock: manualClock(), credential: null }
  const { reply } = await collect(openaiCompletions(modelOf({ price }), ports))
  assert.ok(reply.ok)
  return reply.message
}

const replyWith = (usage: object) => replyTo(JSON.stringify(usage))

const asked = { prompt_tokens: 100_000, completion_tokens: 100 }

test("what was written to the cache is part of the prompt, and has a price of its own", async () => {
  const { usage, cost } = await replyWith({
    ...asked,
    prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 99_000 },
  })
  assert.deepEqual(usage, { input: 1000, output: 100, cacheRead: 0, cacheWrite: 99_000, reasoning: 0 })
  assert.equal(cost, 0.2505)
})

test("what was read from the cache, wherever a server says it", async () => {
  const counts = { input: 10_000, output: 100, cacheRead: 90_000, cacheWrite: 0, reasoning: 0 }
  for (const said of [
    { prompt_tokens_details: { cached_tokens: 90_000 } },
    { cached_tokens: 90_000 },
    { cached_tokens: 90_000, prompt_tokens_details: { cached_tokens: 90_000 } },
    { prompt_cache_hit_tokens: 90_000, prompt_cache_miss_tokens: 10_000 },
  ])
    assert.deepEqual((await replyWith({ ...asked, ...said })).usage, counts, JSON.stringify(said))
})

test("no count is below zero, whatever a server says", async () => {
  for (const details of [
    { cached_tokens: 200_000 },
    { cached_tokens: 60_000, cache_write_tokens: 60_000 },
    { cached_tokens: -5, cache_write_tokens: -5 },
  ]) {
    const { usage, cost } = await replyWith({ ...asked, prompt_tokens_details: details })
    assert.ok(Object.values(usage).every((count) => count >= 0))
    assert.ok(cost !== null && cost > 0)
  }
  const { usage } = await replyTo('{"prompt_tokens":1e999,"completion_tokens":7,"cached_tokens":1e999}')
  assert.deepEqual(usage, { input: 0, output: 7, cacheRead: 0, cacheWrite: 0, reasoning: 0 })
})
