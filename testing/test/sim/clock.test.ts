import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock, settlePromises } from "../../src/sim/clock.ts"

test("timers are called in order of time, then of age", async () => {
  const clock = manualClock(0)
  const seen: string[] = []
  clock.timer(20, () => seen.push(`late ${clock.now()}`))
  clock.timer(10, () => seen.push(`first ${clock.now()}`))
  clock.timer(10, () => seen.push(`second ${clock.now()}`))
  const cancel = clock.timer(10, () => seen.push("never"))
  cancel()
  await clock.advance(9)
  assert.deepEqual([seen, clock.now(), clock.waiting], [[], 9, 3])
  await clock.advance(20)
  assert.deepEqual([seen, clock.now(), clock.waiting], [["first 10", "second 10", "late 20"], 29, 0])
})

test("timers started by a timer are called in the same advance", async () => {
  const clock = manualClock(0)
  const seen: number[] = []
  const work = (async () => {
    for (let i = 0; i < 3; i++) {
      await clock.sleep(10)
      seen.push(clock.now())
    }
  })()
  assert.equal(await clock.runUntilIdle(), 30)
  await work
  assert.deepEqual(seen, [10, 20, 30])
})

test("a sleep that is aborted rejects with the reason and leaves no timer", async () => {
  const clock = manualClock()
  const controller = new AbortController()
  const sleep = clock.sleep(1000, controller.signal)
  controller.abort(new Error("enough"))
  await assert.rejects(sleep, /enough/)
  await assert.rejects(clock.sleep(1, controller.signal), /enough/)
  assert.equal(clock.waiting, 0)
})

test("a clock that never becomes idle is reported", async () => {
  const clock = manualClock()
  const again = () => {
    clock.timer(1, again)
  }
  again()
  await assert.rejects(clock.runUntilIdle(50), /not idle after 50 timers/)
})

test("promises and next ticks settle without an event loop turn", async () => {
  const seen: string[] = []
  let chain = Promise.resolve()
  for (let job = 0; job < 100; job++) chain = chain.then(() => {})
  const end = chain.then(() => process.nextTick(() => seen.push("tick"))).then(() => seen.push("end"))
  setImmediate(() => seen.push("turn"))
  await Promise.resolve().then(settlePromises)
  assert.deepEqual(seen, ["end", "tick"])
  await end
})
