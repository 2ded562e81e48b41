import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf, type Entry, type PublishedStep } from "@gong/spec"
import type { Tape } from "@gong/tape"
import type { Segment } from "../../../../src/commands/sessions/replay/plan.ts"
import {
  compareStep,
  missingEntry,
  nextExchange,
  progressOf,
  currentRun,
} from "../../../../src/commands/sessions/replay/progress.ts"

const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`

const entries = [
  { id: "i1", type: "input", kind: "prompt", timestamp: at(0) },
  { id: "p1", type: "prompt", timestamp: at(1) },
  { id: "m1", type: "message", message: { role: "user" }, timestamp: at(2) },
  { id: "i2", type: "input", kind: "steer", timestamp: at(3) },
  { id: "m2", type: "message", message: { role: "assistant" }, timestamp: at(4) },
  { id: "e1", type: "run_end", timestamp: at(5) },
  { id: "l1", type: "label", timestamp: at(6) },
  { id: "m3", type: "message", message: { role: "user" }, timestamp: at(7) },
] as unknown as readonly Entry[]

const tape = {
  all: { length: entries.length, entry: (position: number) => entries[position] },
  store: { placeOf: (id: string) => (id === "gone" ? undefined : entries.findIndex((one) => one.id === id)) },
} as unknown as Tape

const exchanges = [{ number: 4 }, { number: 5 }]
const run = (first: number, last: number, more: object = {}) => ({
  first,
  prompt: first,
  last,
  end: {},
  exchanges,
  ...more,
})
const segment = (...runs: readonly object[]) => ({ runs }) as unknown as Segment
const opened = (...runs: readonly object[]) => progressOf(tape, segment(...(runs.length === 0 ? [run(0, 6)] : runs)))

const step = (...replayed: readonly object[]) => ({ entries: replayed }) as unknown as PublishedStep

test("the progress starts with the inputs of the segment and its compared entries", () => {
  const progress = opened(run(0, 3), run(4, 6))
  assert.deepEqual(
    progress.inputs.map(({ input, position }) => [input.id, position]),
    [
      ["i1", 0],
      ["i2", 3],
    ],
  )
  assert.deepEqual(
    progress.expected.map(({ id }) => id),
    ["m1", "m2", "e1"],
  )
  assert.deepEqual(
    opened(run(2, 4)).expected.map(({ id }) => id),
    ["m1", "m2"],
  )
  assert.deepEqual([progress.positionOf("m2"), progress.positionOf("gone")], [4, Infinity])
  const { at: now, requested, cut, requests, entries: count, difference } = progress
  assert.deepEqual([now, requested, cut, requests, count, difference], [0, 0, false, 0, 0, null])
})

test("the current run follows the progress", () => {
  const progress = opened(run(0, 3), run(4, 6))
  assert.equal(currentRun(progress).first, 0)
  progress.at = 1
  assert.equal(currentRun(progress).first, 4)
  progress.at = -1
  assert.equal(currentRun(progress).first, 0)
})

test("each request gets the next exchange of its run; an extra request is a difference", () => {
  const progress = opened()
  assert.deepEqual([nextExchange(progress)?.number, nextExchange(progress)?.number], [4, 5])
  assert.deepEqual([progress.requested, progress.requests], [2, 2])
  assert.equal(nextExchange(progress), null)
  const { difference } = progress
  assert.equal(difference && englishOf(difference.at), "request 6")
  assert.equal(progress.cut, false)
  assert.deepEqual([progress.requested, progress.requests], [2, 2])
  nextExchange(progress)
  assert.equal(progress.difference, difference, "the first difference stays")
})

test("an extra request after the end of a killed process is no difference", () => {
  const progress = opened(run(0, 6, { end: null, exchanges: [] }))
  assert.equal(nextExchange(progress), null)
  assert.deepEqual([progress.cut, progress.difference, progress.requests], [true, null, 0])
})

test("entries are compared in the order of the tape, and the clock follows", () => {
  const progress = opened()
  const times: number[] = []
  const reach = (time: number) => void times.push(time)
  compareStep(progress, { partial: {} } as unknown as PublishedStep, reach)
  compareStep(
    progress,
    step({ type: "input" }, { type: "prompt" }, { type: "message", message: { role: "user" } }),
    reach,
  )
  assert.deepEqual([progress.entries, progress.expected.length, progress.difference], [2, 2, null])
  assert.deepEqual(times, [Date.parse(at(2))])
  compareStep(progress, step({ type: "message", message: { role: "tool" } }, { type: "run_end" }), reach)
  assert.deepEqual([progress.difference?.path, progress.entries, progress.expected.length], ["message.role", 3, 1])
  assert.equal(progress.difference && englishOf(progress.difference.at), "step m2 (message)")
  compareStep(progress, step({ type: "run_end" }), reach)
  assert.deepEqual(
    [progress.entries, progress.expected.length, times.length],
    [3, 1, 2],
    "nothing is compared behind it",
  )
})

test("extra and missing entries are differences", () => {
  const more = opened(run(2, 2))
  compareStep(more, step({ type: "message", message: { role: "user" } }, { type: "run_end" }), () => undefined)
  assert.deepEqual([more.difference?.replayed, more.difference?.path, more.entries], ["run_end", "", 1])
  assert.equal(missingEntry(more), more.difference)

  const less = opened()
  assert.equal(englishOf(missingEntry(less)?.at ?? ""), "step m1 (message)")
  less.cut = true
  assert.equal(missingEntry(less), null)
  assert.equal(missingEntry(opened(run(0, 1))), null)
})
