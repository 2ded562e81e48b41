import assert from "node:assert/strict"
import { test } from "node:test"
import { createChain } from "../../../src/store/read/chain.ts"
import type { Record } from "../../../src/store/read/scan.ts"

/** An id of the right length that ends with this name. */
const named = (name: string): string => name.padStart(12, "0")
const nameOf = (id: string | null): string | null => id?.replace(/^0+/, "") ?? null

const record = (name: string, parent: string | null, more: Partial<Record> = {}): Record => ({
  head: { id: named(name), parentId: parent && named(parent), type: "custom" },
  file: "/f",
  offset: 0,
  length: 10,
  checksum: 0,
  ...more,
})

function chained(...records: readonly Record[]) {
  const { lines, damage, add } = createChain(records.length)
  const kept: number[] = []
  for (const [at, one] of records.entries()) {
    const before = lines.length
    add(one)
    if (lines.length > before) kept.push(at)
  }
  const heads = Array.from({ length: lines.length }, (_, at) => lines.head(at))
  return {
    heads: heads.map(({ id, parentId }) => [nameOf(id), nameOf(parentId)]),
    kept,
    damage: damage.map(({ kind, reason }) => `${kind}: ${reason.replaceAll(/0+(?=[a-z])/g, "")}`),
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
  const { lines, add } = createChain(1)
  add(record("a", null))
  assert.deepEqual(lines.head(0), { id: named("a"), parentId: null, type: "custom" })
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
  const others = [{ offset: 90 }, { checksum: 1 }, { length: 11 }].map((more) => record("b", "a", more))
  const found = chained(record("a", null), record("b", "a"), record("c", "b"), ...others, record("d", "b"))
  assert.deepEqual(found.kept, [0, 1, 2, 6])
  assert.deepEqual(found.damage, ["doubled: a second entry with id b", "doubled: a second entry with id b"])
  const { damage, add } = createChain(2)
  add(record("a", null))
  add(record("a", null, { file: "/g", offset: 7, checksum: 1 }))
  const reason = `a second entry with id ${named("a")}`
  assert.deepEqual(damage, [{ file: "/g", offset: 7, kind: "doubled", reason }])
})
