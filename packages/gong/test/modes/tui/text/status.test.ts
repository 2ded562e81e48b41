import assert from "node:assert/strict"
import { test } from "node:test"
import type { Session } from "@gong/session/session"
import { manualClock } from "@gong/testing/sim/clock"
import { english } from "@gong/texts/translator"
import { ownStatusLine, type StatusFacts, statusFacts, statusParts } from "../../../../src/modes/tui/text/status.ts"

const session = (thinking = "off"): Session =>
  ({
    id: "s1",
    permission: "ask",
    selection: { thinking, provider: { model: { provider: "p", id: "m", contextWindow: 1_000 } } },
  }) as unknown as Session
const quiet: StatusFacts = { sandbox: "read-only", contextTokens: null, jobs: 0, spent: null }
const spent = (cost: number | null) => ({ cost }) as unknown as StatusFacts["spent"]

test("the status row has the model and the level, and other facts only where they say something", () => {
  const parts = (facts: Partial<StatusFacts>, thinking?: string) =>
    statusParts(english, session(thinking), { ...quiet, ...facts }).slice(2)
  assert.deepEqual(statusParts(english, session(), quiet), ["p/m", "ask"])
  assert.deepEqual(parts({ sandbox: "off" }), ["sandbox: off"])
  assert.deepEqual([parts({ jobs: 1 }), parts({ jobs: 2 })], [["1 job"], ["2 jobs"]])
  assert.deepEqual(parts({}, "high"), ["thinking high"])
  assert.deepEqual(
    [4, 5, 124, 126].map((contextTokens) => parts({ contextTokens })),
    [[], ["context 1 %"], ["context 12 %"], ["context 13 %"]],
  )
  assert.deepEqual([parts({ spent: spent(0) }), parts({ spent: spent(null) })], [[], []])
  assert.deepEqual(parts({ spent: spent(0.25) }), ["$0.250"])
  assert.deepEqual(parts({ sandbox: "off", jobs: 1, contextTokens: 500, spent: spent(1) }, "low"), [
    "sandbox: off",
    "1 job",
    "thinking low",
    "context 50 %",
    "$1.000",
  ])
})

test("the user's command gets the facts of the status row", () => {
  assert.deepEqual(statusFacts(session("low"), { ...quiet, contextTokens: 7, jobs: 2, spent: spent(0.5) }), {
    session: "s1",
    model: "p/m",
    permission: "ask",
    sandbox: "read-only",
    thinking: "low",
    jobs: 2,
    contextTokens: 7,
    contextWindow: 1_000,
    cost: 0.5,
  })
  assert.equal((statusFacts(session(), quiet) as { cost: unknown }).cost, null)
})

test("the user's command runs at most once a second, with the newest facts, and not after the end", async () => {
  const clock = manualClock(0)
  const ran: object[] = []
  const shown: (string | null)[] = []
  const line = ownStatusLine(
    clock,
    async (facts) => {
      ran.push(facts)
      if (ran.length === 2) throw new Error("no")
      return `line ${ran.length}`
    },
    (text) => void shown.push(text),
  )
  line.update({ at: 1 })
  await clock.advance(0)
  line.update({ at: 2 })
  line.update({ at: 3 })
  await clock.advance(999)
  assert.deepEqual(ran, [{ at: 1 }])
  await clock.advance(1)
  assert.deepEqual(ran, [{ at: 1 }, { at: 3 }])
  await clock.advance(5_000)
  assert.deepEqual([ran.length, shown, clock.waiting], [2, ["line 1", null], 0])
  line.update({ at: 4 })
  await clock.advance(0)
  assert.deepEqual([ran.length, shown.at(-1)], [3, "line 3"])
  line.update({ at: 5 })
  line.close()
  await clock.advance(5_000)
  assert.equal(ran.length, 3)
})
