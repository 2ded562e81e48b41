import assert from "node:assert/strict"
import { test } from "node:test"
import { replayClock } from "../../../../src/commands/sessions/replay/clock.ts"

test("time advances only explicitly, or to the next timer", () => {
  const clock = replayClock(100)
  const calls: string[] = []
  assert.deepEqual([clock.now(), clock.runNextTimer()], [100, false])
  clock.timer(50, () => calls.push(`late ${clock.now()}`))
  clock.timer(20, () => calls.push(`early ${clock.now()}`))
  clock.timer(20, () => calls.push(`second ${clock.now()}`))
  const cancel = clock.timer(30, () => calls.push("never"))
  cancel()
  clock.advanceTo(110)
  clock.advanceTo(90)
  assert.deepEqual([clock.now(), calls], [110, []])
  assert.deepEqual([clock.runNextTimer(), clock.runNextTimer()], [true, true])
  assert.deepEqual([clock.now(), calls], [120, ["early 120", "second 120"]])
  clock.advanceTo(200)
  assert.deepEqual([clock.runNextTimer(), clock.now(), clock.runNextTimer()], [true, 200, false])
  assert.deepEqual(calls, ["early 120", "second 120", "late 200"])
  clock.timer(-5, () => calls.push(`at once ${clock.now()}`))
  assert.deepEqual([clock.runNextTimer(), calls.at(-1)], [true, "at once 200"])
})

test("a pending sleep is counted, and ends by time or rejects with the reason of its signal", async () => {
  const clock = replayClock(0)
  const short = clock.sleep(10)
  assert.equal(clock.sleeping, 1)
  const abort = new AbortController()
  const long = clock.sleep(20, abort.signal)
  assert.equal(clock.sleeping, 2)
  clock.runNextTimer()
  await short
  assert.deepEqual([clock.sleeping, clock.now()], [1, 10])
  abort.abort(new Error("stopped"))
  await assert.rejects(long, /stopped/)
  assert.deepEqual([clock.sleeping, clock.runNextTimer()], [0, false])
  await assert.rejects(clock.sleep(5, AbortSignal.abort(new Error("before"))), /before/)
  assert.deepEqual([clock.sleeping, clock.runNextTimer()], [0, false])
})
