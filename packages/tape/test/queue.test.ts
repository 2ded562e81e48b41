import assert from "node:assert/strict"
import { test } from "node:test"
import { type Entry, failure, FailureError, type Store } from "@gong/spec"
import { createQueue } from "../src/queue.ts"

const entryOf = (id: string, parentId: string | null, more: object = { type: "custom", customType: "x", data: 1 }) =>
  ({ id, parentId, timestamp: "t", ...more }) as Entry

const full = new FailureError(failure("storage", "the disk is full"))

/** A queue over a store in memory that throws the given error. */
function queued() {
  const entries: Entry[] = []
  const calls: string[] = []
  const state: { thrown: Error | null; readOnly: string | null } = {
    thrown: null,
    readOnly: null,
  }
  const written = (all: readonly Entry[], call: string): void => {
    if (state.thrown !== null) throw state.thrown
    calls.push(call)
    entries.push(...all)
  }
  const store = {
    get length() {
      return entries.length
    },
    get readOnly() {
      return state.readOnly
    },
    head: (at: number) => ({ of: "store", id: entries[at]?.id }),
    kind: (at: number) => ({ of: "store", type: entries[at]?.type }),
    entry: (at: number) => entries[at],
    parentOf: (at: number) => entries.findIndex(({ id }) => id === entries[at]?.parentId),
    placeOf(id: string) {
      const at = entries.findIndex((entry) => entry.id === id)
      return at === -1 ? undefined : at
    },
    append: (all: readonly Entry[], { sync }: { readonly sync: boolean }) =>
      written(all, `append ${all.length} ${sync}`),
    beginAnchor: (anchor: Entry, more: readonly Entry[]) => written([anchor, ...more], `anchor ${more.length}`),
    beginSync: () => void calls.push("beginSync"),
    settled: () => null,
  }
  return { queue: createQueue(store as unknown as Store), calls, state }
}

const root = entryOf("a", null, { type: "anchor", name: "n", seq: 1 })
const printed = entryOf("b", "a", { type: "message", message: { role: "user", content: [] } })
const [c, d] = [entryOf("c", "b"), entryOf("d", "x")]

test("a batch is written at once, and one that starts with an anchor as a phase", () => {
  const { queue, calls } = queued()
  queue.put({ entries: [root, printed], sync: true })
  queue.put({ entries: [c], sync: false })
  queue.put({ entries: [d], sync: true })
  queue.beginSync()
  assert.deepEqual(calls, ["anchor 1", "append 1 false", "append 1 true", "beginSync"])
  assert.deepEqual([queue.length, queue.stalled, queue.flush(), queue.settled()], [4, null, true, null])
  assert.deepEqual(
    [queue.head(2), queue.kind(2), queue.entry(2)],
    [{ of: "store", id: "c" }, { of: "store", type: "custom" }, c],
  )
  assert.deepEqual(
    [queue.placeOf("d"), queue.placeOf("x"), queue.parentOf(1), queue.parentOf(0)],
    [3, undefined, 0, -1],
  )
})

test("entries that wait for a full disk can be read like written ones, and are written in order", () => {
  const { queue, calls, state } = queued()
  queue.put({ entries: [root], sync: true })
  state.thrown = full
  queue.put({ entries: [printed, c], sync: false })
  queue.put({ entries: [d], sync: true })
  queue.beginSync()
  assert.deepEqual([queue.length, queue.stalled?.message, calls], [4, "the disk is full", ["anchor 0"]])
  assert.deepEqual(queue.head(0), { of: "store", id: "a" })
  assert.deepEqual(queue.head(1), { id: "b", parentId: "a", type: "message", role: "user" })
  assert.deepEqual(
    [queue.kind(0), queue.kind(2)],
    [
      { of: "store", type: "anchor" },
      { id: "c", parentId: "b", type: "custom" },
    ],
  )
  assert.deepEqual(queue.kind(1), queue.head(1))
  assert.deepEqual([queue.entry(0), queue.entry(1), queue.entry(3)], [root, printed, d])
  assert.deepEqual(["a", "b", "c", "d", "x"].map(queue.placeOf), [0, 1, 2, 3, undefined])
  assert.deepEqual([0, 1, 2, 3].map(queue.parentOf), [-1, 0, 1, -1])
  assert.throws(() => queue.entry(4), /entry 4 of 4/)
  assert.equal(queue.flush(), false)
  state.thrown = null
  assert.equal(queue.flush(), true)
  assert.deepEqual([queue.length, queue.stalled, calls], [4, null, ["anchor 0", "append 2 false", "append 1 true"]])
  assert.deepEqual([queue.head(3), queue.parentOf(2)], [{ of: "store", id: "d" }, 1])
})

test("a root that waits has no parent", () => {
  const { queue, state } = queued()
  state.thrown = full
  queue.put({ entries: [root], sync: true })
  assert.deepEqual([queue.parentOf(0), queue.length], [-1, 1])
})

test("a refusal of the store for another reason than the disk is thrown, and its entries are not part of the tape", () => {
  const limit = new FailureError(failure("limit", "too large"))
  for (const thrown of [limit, new Error("broken")]) {
    const { queue, state, calls } = queued()
    queue.put({ entries: [root], sync: true })
    state.thrown = full
    queue.put({ entries: [printed], sync: true })
    state.thrown = thrown
    assert.throws(
      () => queue.put({ entries: [c, d], sync: true }),
      (error) => error === thrown,
    )
    assert.deepEqual([queue.length, queue.placeOf("c"), queue.placeOf("b")], [2, undefined, 1])
    state.thrown = null
    assert.equal(queue.flush(), true)
    assert.deepEqual(calls, ["anchor 0", "append 1 true"], "what was refused is not written later")
  }
})

test("a read-only tape accepts nothing, with a reason", () => {
  const { queue, state } = queued()
  queue.put({ entries: [root], sync: true })
  state.thrown = full
  state.readOnly = "open in another gong"
  assert.throws(() => queue.put({ entries: [printed, c], sync: true }), /the disk is full/)
  assert.deepEqual([queue.length, queue.placeOf("b")], [1, undefined])
})

test("twenty thousand entries may wait and not one more", () => {
  const { queue, state } = queued()
  state.thrown = full
  const many = (count: number, from: number) => Array.from({ length: count }, (_, at) => entryOf(`e${from + at}`, null))
  queue.put({ entries: many(19_999, 0), sync: false })
  assert.throws(() => queue.put({ entries: many(2, 19_999), sync: false }), /19999 entries wait for the disk/)
  queue.put({ entries: many(1, 19_999), sync: false })
  assert.equal(queue.length, 20_000)
  assert.throws(() => queue.put({ entries: many(1, 20_000), sync: false }), /20000 entries wait/)
})
