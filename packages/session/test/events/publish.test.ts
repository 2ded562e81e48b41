import assert from "node:assert/strict"
import { test } from "node:test"
import type { PublishedStep } from "@gong/spec"
import { publication } from "../../src/events/publish.ts"

const partial: PublishedStep = { partial: { type: "progress", callId: "c", delta: "x" } }
const notification: PublishedStep = { notification: { code: "queue", steer: [{ id: "q", text: "t" }], followUp: [] } }
const inside = (step: PublishedStep): PublishedStep => ({ inside: "c", step })

/** `settled` decides whether entries are durable. */
function published(settled: () => Promise<void> | null = () => null) {
  const entries: object[] = []
  const all = {
    get length() {
      return entries.length
    },
    head: (at: number) => entries[at],
    kind: (at: number) => entries[at],
    entry: (at: number) => entries[at],
  }
  const self = publication({ all, settled } as never, () => 1000)
  const entry = (id: string): PublishedStep => {
    const made = {
      id,
      parentId: null,
      type: "run_end",
      status: "done",
      turns: 1,
      timestamp: "2026-01-01T00:00:00.000Z",
    }
    entries.push(made)
    return { entries: [made] } as never
  }
  return { ...self, self, entry }
}

test("a subscriber gets every step, or all but partials, also those of tasks", () => {
  const { publish, subscribe } = published()
  const [all, some]: [PublishedStep[], PublishedStep[]] = [[], []]
  subscribe((step) => all.push(step))
  subscribe((step) => some.push(step), { partials: false })
  for (const step of [partial, notification, inside(partial), inside(notification)]) publish(step)
  assert.deepEqual(all, [partial, notification, inside(partial), inside(notification)])
  assert.deepEqual(some, [notification, inside(notification)])
})

test("partials are wanted as long as a subscriber gets them; leaving twice counts once", () => {
  const { self } = published()
  assert.deepEqual([self.hasSubscribers, self.partialsWanted()], [false, false])
  const leave = self.subscribe(() => undefined, { partials: false })
  assert.deepEqual([self.hasSubscribers, self.partialsWanted()], [true, false])
  const [first, second] = [self.subscribe(() => undefined), self.subscribe(() => undefined, {})]
  first()
  first()
  leave()
  assert.deepEqual([self.hasSubscribers, self.partialsWanted()], [true, true])
  second()
  assert.deepEqual([self.hasSubscribers, self.partialsWanted()], [false, false])
})

test("a subscriber that fails stops no other; one added by a listener gets the next step", () => {
  const { publish, subscribe } = published()
  const got: string[] = []
  subscribe(() => {
    got.push("first")
    throw new Error("broken")
  })
  subscribe(() => {
    got.push("second")
    if (got.length === 2) subscribe(() => got.push("third"))
  })
  publish(notification)
  assert.deepEqual(got, ["first", "second"])
  publish(notification)
  assert.deepEqual(got.slice(2), ["first", "second", "third"])
})

test("a step that a listener publishes follows the current one for all", () => {
  const { publish, subscribe } = published()
  const got: string[] = []
  subscribe((step) => {
    got.push(`a ${"partial" in step ? "partial" : "other"}`)
    if ("notification" in step) publish(partial)
  })
  subscribe((step) => got.push(`b ${"partial" in step ? "partial" : "other"}`))
  publish(notification)
  assert.deepEqual(got, ["a other", "b other", "a partial", "b partial"])
})

test("entries are shown when they are durable, later steps after them; lost ones never", async () => {
  const waits: PromiseWithResolvers<void>[] = []
  const { publish, subscribe, entry } = published(() => {
    const one = Promise.withResolvers<void>()
    waits.push(one)
    return one.promise
  })
  const got: string[] = []
  subscribe((step) => got.push("entries" in step ? (step.entries[0]?.id ?? "") : "partial"))
  publish(entry("1"))
  publish(partial)
  publish(entry("2"))
  publish(partial)
  waits[1]?.resolve()
  await waits[1]?.promise
  assert.deepEqual(got, [])
  waits[0]?.reject(new Error("lost"))
  await waits[0]?.promise.catch(() => undefined)
  await Promise.resolve()
  assert.deepEqual(got, ["partial", "2", "partial"])
})

test("a late reader gets the published entries and the live state, and is told of new ones", () => {
  const { publish, entry, self } = published()
  publish(entry("1"))
  publish(notification)
  publish(partial)
  let wakes = 0
  const stream = self.events({ after: null, partial: true, wake: () => (wakes += 1) })
  const types: string[] = []
  const take = () => {
    for (let next = stream.next(); next !== null; next = stream.next()) types.push(...next.map(({ type }) => type))
  }
  take()
  assert.deepEqual(types, ["agent_end", "tool_execution_update", "queue_update"])
  publish(entry("2"))
  publish(partial)
  take()
  assert.deepEqual([types.slice(3), wakes, stream.after], [["agent_end", "tool_execution_update"], 2, "2"])
  const quiet = self.events({ after: "1", partial: false, wake: () => undefined })
  assert.equal(quiet.next()?.[0]?.entry, "2")
})
