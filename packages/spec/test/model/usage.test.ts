import assert from "node:assert/strict"
import { test } from "node:test"
import {
  addCost,
  addUsage,
  addYuan,
  cacheHitRate,
  costInYuan,
  costOf,
  noUsage,
  totalTokens,
  type Usage,
} from "../../src/index.ts"

const usage = { input: 1_000_000, output: 500_000, cacheRead: 2_000_000, cacheWrite: 100_000, reasoning: 400_000 }

test("usage adds up field by field; reasoning is part of output and counts once", () => {
  assert.deepEqual(addUsage(usage, usage), {
    input: 2_000_000,
    output: 1_000_000,
    cacheRead: 4_000_000,
    cacheWrite: 200_000,
    reasoning: 800_000,
  })
  assert.deepEqual(addUsage(noUsage, usage), usage)
  assert.equal(totalTokens(usage), 3_600_000)
})

test("each part has its price; a part without one has the price of input", () => {
  assert.equal(costOf(usage, { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }), 3 + 7.5 + 0.6 + 0.375)
  assert.equal(costOf(usage, { input: 1, output: 2 }), 1 + 1 + 2 + 0.1)
})

test("an unknown price is null and never 0, and makes a sum unknown", () => {
  assert.equal(costOf(usage, undefined), null)
  assert.equal(addCost(null, 1), null)
  assert.equal(addCost(1, null), null)
  assert.equal(addCost(0.25, 0.5), 0.75)
})

test("unknown usage has no cost, except for a free model", () => {
  const price = { input: 3, output: 15 }
  assert.equal(costOf(noUsage, price), null)
  assert.equal(costOf({ ...noUsage, output: 5 }, price), null, "no request is without a prompt")
  assert.equal(costOf({ ...noUsage, cacheRead: 1_000_000 }, price), 3)
  assert.equal(costInYuan(noUsage, { ...price, yuanPerDollar: 7 }), undefined)
  const free = { input: 0, output: 0, cacheRead: 0 }
  assert.equal(costOf(noUsage, free), 0)
  assert.equal(costInYuan(noUsage, { ...free, yuanPerDollar: 7 }), 0)
  assert.equal(costOf(noUsage, { ...free, cacheRead: 1 }), null)
  assert.equal(costOf(noUsage, { ...free, tiers: [{ above: 1000, input: 1, output: 0 }] }), null)
})

test("the price tier of the whole prompt, cached or not, applies to the whole request", () => {
  const tiers = [
    { above: 200_000, input: 4, output: 20, cacheRead: 0.4 },
    { above: 1_000_000, input: 8, output: 40 },
  ]
  const price = { input: 2, output: 10, cacheRead: 0.2, tiers }
  const of = (input: number, cacheRead: number) => costOf({ ...noUsage, input, cacheRead, output: 1_000_000 }, price)
  assert.equal(of(200_000, 0), 0.4 + 10)
  assert.equal(of(100_000, 100_001), 0.4 + 20 + 0.0400004)
  assert.equal(of(1_000_001, 0), 8.000008 + 40)
})

test("[PROVIDER-CAT.2] a price list in yuan gives the cost in yuan and its value in dollars", () => {
  const price = { input: 8, output: 28, cacheRead: 2, yuanPerDollar: 7 }
  assert.equal(costInYuan(usage, price), 8 + 14 + 4 + 0.8)
  assert.equal(costOf(usage, price), 26.8 / 7)
  assert.equal(costInYuan(usage, { input: 1, output: 1 }), undefined)
  assert.equal(addYuan(undefined, undefined), undefined)
  assert.equal(addYuan(addYuan(undefined, 1.5), undefined), 1.5)
})

test("the cache share refers to the sent tokens; usage without a prompt is unknown, except for a free model", () => {
  const used = (more: Partial<Usage>): Usage => ({ ...noUsage, ...more })
  assert.equal(cacheHitRate(used({ input: 2, cacheRead: 1, cacheWrite: 1 })), 0.25)
  assert.equal(cacheHitRate(used({ cacheRead: 1 })), 1)
  assert.equal(cacheHitRate(used({ output: 5 })), null)
  assert.equal(costOf(used({ input: 1 }), { input: 1_000_000, output: 0 }), 1)
  assert.equal(costOf(used({ cacheRead: 2, input: 1 }), { input: 1_000_000, output: 0, cacheRead: 0 }), 1)
  assert.equal(costOf(used({ output: 1 }), { input: 0, output: 0 }), 0)
  assert.equal(costOf(used({ output: 1 }), { input: 0, output: 0, cacheRead: 1 }), null)
  assert.equal(costOf(used({ output: 1 }), { input: 0, output: 0, cacheWrite: 1 }), null)
  assert.deepEqual(
    [addYuan(3, 2), addYuan(3, undefined), addYuan(undefined, 2), addYuan(undefined, undefined)],
    [5, 3, 2, undefined],
  )
})
