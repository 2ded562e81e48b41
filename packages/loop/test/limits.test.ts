import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, noUsage, type Step } from "@gong/spec"
import { type Turn, type World, world } from "./harness.ts"
import type { LoopPorts } from "@gong/loop"

const polls = Array.from({ length: 4 }, (_, i) => ({ calls: [{ id: `c${i}`, name: "poll" }] }))

/** A run of many rounds, each reply at this cost, behind a try that failed at that one. */
function spending(cost: number | null, tried: number | null, limits: LoopPorts["limits"]): World {
  const turns: readonly Turn[] = [...polls, { text: "done" }]
  const w = world(turns, [], { limits })
  const { ask } = w.ports
  w.ports = {
    ...w.ports,
    async *ask(messages, signal) {
      const why = failure("network", "cut")
      yield { entries: [{ type: "model_call", purpose: "turn", usage: noUsage, cost: tried, failure: why }] }
      const reply = yield* ask(messages, signal)
      return reply.ok ? { ...reply, message: { ...reply.message, cost } } : reply
    },
  }
  return w
}

function notices({ steps }: World): readonly unknown[] {
  return steps.flatMap((step: Step) => ("notice" in step && "text" in step.notice ? [step.notice] : []))
}

test("with a limit of cost, nothing more is asked of a model behind a reply whose cost is not known", async () => {
  const w = spending(null, 0, { maxCost: 5 })
  const end = await w.go()
  assert.deepEqual([end.status, end.limit, end.turns], ["limit", "cost", 1])
  assert.equal(end.failure?.message, "The limit of cost cannot be watched: what the last reply has used is not known.")
  assert.equal(end.failure?.hint, "Use --max-turns or --max-time.")
  assert.equal((await spending(null, 0, {}).go()).status, "done")
  const last = world([{ text: "done" }], [], { limits: { maxCost: 5 } })
  assert.equal((await last.go()).status, "done")
})

test("failed tries of unknown cost are told once, and what is known goes on counting", async () => {
  const w = spending(0.4, null, { maxCost: 1 })
  const end = await w.go()
  assert.deepEqual([end.status, end.limit, end.turns], ["limit", "cost", 3])
  assert.equal(end.failure?.message, "The limit of this run was reached: cost.")
  const text = "a request did not say what it has used; the limit of cost counts without it"
  assert.deepEqual(notices(w), [{ code: "cost", level: "warn", text }])
  assert.deepEqual(notices(spending(0.4, null, {})), [])
})
