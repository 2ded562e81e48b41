import assert from "node:assert/strict"
import { test } from "node:test"
import { type Source, windowsOf } from "../../src/files/windows.ts"

const HALF = 512 * 1024

/** Bytes that encode their offset; requested ranges are recorded. */
function source(size: number) {
  const asked: number[] = []
  const open: Source = {
    size,
    async read(from, to, into = new Uint8Array()) {
      asked.push(from / HALF)
      const bytes = into.subarray(0, to - from)
      for (let at = 0; at < bytes.length; at += 4096) bytes[at] = ((from + at) / 4096) & 255
      return bytes
    },
  }
  return { open, asked }
}

test("every byte is read once and in order, while the next window is read ahead", async () => {
  for (const size of [0, 1, HALF, HALF + 1, 3 * HALF, 4 * HALF - 1]) {
    let next = 0
    for await (const { from, bytes } of windowsOf(source(size).open)) {
      assert.equal(from, next)
      for (let at = 0; at < bytes.length; at += 4096) assert.equal(bytes[at], ((from + at) / 4096) & 255)
      next += bytes.length
    }
    assert.equal(next, size)
  }
})

test("one window is read ahead, and none if the caller stops after the first", async () => {
  const { open, asked } = source(8 * HALF)
  for await (const { from } of windowsOf(open)) {
    if (from === 0) assert.deepEqual(asked, [0])
    if (from === 2 * HALF) break
  }
  assert.deepEqual(asked, [0, 1, 2, 3])
})

test("a read-ahead error is reported to the next read only", async () => {
  const { open } = source(8 * HALF)
  const failing: Source = {
    ...open,
    read: (from, to, into) => (from === 3 * HALF ? Promise.reject(new Error("gone")) : open.read(from, to, into)),
  }
  const seen: number[] = []
  const all = async (until: number) => {
    for await (const { from } of windowsOf(failing)) if (seen.push(from / HALF) === until) return
  }
  await all(3)
  // Unhandled rejections are reported between two turns of the event loop.
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(seen.splice(0), [0, 1, 2])
  await assert.rejects(all(Infinity), /gone/)
})
