import assert from "node:assert/strict"
import { test } from "node:test"
import { chainOf } from "../../../src/store/read/chain.ts"
import type { Record } from "../../../src/store/read/scan.ts"

const record = (id: string, parentId: string | null, more: Partial<Record> = {}): Record => ({
  head: { id, parentId, type: "custom" },
  file: "/f",
  offset: 0,
  length: 10,
  checksum: "00000000",
  ...more,
})

function chained(...records: readonly Record[]) {
  const chain = chainOf(records)
  return {
    heads: chain.heads.map(({ id, parentId }) => [id, parentId]),
    kept: chain.records.map((one) => records.indexOf(one)),
    damage: chain.damage.map(({ kind, reason }) => `${kind}: ${reason}`),
  }
}

test("a chain and its branches are one tree as they stand", () => {
  const found = chained(record("a", null), record("b", "a"), record("c", "a"), record("d", "b"))
  assert.deepEqual(found, {
    heads: [
      ["a", null],
      ["b", "a"],
      ["c", "a"],
      ["d", "b"],
    ],
    kept: [0, 1, 2, 3],
    damage: [],
  })
  const { heads } = chainOf([record("a", null)])
  assert.deepEqual(heads, [{ id: "a", parentId: null, type: "custom" }])
})

test("an entry without an earlier parent, and a second root, become children of the entry above", () => {
  const found = chained(record("a", "x"), record("b", null), record("c", "d"), record("d", "c"))
  assert.deepEqual(found.heads, [
    ["a", null],
    ["b", "a"],
    ["c", "b"],
    ["d", "c"],
  ])
  assert.deepEqual(found.damage, [
    "misplaced: parent x is missing; continues from null",
    "misplaced: parent null is missing; continues from a",
    "misplaced: parent d is missing; continues from b",
  ])
})

test("a duplicate entry counts once; it is damage unless the lines are equal", () => {
  const others = [{ offset: 90 }, { checksum: "00000001" }, { length: 11 }].map((more) => record("b", "a", more))
  const found = chained(record("a", null), record("b", "a"), record("c", "b"), ...others, record("d", "b"))
  assert.deepEqual(found.kept, [0, 1, 2, 6])
  assert.deepEqual(found.damage, ["doubled: a second entry with id b", "doubled: a second entry with id b"])
  const place = { file: "/g", offset: 7, checksum: "1" }
  const [damage] = chainOf([record("a", null), record("a", null, place)]).damage
  assert.deepEqual(damage, { file: "/g", offset: 7, kind: "doubled", reason: "a second entry with id a" })
})
