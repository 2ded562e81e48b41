/** The sample project: three files, four tests, one of them failing. */
export interface Sample {
  readonly files: Readonly<Record<string, string>>
}

/** Possible bugs in the discount. Bug and line are chosen when the copy is created. */
const bugs = [
  "return price - percent",
  "return (price * percent) / 100",
  "return price - price * percent",
  "return price + (price * percent) / 100",
] as const

const applyDiscount = (bug: string): string => `/** The price after a discount of \`percent\` percent. */
export function applyDiscount(price, percent) {
  if (percent < 0 || percent > 100) throw new RangeError("percent must be between 0 and 100")
  ${bug}
}
`

const subtotal = `/** Sum of all lines, in cents. */
export function subtotal(lines) {
  return lines.reduce((sum, line) => sum + line.price * line.count, 0)
}
`

const shipping = `/** Free from 50.00, else 4.90, in cents. */
export function shipping(total) {
  return total >= 5000 ? 0 : 490
}
`

const tests = `import assert from "node:assert/strict"
import { test } from "node:test"
import { applyDiscount, shipping, subtotal } from "../src/cart.js"

test("subtotal adds up all lines", () => {
  assert.equal(subtotal([{ price: 250, count: 2 }, { price: 100, count: 1 }]), 600)
})

test("shipping is free from 50.00", () => {
  assert.equal(shipping(5000), 0)
  assert.equal(shipping(4999), 490)
})

test("applyDiscount refuses impossible discounts", () => {
  assert.throws(() => applyDiscount(100, 101), RangeError)
})

test("applyDiscount takes a share of the price", () => {
  assert.equal(applyDiscount(2000, 25), 1500)
})
`

const manifest = `${JSON.stringify({ name: "shop", version: "1.0.0", type: "module", scripts: { test: "node --test" } }, null, 2)}\n`

/** The sample for a seed, a non-negative integer. */
export function sampleFor(seed: number): Sample {
  const bug = bugs[seed % bugs.length] ?? bugs[0]
  const parts = [subtotal, shipping]
  parts.splice(Math.floor(seed / bugs.length) % 3, 0, applyDiscount(bug))
  return { files: { "package.json": manifest, "src/cart.js": parts.join("\n"), "test/cart.test.js": tests } }
}
