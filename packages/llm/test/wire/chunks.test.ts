import assert from "node:assert/strict"
import { EventEmitter } from "node:events"
import { test } from "node:test"
import { chunksOf } from "../../src/wire/chunks.ts"

/** A stream that does as it is told, and remembers what it was asked. */
function fakeStream() {
  const asked: string[] = []
  const stream = Object.assign(new EventEmitter(), {
    pause: () => asked.push("pause"),
    resume: () => asked.push("resume"),
  })
  const chunks = chunksOf(stream, {
    leave: () => asked.push("leave"),
    thrown: (error) => new Error(`thrown: ${error.message}`),
  })
  return { asked, chunks, send: (...bytes: number[]) => stream.emit("data", Uint8Array.from(bytes)), stream }
}

test("a chunk that is waited for and one that waits are the same to the reader", async () => {
  const { asked, chunks, send, stream } = fakeStream()
  const waiting = chunks.next()
  send(1)
  send(2)
  assert.deepEqual(await waiting, { done: false, value: Uint8Array.of(1) })
  assert.deepEqual(await chunks.next(), { done: false, value: Uint8Array.of(2) })
  const last = chunks.next()
  stream.emit("end")
  stream.emit("close")
  assert.deepEqual(await last, { done: true, value: undefined })
  assert.deepEqual(await chunks.next(), { done: true, value: undefined })
  assert.deepEqual(asked, ["leave"], "left once, and never paused")
})

test("a stream whose reader is slow is paused, and goes on when nothing waits any more", async () => {
  const { asked, chunks, send } = fakeStream()
  for (let i = 0; i < 64; i++) send(i)
  assert.deepEqual(asked, ["pause"])
  for (let i = 0; i < 63; i++) await chunks.next()
  assert.deepEqual(asked, ["pause"])
  assert.deepEqual(await chunks.next(), { done: false, value: Uint8Array.of(63) })
  assert.deepEqual(asked, ["pause", "resume"])
})

test("what came before an error is read before it is thrown, in the reader's own words", async () => {
  const { asked, chunks, send, stream } = fakeStream()
  send(1)
  stream.emit("error", new Error("broken"))
  stream.emit("close")
  assert.deepEqual(await chunks.next(), { done: false, value: Uint8Array.of(1) })
  await assert.rejects(chunks.next(), { message: "thrown: broken" })
  assert.deepEqual(asked, ["leave"])
})

test("a connection that closes without an end is an error", async () => {
  const { chunks, stream } = fakeStream()
  const waiting = chunks.next()
  stream.emit("close")
  await assert.rejects(waiting, { message: "thrown: The connection was closed" })
})

test("whoever leaves ends a wait as well, and gets nothing of what waits", async () => {
  const { asked, chunks, send } = fakeStream()
  const waiting = chunks.next()
  await chunks.return?.()
  assert.deepEqual(await waiting, { done: true, value: undefined })
  send(1)
  assert.deepEqual(await chunks.next(), { done: true, value: undefined })
  assert.deepEqual(asked, ["leave"])
})
