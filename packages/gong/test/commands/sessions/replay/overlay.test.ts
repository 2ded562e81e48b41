import assert from "node:assert/strict"
import { test } from "node:test"
import type { Entry, EntryOf, Store } from "@gong/spec"
import { overlay } from "../../../../src/commands/sessions/replay/overlay.ts"

const entry = (id: string, parentId: string | null, more: object = { type: "label" }) =>
  ({ id, parentId, ...more }) as unknown as Entry

/** A store of four entries and two phases, to which nothing may be written. */
function base(): Store {
  const all = [entry("a", null), entry("b", "a"), entry("c", "b"), entry("d", "c")]
  const at = (place: number) => all[place] ?? assert.fail(`no entry at ${place}`)
  const refuse = () => assert.fail("something was written")
  return {
    id: "s1",
    info: { cwd: "/w" },
    entry: at,
    head: at,
    placeOf: (id: string) => {
      const place = all.findIndex((one) => one.id === id)
      return place < 0 ? undefined : place
    },
    parentOf: (place: number) => place - 1,
    anchors: () => [
      { seq: 1, name: "one", first: 0 },
      { seq: 2, name: "two", first: 2 },
    ],
    append: refuse,
    beginAnchor: refuse,
    artifacts: { put: refuse, get: async (name: string) => new TextEncoder().encode(`base ${name}`) },
  } as unknown as Store
}

test("the first entries are those of the store; appended ones follow and are not written", () => {
  const store = overlay(base(), 2)
  assert.deepEqual([store.id, store.info, store.length, store.damage], ["s1", { cwd: "/w" }, 2, []])
  assert.deepEqual([store.readOnly, store.path, store.settled()], [null, null, null])
  store.append([entry("x", "b"), entry("y", "x", { type: "message", message: { role: "user" } })], { sync: true })
  assert.equal(store.length, 4)
  assert.deepEqual(
    [0, 1, 2, 3].map((place) => store.entry(place).id),
    ["a", "b", "x", "y"],
  )
  assert.deepEqual(
    store.heads().map(({ id }) => id),
    ["a", "b", "x", "y"],
  )
  assert.deepEqual(store.head(2), { id: "x", parentId: "b", type: "label" })
  assert.deepEqual(store.head(3), { id: "y", parentId: "x", type: "message", role: "user" })
  assert.deepEqual(store.kind(3), store.head(3))
  assert.throws(() => store.entry(4), RangeError)
})

test("entries are found by id: only within the length of the store, and the last of duplicates", () => {
  const store = overlay(base(), 2)
  store.append([entry("x", "b"), entry("c", "x"), entry("x", "c"), entry("z", "gone"), entry("root", null)], {
    sync: true,
  })
  assert.deepEqual(
    ["a", "b", "c", "x", "d"].map((id) => store.placeOf(id)),
    [0, 1, 3, 4, undefined],
  )
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6].map((place) => store.parentOf(place)),
    [-1, 0, 1, 4, 3, -1, -1],
  )
})

test("phases are those of the first entries, and appended ones", () => {
  const store = overlay(base(), 2)
  assert.deepEqual(
    store.anchors().map(({ name }) => name),
    ["one"],
  )
  store.append([entry("x", "b")], { sync: true })
  const anchor = { ...entry("p", "x", { type: "anchor" }), seq: 2, name: "new" } as EntryOf<"anchor">
  store.beginAnchor(anchor, [entry("y", "p")])
  assert.deepEqual(store.anchors().slice(1), [{ seq: 2, name: "new", first: 3 }])
  assert.deepEqual([store.length, store.entry(3).id, store.entry(4).id], [5, "p", "y"])
  store.beginAnchor({ ...anchor, id: "q", seq: 3, name: "last" })
  assert.deepEqual(store.anchors().at(-1), { seq: 3, name: "last", first: 5 })
  assert.deepEqual(overlay(base(), 3).anchors().length, 2)
})

test("new artifacts stay in memory; others are read from the store", async () => {
  const { artifacts } = overlay(base(), 4)
  const bytes = new TextEncoder().encode("one")
  const names = [await artifacts.put(bytes), await artifacts.put(bytes)]
  assert.deepEqual(names, ["replayed-0", "replayed-1"])
  bytes.fill(0)
  const text = async (name: string) => new TextDecoder().decode((await artifacts.get(name)) ?? undefined)
  assert.deepEqual([await text("replayed-0"), await text("sha256-x")], ["one", "base sha256-x"])
  await assert.rejects(async () => artifacts.spillPath("x" as never), /A replay runs no command/)
})
