import assert from "node:assert/strict"
import { test } from "node:test"
import { openaiCompletions } from "../../src/openai-completions/provider.ts"
import { collect, events, fakeTransport, manualClock, modelOf, type Piece } from "../helpers.ts"

const price = { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 }

async function replyOf(body: readonly Piece[], rates = price) {
  const ports = { transport: fakeTransport({ body }), clock: manualClock(), credential: null }
  return (await collect(openaiCompletions(modelOf({ price: rates }), ports))).reply
}

const answer = events({ choices: [{ index: 0, delta: { content: "a" }, finish_reason: "stop" }] })

/** `usage` as JSON. */
async function replyTo(usage: string) {
  const reply = await replyOf([answer, `data: {"choices":[],"usage":${usage}}\n\n`])
  assert.ok(reply.ok)
  return reply.message
}

const replyWith = (usage: object) => replyTo(JSON.stringify(usage))

const asked = { prompt_tokens: 100_000, completion_tokens: 100 }

test("cache writes are part of the prompt, and have their own price", async () => {
  const { usage, cost } = await replyWith({
    ...asked,
    prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 99_000 },
  })
  assert.deepEqual(usage, { input: 1000, output: 100, cacheRead: 0, cacheWrite: 99_000, reasoning: 0 })
  assert.equal(cost, 0.2505)
})

test("cache reads, under every name that servers use", async () => {
  const counts = { input: 10_000, output: 100, cacheRead: 90_000, cacheWrite: 0, reasoning: 0 }
  for (const printed of [
    { prompt_tokens_details: { cached_tokens: 90_000 } },
    { cached_tokens: 90_000 },
    { cached_tokens: 90_000, prompt_tokens_details: { cached_tokens: 90_000 } },
    { prompt_cache_hit_tokens: 90_000, prompt_cache_miss_tokens: 10_000 },
  ])
    assert.deepEqual((await replyWith({ ...asked, ...printed })).usage, counts, JSON.stringify(printed))
})

test("usage inside the choice counts, and usage beside it takes precedence", async () => {
  const printed = { prompt_tokens: 7, completion_tokens: 5 }
  const inside = (usage: object) => ({ index: 0, delta: { content: "a" }, finish_reason: "stop", usage })
  const last = { index: 0, delta: {}, usage: printed }
  for (const pieces of [
    [{ choices: [inside(printed)] }],
    [{ choices: [inside({ prompt_tokens: 7, completion_tokens: 1 })] }, { choices: [last] }],
    [{ choices: [inside({ prompt_tokens: 1 })] }, { choices: [], usage: printed }],
  ]) {
    const reply = await replyOf([events(...pieces)])
    assert.ok(reply.ok)
    assert.deepEqual(reply.message.usage, { input: 7, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0 })
  }
})

test("no count is negative, whatever a server sends", async () => {
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

test("a reply without usage has an unknown cost, and is valid", async () => {
  for (const usage of ["null", "{}", '{"prompt_tokens":0,"completion_tokens":0}', '{"prompt_tokens":"500"}']) {
    const message = await replyTo(usage)
    assert.equal(message.cost, null, usage)
    assert.equal(message.usage.input, 0)
  }
  const free = await replyOf([answer], { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 })
  assert.equal(free.ok && free.message.cost, 0)
})

test("the cost of an attempt that was cut before its usage is unknown, whatever its content", async () => {
  const piece = (delta: object) => events({ choices: [{ index: 0, delta, finish_reason: null }] })
  const begun = { index: 0, id: "c1", type: "function", function: { name: "ls", arguments: '{"a' } }
  for (const delta of [{ content: "half" }, { reasoning_content: "hm" }, { tool_calls: [begun] }]) {
    const reply = await replyOf([piece(delta)])
    assert.ok(!reply.ok)
    assert.ok(reply.partial, JSON.stringify(delta))
    assert.equal(reply.partial.cost, null)
  }
  const nothing = await replyOf([])
  assert.equal(!nothing.ok && nothing.partial, null)
})
