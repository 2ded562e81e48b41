import assert from "node:assert/strict"
import { test } from "node:test"
import { amountText } from "../src/amounts.ts"
import { english } from "../src/translator.ts"

for (const { what, amount, text } of [
  { what: "dollars", amount: { cost: 0.0123 }, text: "$0.012" },
  { what: "little", amount: { cost: 0.00294 }, text: "$0.0029" },
  { what: "yuan", amount: { cost: 0.011, costCny: 0.074 }, text: "¥0.074 ($0.011)" },
  { what: "not known", amount: { cost: null, knownCost: 0 }, text: "cost unknown" },
  { what: "known in part", amount: { cost: null, knownCost: 0.0123 }, text: "$0.012+" },
  { what: "yuan, known in part", amount: { cost: null, knownCost: 0.011, costCny: 0.074 }, text: "¥0.074 ($0.011+)" },
]) {
  test(`cost: ${what}`, () => assert.equal(amountText(english, amount), text))
}
