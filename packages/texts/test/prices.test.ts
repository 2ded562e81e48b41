import assert from "node:assert/strict"
import { test } from "node:test"
import { priceText, tokenSize } from "../src/prices.ts"
import { english } from "../src/translator.ts"

test("a number of tokens is written in thousands or millions", () => {
  for (const [count, text] of [
    [0, "0k"],
    [499, "0k"],
    [500, "1k"],
    [1_499, "1k"],
    [32_768, "33k"],
    [200_000, "200k"],
    [500_400, "500k"],
    [999_999, "1000k"],
    [1_000_000, "1M"],
    [1_048_576, "1.05M"],
    [1_500_000, "1.5M"],
    [2_000_000, "2M"],
    [100_000_000, "100M"],
  ] as const)
    assert.equal(tokenSize(count), text, String(count))
})

test("a price names input, output and cached tokens, in its currency, and the higher rates of long requests", () => {
  assert.equal(priceText(english, undefined), "unknown")
  assert.equal(priceText(english, { input: 3, output: 15 }), "$3 / $15")
  assert.equal(priceText(english, { input: 3, output: 15, cacheRead: 0 }), "$3 / $15 / $0")
  assert.equal(priceText(english, { input: 4, output: 12, cacheRead: 0.4, yuanPerDollar: 7 }), "¥4 / ¥12 / ¥0.4")
  const tiers = [
    { above: 200_000, input: 6, output: 22.5 },
    { above: 1_000_000, input: 9, output: 30, cacheRead: 1 },
  ]
  assert.equal(
    priceText(english, { input: 3, output: 15, tiers }),
    "$3 / $15; above 200k: $6 / $22.5; above 1M: $9 / $30 / $1",
  )
})
