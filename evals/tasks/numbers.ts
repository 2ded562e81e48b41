import type { Task } from "../task.ts"

/** Tasks about numbers, ranges and sums. */
export const numbers: readonly Task[] = [
  {
    id: "off-by-one",
    prompt: "range(1, 4) in range.js must include its last number, and README.md says so: fix it.",
    files: {
      "README.md": "# range\n\n`range(from, to)` lists the numbers from `from` to `to`, both included.\n",
      "range.js":
        "export function range(from, to) {\n  const numbers = []\n  for (let n = from; n < to; n++) numbers.push(n)\n  return numbers\n}\n",
    },
    check: `const { range } = await load("range.js")
assert.deepEqual(range(1, 4), [1, 2, 3, 4])
assert.deepEqual(range(2, 2), [2])
assert.deepEqual(range(3, 2), [])`,
    repair: {
      "range.js":
        "export function range(from, to) {\n  const numbers = []\n  for (let n = from; n <= to; n++) numbers.push(n)\n  return numbers\n}\n",
    },
  },
  {
    id: "integer-cents",
    prompt: "The totals of cart.js are sometimes wrong by fractions of a cent: return the total in whole cents.",
    files: {
      "cart.js":
        "/** Total of items with `price` in euros and `count`, in cents. */\nexport function totalCents(items) {\n  return items.reduce((sum, { price, count }) => sum + price * count, 0) * 100\n}\n",
    },
    check: `const { totalCents } = await load("cart.js")
assert.equal(totalCents([{ price: 0.1, count: 3 }]), 30)
assert.equal(totalCents([{ price: 1.15, count: 1 }, { price: 19.99, count: 3 }]), 6112)
assert.equal(totalCents([]), 0)`,
    repair: {
      "cart.js":
        "/** Total of items with `price` in euros and `count`, in cents. */\nexport function totalCents(items) {\n  return items.reduce((sum, { price, count }) => sum + Math.round(price * 100) * count, 0)\n}\n",
    },
  },
  {
    id: "numeric-sort",
    prompt: "median.js gives a wrong median for [10, 9, 2]: repair it without changing the list of the caller.",
    files: {
      "median.js":
        "export function median(numbers) {\n  numbers.sort()\n  const middle = Math.floor(numbers.length / 2)\n  return numbers.length % 2 === 1 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2\n}\n",
    },
    check: `const { median } = await load("median.js")
const list = [10, 9, 2]
assert.equal(median(list), 9)
assert.deepEqual(list, [10, 9, 2])
assert.equal(median([1, 100, 20, 3]), 11.5)`,
    repair: {
      "median.js":
        "export function median(numbers) {\n  const sorted = numbers.toSorted((a, b) => a - b)\n  const middle = Math.floor(sorted.length / 2)\n  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2\n}\n",
    },
  },
  {
    id: "zero-is-a-value",
    prompt: "A volume of 0 in the options of player.js is ignored and becomes 50: make 0 work.",
    files: {
      "player.js":
        'const defaults = { volume: 50, title: "untitled" }\n\nexport function createPlayer(options = {}) {\n  return {\n    volume: options.volume || defaults.volume,\n    title: options.title || defaults.title,\n  }\n}\n',
    },
    check: `const { createPlayer } = await load("player.js")
assert.equal(createPlayer({ volume: 0 }).volume, 0)
assert.equal(createPlayer().volume, 50)
assert.equal(createPlayer({ title: "a" }).title, "a")`,
    repair: {
      "player.js":
        'const defaults = { volume: 50, title: "untitled" }\n\nexport function createPlayer(options = {}) {\n  return {\n    volume: options.volume ?? defaults.volume,\n    title: options.title || defaults.title,\n  }\n}\n',
    },
  },
]
