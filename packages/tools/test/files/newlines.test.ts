import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { afterNewline, countNewlines, NEWLINE } from "../../src/files/newlines.ts"

/** Bytes that differ from a newline in one bit, and boundary values. */
const byte = fc.constantFrom(10, 10, 11, 8, 2, 26, 42, 74, 138, 0, 127, 128, 255)

test("newlines are counted at any alignment, and the nth is found", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3 }), fc.array(byte, { maxLength: 3000 }), (before, list) => {
      const bytes = Uint8Array.from([...before, ...list]).subarray(before.length)
      const places = list.flatMap((one, at) => (one === NEWLINE ? [at + 1] : []))
      assert.equal(countNewlines(bytes), places.length)
      for (const [at, place] of places.entries()) assert.equal(afterNewline(bytes, at + 1), place)
    }),
  )
})

test("a buffer of newlines only", () => {
  for (const length of [0, 1, 3, 4, 1020, 1024, 70_001])
    assert.equal(countNewlines(new Uint8Array(length).fill(NEWLINE)), length)
})
