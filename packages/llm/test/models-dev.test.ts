import assert from "node:assert/strict"
import { test } from "node:test"
import type { ProviderRow } from "../src/index.ts"
import { minWindow, readModelsDev } from "../src/models-dev.ts"

const row: ProviderRow = {
  id: "own",
  name: "Own",
  api: "openai-completions",
  baseUrl: "http://a",
  keys: [],
  defaultModel: null,
}

const limit = { context: 100_000, output: 1000 }

/** The facts of one model with this description. */
function factsOf(model: unknown, more: Partial<ProviderRow> = {}): unknown {
  return readModelsDev({ own: { models: { m: model } } }, [{ ...row, ...more }]).get("own")?.["m"]
}

test("limits, abilities and price of a model are read", () => {
  const model = {
    tool_call: true,
    limit,
    reasoning: true,
    modalities: { input: ["text", "image"] },
    cost: { input: 1, output: 2, cache_read: 0.1, cache_write: 3 },
  }
  const price = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 3 }
  assert.deepEqual(factsOf(model), { contextWindow: 100_000, maxOutput: 1000, reasoning: true, images: true, price })
  assert.deepEqual(factsOf({ tool_call: true, limit }), {
    contextWindow: 100_000,
    maxOutput: 1000,
    reasoning: false,
    images: false,
  })
  const odd = { tool_call: true, limit, reasoning: "yes", modalities: { input: "image" } }
  assert.deepEqual(factsOf(odd), factsOf({ tool_call: true, limit }))
})

test("an unusable model is skipped, and so is a provider without any", () => {
  const models = [
    "a text",
    null,
    { limit },
    { tool_call: false, limit },
    { tool_call: true },
    { tool_call: true, limit: { context: minWindow - 1, output: 1 } },
    { tool_call: true, limit: { context: 0, output: 1 } },
    { tool_call: true, limit: { context: 100_000, output: 0 } },
    { tool_call: true, limit: { context: 100_000, output: -1 } },
    { tool_call: true, limit: { context: Infinity, output: 1 } },
    { tool_call: true, limit: { context: "100000", output: 1 } },
  ]
  for (const model of models) assert.equal(factsOf(model), undefined, JSON.stringify(model))
  assert.equal(minWindow, 16_000)
  assert.ok(factsOf({ tool_call: true, limit: { context: minWindow, output: 1 } }))
  for (const document of [null, "text", [], {}, { own: 1 }, { own: {} }, { own: { models: [] } }])
    assert.equal(readModelsDev(document, [row]).size, 0, JSON.stringify(document))
  const some = { own: { models: { m: null, n: { tool_call: true, limit } } } }
  assert.deepEqual(Object.keys(readModelsDev(some, [row]).get("own") ?? {}), ["n"])
})

test("a provider is found by its id there, and has its facts by its id here", () => {
  const models = { m: { tool_call: true, limit } }
  const found = readModelsDev({ other: { models }, own: { models } }, [{ ...row, id: "mine", modelsDev: "other" }, row])
  assert.deepEqual([...found.keys()], ["mine", "own"])
})

test("a price needs both rates, not both 0, in dollars", () => {
  const rates = { input: 1, output: 2 }
  const rows: readonly (readonly [cost: unknown, price: unknown])[] = [
    [{ input: 1 }, undefined],
    [{ output: 1 }, undefined],
    [{ input: 0, output: 0 }, undefined],
    [{ input: -1, output: 1 }, undefined],
    [{ input: "1", output: 1 }, undefined],
    ["1", undefined],
    [
      { input: 0, output: 1 },
      { input: 0, output: 1 },
    ],
    [
      { input: 1, output: 0 },
      { input: 1, output: 0 },
    ],
    [{ ...rates, cache_read: 0, cache_write: 0 }, rates],
    [
      { ...rates, context_over_200k: { input: 3, output: 4 } },
      { ...rates, tiers: [{ above: 200_000, input: 3, output: 4 }] },
    ],
    [{ ...rates, context_over_200k: { input: 3 } }, rates],
    [{ ...rates, tiers: [{ tier: { size: 0 }, ...rates }, { tier: { size: 9 } }, 1, { ...rates }] }, rates],
    [
      {
        ...rates,
        tiers: [
          { tier: { size: 20 }, input: 5, output: 6 },
          { tier: { size: 10 }, input: 3, output: 4 },
        ],
        context_over_200k: { input: 7, output: 8 },
      },
      {
        ...rates,
        tiers: [
          { above: 10, input: 3, output: 4 },
          { above: 20, input: 5, output: 6 },
        ],
      },
    ],
  ]
  const priceOf = (cost: unknown, more?: Partial<ProviderRow>) =>
    (factsOf({ tool_call: true, limit, cost }, more) as { readonly price?: unknown }).price
  for (const [cost, price] of rows) assert.deepEqual(priceOf(cost), price, JSON.stringify(cost))
  assert.equal(priceOf(rates, { currency: "CNY" }), undefined)
})
