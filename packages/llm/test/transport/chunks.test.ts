import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { createChunks } from "../../src/transport/chunks.ts"

/** A controlled source that records calls; its clock is advanced by the test. */
function fakeSource(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout", "setImmediate"] })
  const asked: string[] = []
  let clock = 1000
  let looked = true
  const source = {
    watched: () => looked,
    pause: () => asked.push("pause"),
    resume: () => asked.push("resume"),
    leave: () => asked.push("leave"),
  }
  const { body, push, end, fail } = createChunks(source, () => clock)
  return {
    asked,
    chunks: body,
    look: (now: boolean) => (looked = now),
    end,
    fail,
    send: (...bytes: number[]) => push(Uint8Array.from(bytes)),
    /** Zero bytes of this length. */
    flood: (size: number) => push(new Uint8Array(size)),
    async pass(ms: number) {
      clock += ms
      t.mock.timers.tick(ms)
      await Promise.resolve()
    },
  }
}

function piece(...bytes: number[]) {
  return { done: false, value: Buffer.from(bytes) }
}

const over = { done: true, value: undefined }

/** Whether it has resolved already. */
async function isThere(result: Promise<unknown>): Promise<boolean> {
  const no = Symbol("no")
  await Promise.resolve()
  return (await Promise.race([result, Promise.resolve(no)])) !== no
}

test("a chunk after a silence is delivered at once, closely following ones together a frame later", async (t) => {
  const { chunks, send, pass } = fakeSource(t)
  const first = chunks.next()
  send(1)
  assert.deepEqual(await first, piece(1))
  const second = chunks.next()
  send(2)
  await pass(10)
  send(3, 4)
  assert.equal(await isThere(second), false)
  await pass(23)
  assert.deepEqual(await second, piece(2, 3, 4))
  await pass(33)
  const third = chunks.next()
  send(5)
  assert.deepEqual(await third, piece(5), "after a silence of a frame")
})

test("without a live reader chunks are delivered four times a second, and the end at once", async (t) => {
  const { chunks, send, pass, look, end } = fakeSource(t)
  look(false)
  send(1)
  assert.deepEqual(await chunks.next(), piece(1), "after a silence")
  const second = chunks.next()
  send(2)
  await pass(249)
  send(3)
  assert.equal(await isThere(second), false)
  await pass(1)
  assert.deepEqual(await second, piece(2, 3))
  const third = chunks.next()
  send(4)
  look(true)
  await pass(33)
  send(5)
  assert.deepEqual(await third, piece(4, 5), "somebody looks again")
  const last = chunks.next()
  look(false)
  send(6)
  end()
  assert.deepEqual(await last, piece(6))
})

test("the end does not wait for a frame, and earlier bytes are read first", async (t) => {
  const { asked, chunks, send, end, fail } = fakeSource(t)
  send(1)
  assert.deepEqual(await chunks.next(), piece(1))
  const pauseLength = chunks.next()
  send(2)
  end()
  fail(new Error("after its end nothing can break it"))
  assert.deepEqual(await pauseLength, piece(2))
  assert.deepEqual(await chunks.next(), over)
  assert.deepEqual(await chunks.next(), over)
  assert.deepEqual(asked, ["leave"], "left once, and never paused")
})

test("large data does not wait for a frame, and the pushed buffer may be reused", async (t) => {
  const { chunks, send, flood } = fakeSource(t)
  const first = chunks.next()
  send(1)
  await first
  const second = chunks.next()
  flood(16 * 1024)
  assert.equal((await second).value?.length, 16 * 1024)

  const { body, push } = createChunks({ watched: () => true, pause() {}, resume() {}, leave() {} }, () => 0)
  const memory = Uint8Array.of(1, 2)
  push(memory)
  memory.fill(9)
  push(memory)
  assert.deepEqual(await body.next(), piece(1, 2, 9, 9))
})

test("a source with a slow reader is paused, and resumed when nothing is buffered", async (t) => {
  const { asked, chunks, flood } = fakeSource(t)
  for (let i = 0; i < 5; i++) flood(64 * 1024)
  assert.deepEqual(asked, ["pause"])
  assert.equal((await chunks.next()).value?.length, 5 * 64 * 1024)
  assert.deepEqual(asked, ["pause", "resume"])
})

test("a fast source is throttled, and stays paused while the buffer is full or after the end", async (t) => {
  const { asked, chunks, send, flood, pass, end } = fakeSource(t)
  for (let i = 0; i < 202; i++) {
    send(1)
    await pass(5)
  }
  assert.deepEqual(asked, ["pause"])
  flood(256 * 1024)
  await pass(33)
  assert.deepEqual(asked, ["pause"], "rested, and full")
  await chunks.next()
  assert.deepEqual(asked.splice(0), ["pause", "resume"])
  for (let i = 0; i < 4; i++) send(1)
  await pass(0)
  assert.deepEqual(asked, ["pause"])
  end()
  await pass(100)
  assert.deepEqual(asked, ["pause"])
})

test("bytes before an error are read before it is thrown", async (t) => {
  const { asked, chunks, send, fail } = fakeSource(t)
  send(1)
  fail(new Error("broken"))
  assert.deepEqual(await chunks.next(), piece(1))
  await assert.rejects(chunks.next(), { message: "broken" })
  assert.deepEqual(asked, ["leave"])
})

test("an early return also ends a pending read, and discards buffered bytes", async (t) => {
  const { asked, chunks, send, pass } = fakeSource(t)
  send(1)
  await chunks.next()
  send(2)
  const waiting = chunks.next()
  await chunks.return?.()
  assert.deepEqual(await waiting, over)
  send(3)
  await pass(100)
  assert.deepEqual(await chunks.next(), over)
  assert.deepEqual(asked, ["leave"])
})
