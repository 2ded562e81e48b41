import assert from "node:assert/strict"
import { test } from "node:test"
import { maxUnconsumed } from "../../src/protocol.ts"
import { pump } from "../../src/worker/pump.ts"

/** Chunks of a thousand characters. */
function started(pieces: () => unknown) {
  const sent: unknown[] = []
  const stop = new AbortController()
  const one = pump((piece) => {
    sent.push(piece)
    return 1_000
  })
  return { sent, stop, one, over: one.run(pieces(), stop.signal) }
}

/** All work that needs no event has been done. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test("an endless stream is pulled no faster than it is consumed", async () => {
  let left = false
  const { sent, stop, one, over } = started(function* () {
    try {
      for (let i = 0; ; i++) yield i
    } finally {
      left = true
    }
  })
  await settled()
  assert.equal(sent.length, maxUnconsumed / 1_000)
  one.consumed(3_000)
  await settled()
  assert.equal(sent.length, maxUnconsumed / 1_000 + 3)
  stop.abort()
  await over
  assert.ok(left)
})

test("a blocked stream is abandoned after an abort, and its later behaviour is ignored", async () => {
  const { stop, over } = started(async function* () {
    await new Promise(() => undefined)
    yield 1
  })
  await settled()
  stop.abort()
  await over
  const throwing = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => undefined),
      return: () => {
        throw new Error("no")
      },
    }),
  }
  const other = started(() => throwing)
  other.stop.abort()
  await other.over
})

test("errors of the stream are rethrown; a value that is no stream is refused", async () => {
  const failing = started(async function* () {
    yield 1
    throw new Error("broken")
  })
  await assert.rejects(failing.over, /^Error: broken$/)
  assert.deepEqual(failing.sent, [1])
  for (const nothing of [undefined, {}, "text", 7])
    await assert.rejects(started(() => nothing).over, /stream\(\) gives no pieces/)
  const list = started(() => [1, 2])
  await list.over
  assert.deepEqual(list.sent, [1, 2])
})
