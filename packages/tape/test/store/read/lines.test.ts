import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import type { Head } from "@gong/spec"
import { linesFor, type LineLocation } from "../../../src/store/read/lines.ts"

const kinds = [{ type: "anchor" }, { type: "message", role: "user" }, { type: "message" }, { type: "something new" }]

/** Lines in a list, each with an earlier one as parent. */
const someLines = fc
  .array(fc.record({ id: fc.nat(36 ** 5), parent: fc.nat(), kind: fc.nat(3), file: fc.nat(4), offset: fc.nat() }), {
    maxLength: 300,
  })
  .map((drawn) => {
    const ids = [...new Set(drawn.map(({ id }) => id.toString(36).padStart(12, id % 2 === 0 ? "0" : "z")))]
    return ids.map((id, at) => {
      const { parent = 0, kind = 0, file = 0, offset = 0 } = drawn[at] ?? {}
      const parentId = at === 0 ? null : (ids[parent % at] ?? null)
      const place: LineLocation = { file: `/phase-${file}`, offset: offset * 2 ** 20, length: parent % 1000 }
      return { head: { id, parentId, ...kinds[kind] } as Head, place }
    })
  })

test("packed lines return every head, location and parent, and find each id and no other", () => {
  fc.assert(
    fc.property(someLines, fc.nat(100), (all, expected) => {
      const lines = linesFor(expected)
      for (const { head, place } of all) {
        assert.equal(lines.placeOf(head.id), undefined)
        lines.add(head, place)
      }
      assert.equal(lines.length, all.length)
      for (const [at, { head, place }] of all.entries()) {
        assert.deepEqual(lines.head(at), head)
        assert.deepEqual(lines.location(at), place)
        assert.equal(lines.placeOf(head.id), at)
        assert.equal(lines.parentOf(at), head.parentId === null ? -1 : lines.placeOf(head.parentId))
      }
      for (const id of ["", "nonsense", "00000000000-", "yyyyyyyyyyyy", "ABCDEFGHIJKL"])
        assert.equal(lines.placeOf(id), undefined)
    }),
    { numRuns: 200 },
  )
})

test("an entry without its parent, one with another id, and a line that is not there are broken promises", () => {
  const lines = linesFor(0)
  const place: LineLocation = { file: "f", offset: 0, length: 1 }
  const add = (id: string, parentId: string | null) => lines.add({ id, parentId, type: "x" }, place)
  add("a00000000000", null)
  assert.throws(() => add("a00000000001", "a00000000009"), /entry a00000000001 stands behind its parent a00000000009/)
  assert.throws(() => add("A00000000001", null), /entry A00000000001 stands/)
  for (const at of [-1, 1])
    for (const ask of [lines.head, lines.kind, lines.location, lines.parentOf])
      assert.throws(() => ask(at), new RegExp(`line ${at} of 1`))
  assert.equal(lines.parentOf(0), -1)
  assert.equal(lines.length, 1)
})

test("the whole range of ids is valid: the greatest and the smallest are distinguished", () => {
  const lines = linesFor(0)
  const ids = ["000000000000", "zzzzzzzzzzzz", "zzzzzz000000", "000000zzzzzz", "00000000000z"]
  for (const id of ids) lines.add({ id, parentId: null, type: "x" }, { file: "f", offset: 2 ** 40, length: 2 ** 27 })
  assert.deepEqual(
    ids.map((id) => lines.placeOf(id)),
    [0, 1, 2, 3, 4],
  )
  assert.deepEqual(
    ids.map((_, at) => lines.head(at).id),
    ids,
  )
  // Letters outside the id alphabet with the same numbers as valid ones.
  for (const other of [
    "000000000000x",
    "z".repeat(13),
    "zzzzzz0000 0X",
    "00000",
    "00000000000\u007a\u0000",
    "0000000000-c",
  ])
    assert.equal(lines.placeOf(other), undefined, other)
  assert.deepEqual(lines.location(4), { file: "f", offset: 2 ** 40, length: 2 ** 27 })
})
