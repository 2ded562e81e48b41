import assert from "node:assert/strict"
import { test } from "node:test"
import { noUsage, type Usage } from "@gong/spec"
import { type Counts, usageOf } from "../../../src/protocol/reply/usage.ts"

const none: Counts = {
  prompt: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  reasoning: 0,
  total: null,
  reasoningExcluded: false,
}

/** Counts as sent by a server, the true usage, and the servers that send them. */
const cases: readonly (readonly [what: string, given: Partial<Counts>, is: Partial<Usage>])[] = [
  [
    "cached and written tokens are part of the prompt, reasoning of the output",
    { prompt: 100, cacheRead: 60, cacheWrite: 30, output: 20, reasoning: 5, total: 120 },
    { input: 10, cacheRead: 60, cacheWrite: 30, output: 20, reasoning: 5 },
  ],
  [
    "the prompt leaves out what came from the cache",
    { prompt: 10, cacheRead: 60, output: 20, total: 90 },
    { input: 10, cacheRead: 60, output: 20 },
  ],
  [
    "the prompt leaves out what was read from the cache and written to it",
    { prompt: 10, cacheRead: 60, cacheWrite: 30, output: 20, total: 120 },
    { input: 10, cacheRead: 60, cacheWrite: 30, output: 20 },
  ],
  [
    "the prompt leaves out what was written to the cache",
    { prompt: 70, cacheRead: 60, cacheWrite: 30, output: 20, total: 120 },
    { input: 10, cacheRead: 60, cacheWrite: 30, output: 20 },
  ],
  [
    "what was written counts as read a second time",
    { prompt: 100, cacheRead: 90, cacheWrite: 30, output: 20, total: 120 },
    { input: 10, cacheRead: 60, cacheWrite: 30, output: 20 },
  ],
  [
    "the same without a total",
    { prompt: 100, cacheRead: 90, cacheWrite: 30, output: 20 },
    { input: 10, cacheRead: 60, cacheWrite: 30, output: 20 },
  ],
  [
    "the output leaves out reasoning",
    { prompt: 10, output: 20, reasoning: 50, total: 80 },
    { input: 10, output: 70, reasoning: 50 },
  ],
  [
    "reasoning is more than the output, without a total",
    { prompt: 10, output: 20, reasoning: 50 },
    { input: 10, output: 70, reasoning: 50 },
  ],
  [
    "reasoning is named nowhere but in the total",
    { prompt: 10, output: 20, total: 80 },
    { input: 10, output: 70, reasoning: 50 },
  ],
  [
    "reasoning is left out beside a cache that is left out",
    { prompt: 10, cacheRead: 60, output: 20, reasoning: 5, total: 95 },
    { input: 10, cacheRead: 60, output: 25, reasoning: 5 },
  ],
  [
    "a provider that leaves reasoning out, without a total",
    { prompt: 10, output: 20, reasoning: 5, reasoningExcluded: true },
    { input: 10, output: 25, reasoning: 5 },
  ],
  [
    "the same provider with a total that includes it",
    { prompt: 10, output: 20, reasoning: 5, reasoningExcluded: true, total: 30 },
    { input: 10, output: 20, reasoning: 5 },
  ],
  [
    "reasoning is more than the output, and the total has no room for it",
    { prompt: 10, output: 20, reasoning: 50, total: 30 },
    { input: 10, output: 20, reasoning: 20 },
  ],
  [
    "a total that is too small says nothing",
    { prompt: 100, cacheRead: 60, output: 20, total: 7 },
    { input: 40, cacheRead: 60, output: 20 },
  ],
  [
    "more is cached than the prompt has, without a total: the prompt leaves it out",
    { prompt: 5, cacheRead: 9 },
    { input: 5, cacheRead: 9 },
  ],
  [
    "more is cached than the prompt has, and the total leaves no room for it",
    { prompt: 7, cacheRead: 161, output: 8, total: 15 },
    { cacheRead: 7, output: 8 },
  ],
  ["nothing", {}, {}],
]

for (const [what, given, is] of cases)
  test(`usage: ${what}`, () => {
    const { total, ...counts } = { ...none, ...given }
    const usage = usageOf({ ...counts, total })
    assert.deepEqual(usage, { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, ...is })
    // Exporting an imported session gives the same bytes.
    assert.deepEqual(Object.keys(usage), Object.keys(noUsage))
    if (total === null || total < counts.prompt + counts.output) return
    assert.equal(usage.input + usage.cacheRead + usage.cacheWrite + usage.output, total)
  })

test("usage: no count is negative, and with a possible total the parts add up to it", () => {
  for (let seed = 1; seed < 5000; seed++) {
    const at = (n: number) => (seed * 7919 * n) % 41
    const counts = {
      prompt: at(3),
      output: at(5),
      cacheRead: at(11),
      cacheWrite: at(13),
      reasoning: at(17),
      reasoningExcluded: seed % 2 === 0,
    }
    for (const total of [
      null,
      at(19),
      counts.prompt + counts.output,
      counts.prompt + counts.output + counts.reasoning,
    ]) {
      const usage = usageOf({ ...counts, total })
      assert.ok(
        Object.values(usage).every((count) => count >= 0),
        JSON.stringify({ counts, total, usage }),
      )
      assert.ok(usage.reasoning <= usage.output, JSON.stringify({ counts, total, usage }))
    }
  }
})
