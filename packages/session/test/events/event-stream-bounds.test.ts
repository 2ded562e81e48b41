import assert from "node:assert/strict"
import { test } from "node:test"
import type { Entry, PublishedStep } from "@gong/spec"
import { type EventSource, eventStream, publishedOn, runBefore } from "../../src/events/event-stream.ts"

type All = EventSource["history"]["all"]

const entry = (id: string, more: object = { type: "custom", customType: "x", data: 1 }): Entry =>
  ({ id, parentId: null, timestamp: `2026-01-01T00:00:0${id}.000Z`, ...more }) as Entry
const ended = (id: string) => entry(id, { type: "run_end", status: "done", turns: 1 })

/** The heads and entries of a tape. */
function tapeOf(entries: readonly Entry[]): All {
  const at = (place: number) => entries[place] ?? assert.fail(`no entry ${place}`)
  return {
    get length() {
      return entries.length
    },
    head: at,
    kind: at,
    entry: at,
  } as unknown as All
}

const progress = (length: number): PublishedStep => ({
  partial: { type: "progress", callId: "c", delta: "x".repeat(length) },
})

/** A reader of a session whose steps the test publishes. */
function reader(entries: readonly Entry[] = [], after: string | null = null, shown: readonly PublishedStep[] = []) {
  const listeners = new Set<(step: PublishedStep, published: number) => void>()
  let wakes = 0
  const source: EventSource = {
    history: { all: tapeOf(entries) },
    live: { steps: () => shown },
    published: () => entries.length,
    contextWindow: () => 1000,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const stream = eventStream(source, { after, partial: true, wake: () => (wakes += 1) })
  return {
    stream,
    wakes: () => wakes,
    publish(step: PublishedStep, published = entries.length) {
      for (const listener of listeners) listener(step, published)
    },
    /** The number of events of each step that is left. */
    rest() {
      const counts: number[] = []
      for (let next = stream.next(); next !== null; next = stream.next()) counts.push(next.length)
      return counts
    },
  }
}

test("a reader that lags by 1,000 steps gets each; by one more it begins again with what is shown now", () => {
  for (const [steps, expected] of [
    [1000, 1000],
    [1001, 0],
  ] as const) {
    const { publish, rest, wakes } = reader()
    assert.deepEqual(rest(), [])
    for (let at = 0; at < steps; at++) publish(progress(1))
    assert.deepEqual([rest().length, wakes()], [expected, steps])
  }
})

test("a reader may lag by 1,000,000 characters of partials, also inside tasks; what it has taken does not count", () => {
  const half = progress(500_000)
  for (const [steps, expected] of [
    [[half, half], 2],
    [[half, half, progress(0)], 3],
    [[half, half, progress(1)], 0],
    [[{ inside: "t", step: progress(1_000_000) }], 1],
    [[{ inside: "t", step: progress(1_000_001) }], 0],
    [[{ notification: { code: "queue", steer: [], followUp: [] } }, progress(1_000_000)], 2],
  ] as const) {
    const { publish, rest } = reader()
    rest()
    for (const step of steps) publish(step)
    assert.equal(rest().length, expected)
  }
  const { publish, rest } = reader()
  rest()
  for (let at = 0; at < 5; at++) {
    publish(half)
    publish(half)
    assert.equal(rest().length, 2)
  }
  const begun = reader([], null, [progress(600_000)])
  begun.stream.next()
  for (let at = 0; at < 2; at++) begun.publish(half)
  assert.equal(begun.rest().length, 2)
})

test("the live state counts for the bound until it is taken", () => {
  const { stream, publish, rest } = reader([], null, [progress(1), progress(600_000)])
  assert.equal(stream.next()?.length, 1)
  publish(progress(400_001))
  assert.equal(rest().length, 2, "it began again")
  const within = reader([], null, [progress(1), progress(600_000)])
  within.stream.next()
  within.publish(progress(400_000))
  assert.deepEqual(within.rest(), [1, 1])
})

test("the reader knows the last entry that it has, and when it was made; a partial has no time", () => {
  const entries = [entry("1"), entry("2"), ended("3")]
  const { stream, publish } = reader(entries)
  assert.deepEqual([stream.after, stream.time], [null, null])
  assert.deepEqual(stream.next(), [])
  assert.deepEqual([stream.after, stream.time], ["1", "2026-01-01T00:00:01.000Z"])
  stream.next()
  assert.equal(stream.next()?.length, 1)
  assert.deepEqual([stream.after, stream.time], ["3", "2026-01-01T00:00:03.000Z"])
  assert.equal(stream.next(), null)
  publish(progress(1))
  assert.equal(stream.next()?.length, 1)
  assert.deepEqual([stream.after, stream.time], ["3", null])
  publish({ entries: [entry("4"), entry("5")] }, 5)
  stream.next()
  assert.deepEqual([stream.after, stream.time], ["5", "2026-01-01T00:00:05.000Z"])
  publish({ entries: [] }, 5)
  stream.next()
  assert.deepEqual([stream.after, stream.time], ["5", null])
  stream.close()
  publish(progress(1))
  assert.equal(stream.next(), null)
})

test("after an entry, the events of later ones follow; an entry of its run before it is not repeated", () => {
  const entries = [ended("1"), entry("2"), ended("3"), ended("4")]
  const counts = (after: string | null) => reader(entries, after).rest()
  assert.deepEqual(counts(null), [1, 0, 1, 1])
  assert.deepEqual(counts("2"), [0, 1, 1])
  assert.deepEqual(counts("3"), [1])
  assert.deepEqual(counts("4"), [])
  assert.throws(() => counts("9"), /This session has no entry 9\./)
})

test("the run of an entry begins after the last end of a run before it", () => {
  const all = tapeOf([entry("1"), ended("2"), entry("3"), entry("4"), ended("5")])
  assert.deepEqual(
    [-1, 0, 1, 2, 3, 4].map((place) => runBefore(all, place)),
    [0, 0, 2, 2, 2, 5],
  )
})

test("entries are published in the order of the tape, up to the last of a step", () => {
  const entries = [entry("1")]
  const published = publishedOn(tapeOf(entries))
  assert.equal(published.count, 1)
  entries.push(entry("2"), entry("3"), entry("4"))
  published.take([])
  assert.equal(published.count, 1)
  published.take(entries.slice(1, 3))
  assert.equal(published.count, 3)
  published.take(entries.slice(3))
  assert.equal(published.count, 4)
  published.take([entry("9")])
  assert.equal(published.count, 4)
})
