import assert from "node:assert/strict"
import { test } from "node:test"
import { withReusableBuffer } from "../../src/edit/reusable-buffer.ts"

const megabyte = 1024 * 1024
const roomFor = (size: number) => withReusableBuffer(size, async (room) => room)

test("the next file of the same size reuses the buffer, also if it has grown a little", async () => {
  const room = await roomFor(8 * megabyte)
  for (const size of [8 * megabyte, 8 * megabyte + 1000, 2 * megabyte])
    assert.equal((await roomFor(size)).buffer, room.buffer)
})

test("two concurrent files never share memory", async () => {
  await roomFor(megabyte)
  await withReusableBuffer(megabyte, async (first) => {
    await withReusableBuffer(megabyte, async (second) => assert.notEqual(first.buffer, second.buffer))
  })
})

test("a file that does not fit, or would leave most of the buffer empty, gets its own memory", async () => {
  const room = await roomFor(megabyte)
  const bigger = await roomFor(3 * megabyte)
  assert.ok(bigger.length >= 3 * megabyte)
  assert.notEqual(bigger.buffer, room.buffer)
  assert.ok((await roomFor(1000)).length < megabyte)
})

test("the buffer is reused after a failure, and a huge one is not kept", async () => {
  let failed: Uint8Array | undefined
  const failing = withReusableBuffer(megabyte, async (room) => {
    failed = room
    throw new Error("on the way")
  })
  await assert.rejects(failing, /on the way/)
  assert.equal(await roomFor(megabyte), failed)
  const huge = await roomFor(40 * megabyte)
  assert.notEqual((await roomFor(40 * megabyte)).buffer, huge.buffer)
})
