import assert from "node:assert/strict"
import { test } from "node:test"
import { addCost, addUsage, costOf, noUsage, totalTokens } from "../src/index.ts"

const usage = { input: 1_000_000, output: 500_000, cacheRead: 2_000_000, cacheWrite: 100_000, reasoning: 400_000 }

test("usage adds up field by field; reasoning is part of output and not counted again", () => {
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

test("cost by the price of each part; a part without a price of its own costs what input costs", () => {
  assert.equal(costOf(usage, { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }), 3 + 7.5 + 0.6 + 0.375)
  assert.equal(costOf(usage, { input: 1, output: 2 }), 1 + 1 + 2 + 0.1)
})

test("an unknown price is null and never 0, and stays unknown in a sum", () => {
  assert.equal(costOf(usage, undefined), null)
  assert.equal(costOf(noUsage, { input: 3, output: 15 }), 0)
  assert.equal(addCost(null, 1), null)
  assert.equal(addCost(1, null), null)
  assert.equal(addCost(0.25, 0.5), 0.75)
})
