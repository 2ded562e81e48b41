import assert from "node:assert/strict"
import { test } from "node:test"
import type { Entry } from "@gong/spec"
import type { Settings } from "@gong/config/settings/resolve"
import { requestCost, taskLimits, usageOfRun } from "../../../src/compose/tasks/task-usage.ts"

const usage = (input: number, output: number) => ({ input, output, cacheRead: 0, cacheWrite: 0 })
const prompt = { type: "input", kind: "prompt" }
const steer = { type: "input", kind: "steer" }
const result = { type: "message", message: { role: "tool" } }
const start = (name: string) => ({ type: "tool_start", name })
const reply = (input: number, cost: number | null) => ({
  type: "message",
  message: { role: "assistant", model: { provider: "p", id: "m" }, usage: usage(input, 1), cost },
})
const modelCall = (input: number, cost: number | null) => ({
  type: "model_call",
  model: "p/other",
  usage: usage(input, 1),
  cost,
})

/** The usage of the run at the end of these entries, and the entries that were read in full. */
function usageOf(...entries: readonly object[]) {
  const read: number[] = []
  const branch = {
    length: entries.length,
    head: (at: number) => entries[at],
    entry: (at: number) => (read.push(at), entries[at]),
  }
  const declared = (name: string) => (name === "task" ? { startsSession: true } : name === "read" ? {} : null)
  const found = usageOfRun({ tape: { branch }, declared } as unknown as Parameters<typeof usageOfRun>[0])
  return { ...found, read }
}

test("the usage of a run is that of the entries since its prompt", () => {
  const { read, ...used } = usageOf(
    prompt,
    reply(1000, 10),
    prompt,
    reply(10, 0.5),
    start("task"),
    start("read"),
    start("read"),
    start("unknown"),
    modelCall(100, 0.25),
    result,
    { type: "run_end" },
    steer,
    reply(20, null),
    start("task"),
  )
  assert.deepEqual(used, { turns: 2, cost: 0.75, tokens: 10 + 1 + 100 + 1 + 20 + 1, tasks: 2 })
  assert.deepEqual(read, [13, 12, 11, 9, 8, 7, 6, 5, 4, 3, 2], "other entries are not read")
})

test("the first entry of a session belongs to its run", () => {
  assert.deepEqual(usageOf(reply(3, 1)), { turns: 1, cost: 1, tokens: 4, tasks: 0, read: [0] })
  assert.deepEqual(usageOf(), { turns: 0, cost: 0, tokens: 0, tasks: 0, read: [] })
})

test("a request has a cost with its model; other entries have none", () => {
  const cost = (entry: object) => requestCost(entry as Entry)
  assert.deepEqual(cost(reply(1, 2)), { purpose: "task", model: "p/m", usage: usage(1, 1), cost: 2 })
  assert.deepEqual(cost(modelCall(1, null)), { purpose: "task", model: "p/other", usage: usage(1, 1), cost: null })
  assert.deepEqual(cost({ type: "model_call", usage: usage(1, 1), cost: 1, costCny: 7 }), {
    purpose: "task",
    usage: usage(1, 1),
    cost: 1,
    costCny: 7,
  })
  for (const other of [prompt, result, start("task"), { type: "run_end" }]) assert.equal(cost(other), null)
})

test("a task has the smaller of its own limits and the remainder of the run", () => {
  const limits = (own: Readonly<Record<string, number>>, run: object, used = {}) => {
    const values = { "task.maxTurns": null, "task.maxCost": null, "task.maxTokens": null, "task.maxTime": null, ...own }
    const spent = { turns: 3, cost: 0.5, tokens: 400, tasks: 0, ...used }
    return taskLimits({ values } as unknown as Settings, run, spent)
  }
  const run = { maxTurns: 10, maxCost: 2, maxTokens: 1000, maxTime: 60 }
  const own = { "task.maxTurns": 8, "task.maxCost": 1.75, "task.maxTokens": 700, "task.maxTime": 70 }
  assert.deepEqual(limits({}, {}), {})
  assert.deepEqual(limits({}, run), { maxTurns: 7, maxCost: 1.5, maxTokens: 600, maxTime: 60 })
  assert.deepEqual(limits(own, {}), { maxTurns: 8, maxCost: 1.75, maxTokens: 700, maxTime: 70 })
  assert.deepEqual(limits(own, run), { maxTurns: 7, maxCost: 1.5, maxTokens: 600, maxTime: 60 })
  const small = { "task.maxTurns": 1, "task.maxCost": 0.25, "task.maxTokens": 2, "task.maxTime": 5 }
  assert.deepEqual(limits(small, run), { maxTurns: 1, maxCost: 0.25, maxTokens: 2, maxTime: 5 })
  assert.deepEqual(limits({}, run, { turns: 11, cost: 3, tokens: 5000 }), {
    maxTurns: 0,
    maxCost: 0,
    maxTokens: 0,
    maxTime: 60,
  })
})
