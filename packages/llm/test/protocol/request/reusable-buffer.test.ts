import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { createReusableBuffer } from "../../../src/protocol/request/reusable-buffer.ts"

function textOf(bytes: readonly Uint8Array[]): string {
  return Buffer.concat(bytes).toString()
}

test("text longer than a chunk is complete, and no character is split between two", () => {
  const buffer = createReusableBuffer(7)
  const text = "工具 é 🙂🙂 abc".repeat(20)
  assert.equal(buffer.write(text), Buffer.byteLength(text))
  const { bytes } = buffer.snapshot()
  assert.ok(bytes.length > 20)
  for (const piece of bytes) assert.equal(textOf([piece]).includes("\uFFFD"), false)
  assert.equal(textOf(bytes), text)
})

test("appending uses the same memory, and nothing before it is moved", () => {
  const buffer = createReusableBuffer()
  buffer.write("a".repeat(400_000))
  const before = buffer.snapshot()
  before.release()
  buffer.write("b".repeat(400_000))
  const after = buffer.snapshot()
  for (const [at, piece] of before.bytes.entries()) assert.equal(after.bytes[at]?.buffer, piece.buffer)
})

test("truncation takes new memory only if a snapshot still reads the old one", () => {
  const buffer = createReusableBuffer()
  buffer.write("abcdef")
  const reading = buffer.snapshot()
  buffer.write("ghi")
  buffer.cut(6)
  const again = buffer.snapshot()
  again.release()
  assert.equal(again.bytes[0]?.buffer, reading.bytes[0]?.buffer)
  buffer.cut(3)
  buffer.write("x")
  const other = buffer.snapshot()
  assert.notEqual(other.bytes[0]?.buffer, reading.bytes[0]?.buffer)
  assert.deepEqual([textOf(reading.bytes), textOf(other.bytes)], ["abcdef", "abcx"])
  reading.release()
  other.release()
  buffer.cut(2)
  buffer.write("y")
  const last = buffer.snapshot()
  assert.equal(last.bytes[0]?.buffer, other.bytes[0]?.buffer)
  assert.equal(textOf(last.bytes), "aby")
})

test("a snapshot's part of a chunk stays valid after the rest was truncated", () => {
  const buffer = createReusableBuffer(4)
  buffer.write("abcdefgh")
  const reading = buffer.snapshot()
  buffer.cut(4)
  buffer.cut(2)
  buffer.write("xy")
  assert.deepEqual([textOf(reading.bytes), textOf(buffer.snapshot().bytes)], ["abcdefgh", "abxy"])
})

test("after any truncations, writes and snapshots, buffer and snapshots have the right content", () => {
  const step = fc.oneof(
    fc.record({ cut: fc.nat(100) }),
    fc.record({ write: fc.string({ unit: "grapheme", maxLength: 30 }) }),
    fc.record({ snapshot: fc.constant(true) }),
    fc.record({ release: fc.nat(3) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 4, max: 16 }), (steps, size) => {
      const buffer = createReusableBuffer(size)
      const written: string[] = []
      const lent: { readonly bytes: readonly Uint8Array[]; readonly text: string; release(): void }[] = []
      for (const one of steps) {
        if ("write" in one) {
          written.push(one.write)
          assert.equal(buffer.write(one.write), Buffer.byteLength(written.join("")))
        }
        if ("cut" in one) {
          written.splice(one.cut % (written.length + 1))
          buffer.cut(Buffer.byteLength(written.join("")))
        }
        if ("snapshot" in one) lent.push({ ...buffer.snapshot(), text: written.join("") })
        if ("release" in one) lent.splice(one.release, 1)[0]?.release()
        for (const { bytes, text } of lent) assert.equal(textOf(bytes), text)
      }
      assert.equal(textOf(buffer.snapshot().bytes), written.join(""))
    }),
    { seed: 5, numRuns: 2000 },
  )
})
