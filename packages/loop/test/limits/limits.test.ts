import { inEnglish } from "@gong/testing/in-english"
import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, noUsage, type Step, type Usage } from "@gong/spec"
import type { LoopPorts } from "@gong/loop"
import { budget } from "../../src/limits/limits.ts"
import { type Turn, type World, world } from "../harness.ts"

type Limits = LoopPorts["limits"]

const polls = Array.from({ length: 4 }, (_, i) => ({ calls: [{ id: `c${i}`, name: "poll" }] }))

/** A run of many rounds: the cost of each reply, and of a failed attempt before it. */
function spending(cost: number | null, tried: number | null, limits: Limits): World {
  const turns: readonly Turn[] = [...polls, { text: "done" }]
  const w = world(turns, [], { limits })
  const { request } = w.ports
  w.ports = {
    ...w.ports,
    async *request(messages, signal) {
      const why = failure("network", "cut")
      yield { entries: [{ type: "model_call", purpose: "turn", usage: noUsage, cost: tried, failure: why }] }
      const reply = yield* request(messages, signal)
      return reply.ok ? { ...reply, message: { ...reply.message, cost } } : reply
    },
  }
  return w
}

function notifications({ steps }: World): readonly unknown[] {
  return steps.flatMap((step: Step) =>
    "notification" in step && "text" in step.notification ? [step.notification] : [],
  )
}

test("with a cost limit, a reply of unknown cost ends the run", async () => {
  const w = spending(null, 0, { maxCost: 5 })
  const end = await w.go()
  assert.deepEqual([end.status, end.limit, end.turns], ["limit", "cost", 1])
  assert.equal(end.failure?.message, "The cost limit cannot be enforced: the last reply reported no usage.")
  assert.equal(end.failure?.hint, "Use --max-turns or --max-time.")
  assert.equal((await spending(null, 0, {}).go()).status, "done")
  const last = world([{ text: "done" }], [], { limits: { maxCost: 5 } })
  assert.equal((await last.go()).status, "done")
})

test("failed attempts of unknown cost are reported once, and known costs still count", async () => {
  const w = spending(0.4, null, { maxCost: 1 })
  const end = await w.go()
  assert.deepEqual([end.status, end.limit, end.turns], ["limit", "cost", 3])
  assert.equal(end.failure?.message, "The limit of this run was reached: cost.")
  const text = "a request reported no usage; the cost limit does not include it"
  assert.deepEqual(inEnglish(notifications(w)), [{ code: "cost", level: "warn", text }])
  assert.deepEqual(notifications(spending(0.4, null, {})), [])
})

const used = (output: number): Usage => ({ ...noUsage, output })

test("a limit is reached when it is used up; the first of several wins; without limits none is", () => {
  const of = (limits: Limits, tokens = 0, cost = 0) => {
    const one = budget(limits, 1_000)
    one.turn(used(tokens), cost)
    return one
  }
  assert.equal(of({}, 1e9, 1e9).reached(1e9), null)
  assert.deepEqual([of({ maxTurns: 2 }).reached(0), of({ maxTurns: 1 }).reached(0)], [null, "turns"])
  assert.deepEqual([of({ maxTokens: 11 }, 10).reached(0), of({ maxTokens: 10 }, 10).reached(0)], [null, "tokens"])
  assert.deepEqual([of({ maxCost: 0.3 }, 0, 0.2).reached(0), of({ maxCost: 0.2 }, 0, 0.2).reached(0)], [null, "cost"])
  assert.deepEqual([of({ maxTime: 500 }).reached(1_499), of({ maxTime: 500 }).reached(1_500)], [null, "time"])
  assert.equal(of({ maxTurns: 1, maxCost: 1, maxTokens: 1 }, 1, 1).reached(0), "turns")
  assert.equal(of({ maxCost: 1, maxTokens: 1 }, 1, 1).reached(0), "cost")
})

test("other paid requests count for tokens and cost, not for turns", () => {
  const one = budget({ maxTokens: 30, maxTurns: 2 }, 0)
  one.spend(used(10), 0)
  one.spend(used(10), null)
  assert.deepEqual([one.turns, one.reached(0)], [0, null])
  one.turn(used(10), 0)
  assert.deepEqual([one.turns, one.reached(0)], [1, "tokens"])
})

test("a request without usage is reported once, if there is a cost limit", () => {
  const one = budget({ maxCost: 1 }, 0)
  one.spend(noUsage, 0.1)
  assert.equal(one.uncounted(), null)
  one.spend(noUsage, null)
  assert.equal(one.uncounted()?.code, "cost")
  one.spend(noUsage, null)
  assert.equal(one.uncounted(), null)
  const free = budget({ maxTokens: 1 }, 0)
  free.spend(noUsage, null)
  assert.equal(free.uncounted(), null)
})

test("the model is warned in each of the last three turns, and once at 80 % of another limit", () => {
  const turns = budget({ maxTurns: 5 }, 0)
  const notified: unknown[] = [turns.warning(0)]
  for (let turn = 0; turn < 5; turn++) {
    turns.turn(noUsage, 0)
    notified.push(turns.warning(0))
  }
  const left = [3, 2, 1].map((count) => ({ limit: "turns", left: count }))
  assert.deepEqual(notified, [null, null, ...left, null])
  const first = budget({ maxTurns: 3 }, 0)
  assert.equal(first.warning(0), null, "not before the first turn, which it could not change")

  const both = budget({ maxTokens: 100, maxCost: 10, maxTime: 1_000 }, 0)
  both.turn(used(79), 7.9)
  assert.equal(both.warning(799), null)
  both.turn(used(1), 0.05)
  assert.deepEqual(both.warning(800), { limit: "tokens", percent: 80 })
  assert.deepEqual(both.warning(999), { limit: "time", percent: 99 })
  assert.equal(both.warning(999), null)
  both.turn(noUsage, 1.1)
  assert.deepEqual(both.warning(999), { limit: "cost", percent: 90 })
  assert.equal(both.warning(999), null)
})

test("a reply of unknown cost stops a run with a cost limit, and no other run", () => {
  for (const [limits, expected] of [
    [{ maxCost: 1 }, "unknown-cost"],
    [{ maxTokens: 10 }, null],
  ] as const) {
    const one = budget(limits, 0)
    one.turn(used(1), null)
    assert.equal(one.reached(0), expected)
    assert.equal(one.uncounted(), null, "the end of the run reports it")
  }
  const full = budget({ maxCost: 1 }, 0)
  full.turn(noUsage, 1)
  full.turn(noUsage, null)
  assert.equal(full.reached(0), "cost")
})
