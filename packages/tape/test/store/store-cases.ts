import assert from "node:assert/strict"
import type { EntryOf, NewEntry, Store } from "@gong/spec"
import { FailureError } from "@gong/spec"
import { input, reply } from "../world.ts"

/** A store under test, and the operations on it from outside. */
export interface StoreUnderTest {
  readonly store: Store
  /** Completes syncs in progress. */
  sync(): Promise<void>
  /** The store as seen by another process; after a power cut only durable entries. Null: nothing outlives this process. */
  readonly again: ((powerCut: boolean) => Store) | null
  /** From now on the disk refuses every sync; null: there is none that could fail. */
  readonly refuse: (() => void) | null
}

/** The contract of every store, wherever its data is and however it syncs. */
export interface StoreCase {
  readonly title: string
  run(given: StoreUnderTest): Promise<void>
}

let count = 0

/** A chain of entries after the last entry of the store. */
export function entriesFor(store: Store, bodies: readonly NewEntry[]): readonly EntryOf<NewEntry["type"]>[] {
  let parentId = store.length === 0 ? null : store.head(store.length - 1).id
  return bodies.map((body) => {
    const id = `c${(count++).toString(36).padStart(11, "0")}`
    const entry = Object.assign({ id, parentId, type: body.type, timestamp: "2026-01-01T00:00:00.000Z" }, body)
    parentId = id
    return entry as EntryOf<NewEntry["type"]>
  })
}

function begin(store: Store): void {
  const [anchor] = entriesFor(store, [{ type: "anchor", name: "session-start", seq: 1 }])
  store.beginAnchor(anchor as EntryOf<"anchor">)
}

/** Appends one input that has to be durable. */
function put(store: Store, text: string, sync = true): string {
  const entries = entriesFor(store, [input(text)])
  store.append(entries, { sync })
  return entries[0]?.id ?? ""
}

/** Resolves with the outcome of `settled`, once the syncs have ended. */
async function outcomeOf({ store, sync }: StoreUnderTest): Promise<"settled" | FailureError> {
  const open = store.settled()
  const outcome = (open ?? Promise.resolve()).then(
    () => "settled" as const,
    (error: unknown) => {
      assert.ok(error instanceof FailureError)
      return error
    },
  )
  await sync()
  return outcome
}

const isStorage = (error: unknown): boolean => error instanceof FailureError && error.failure.kind === "storage"

export const storeCases: readonly StoreCase[] = [
  {
    title: "entries keep their order, their places and their parents",
    async run({ store }) {
      begin(store)
      const ids = ["one", "two", "three"].map((text) => put(store, text, false))
      assert.equal(store.length, 4)
      assert.deepEqual(
        store.heads().map(({ id }) => id),
        [store.head(0).id, ...ids],
      )
      for (const [at, id] of ids.entries()) {
        assert.equal(store.placeOf(id), at + 1)
        assert.equal(store.parentOf(at + 1), at)
        assert.equal(store.entry(at + 1).id, id)
      }
      assert.equal(store.parentOf(0), -1)
      assert.equal(store.placeOf("missing"), undefined)
    },
  },
  {
    title: "nothing is open before anything has to be durable, nor for entries that need not be",
    async run({ store }) {
      begin(store)
      assert.equal(store.settled(), null)
      put(store, "later", false)
      store.beginSync()
      assert.equal(store.settled(), null)
    },
  },
  {
    title: "settled resolves, and is null again",
    async run(given) {
      begin(given.store)
      put(given.store, "one")
      assert.equal(await outcomeOf(given), "settled")
      assert.equal(given.store.settled(), null)
    },
  },
  {
    title: "what is settled survives a power cut, with all that stands before it",
    async run(given) {
      const { store, again } = given
      begin(store)
      const ids = [put(store, "before", false), put(store, "one")]
      assert.equal(await outcomeOf(given), "settled")
      if (again === null) return
      const found = again(true)
      for (const id of ids) assert.notEqual(found.placeOf(id), undefined, `${id} was settled`)
      assert.deepEqual(found.entry(2), store.entry(2))
    },
  },
  {
    title: "each waits for its own: what comes while a sync is under way is settled by the next",
    async run(given) {
      const { store, again } = given
      begin(store)
      put(store, "one")
      const first = store.settled()
      const late = put(store, "two")
      await Promise.all([first, given.sync()])
      assert.equal(await outcomeOf(given), "settled")
      if (again !== null) assert.notEqual(again(true).placeOf(late), undefined)
    },
  },
  {
    title: "what is written survives the process, settled or not",
    async run({ store, again }) {
      begin(store)
      const id = put(store, "one")
      if (again !== null) assert.notEqual(again(false).placeOf(id), undefined)
    },
  },
  {
    title: "a new phase is there with its entries, and appends go behind it",
    async run(given) {
      const { store, again } = given
      begin(store)
      put(store, "one")
      const [anchor, ...more] = entriesFor(store, [{ type: "anchor", name: "next", seq: 2 }, reply("summary")])
      store.beginAnchor(anchor as EntryOf<"anchor">, more)
      const id = put(store, "two")
      assert.equal(await outcomeOf(given), "settled")
      const expected = [
        { seq: 1, name: "session-start", first: 0 },
        { seq: 2, name: "next", first: 2 },
      ]
      assert.deepEqual(store.anchors(), expected)
      if (again === null) return
      const found = again(true)
      assert.deepEqual(found.anchors(), expected)
      assert.equal(found.placeOf(id), 4)
    },
  },
  {
    title:
      "an artifact that is kept with sync holds its bytes after a power cut, also when two of the same are kept at once",
    async run({ store, sync, again }) {
      begin(store)
      const bytes = new TextEncoder().encode("what a file held before")
      const names = Promise.all([1, 2].map(() => store.artifacts.put(bytes, { sync: true })))
      await sync()
      const [name = "", same] = await names
      assert.equal(same, name)
      assert.deepEqual(Buffer.from((await store.artifacts.get(name)) ?? []), Buffer.from(bytes))
      put(store, "one")
      await sync()
      if (again === null) return
      assert.deepEqual(Buffer.from((await again(true).artifacts.get(name)) ?? []), Buffer.from(bytes))
    },
  },
  {
    title: "a store that was closed has nothing open and takes nothing more",
    async run(given) {
      const { store, again } = given
      begin(store)
      const id = put(store, "one")
      store.close()
      assert.equal(await outcomeOf(given), "settled")
      assert.throws(() => put(store, "two"), isStorage)
      if (again !== null) assert.notEqual(again(true).placeOf(id), undefined)
    },
  },
  {
    title: "a sync that is refused is told, and nothing after it is settled while the disk refuses",
    async run(given) {
      const { store, refuse } = given
      begin(store)
      put(store, "one")
      assert.equal(await outcomeOf(given), "settled")
      if (refuse === null) return
      refuse()
      for (const text of ["two", "three", "four"]) {
        let thrown: unknown = null
        try {
          put(store, text)
        } catch (error) {
          thrown = error
        }
        const reported = thrown ?? (await outcomeOf(given))
        assert.ok(isStorage(reported), `${text} was settled`)
      }
    },
  },
]
