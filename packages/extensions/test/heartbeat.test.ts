import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "@gong/testing/sim/clock"
import { heartbeat } from "../src/host/heartbeat.ts"

function open(busy: () => boolean) {
  const clock = manualClock()
  const seen = { pings: 0, silent: 0 }
  const beat = heartbeat({
    clock,
    silence: 5_000,
    busy,
    ping: () => void seen.pings++,
    onSilence: () => void seen.silent++,
  })
  return { clock, seen, beat }
}

test("with a pending call the other side is pinged four times a second, otherwise twice a minute", async () => {
  let waits = true
  const { clock, seen, beat } = open(() => waits)
  beat.begin()
  assert.equal(seen.pings, 1)
  beat.begin()
  assert.equal(seen.pings, 1, "it beats already")
  beat.received()
  await clock.advance(249)
  assert.equal(seen.pings, 1)
  waits = false
  await clock.advance(1)
  assert.equal(seen.pings, 2)
  beat.received()
  await clock.advance(29_999)
  assert.equal(seen.pings, 2)
  beat.begin()
  assert.equal(seen.pings, 3, "one that is seldom begins anew")
  beat.received()
  beat.end()
  await clock.advance(60_000)
  assert.deepEqual(seen, { pings: 3, silent: 0 })
})

test("silence is reported once, a quarter of a second after detection, unless a message arrives meanwhile", async () => {
  const { clock, seen, beat } = open(() => true)
  beat.begin()
  await clock.advance(5_000)
  assert.equal(seen.silent, 0)
  await clock.advance(249)
  beat.received()
  await clock.advance(1)
  assert.equal(seen.silent, 0)
  await clock.advance(5_250)
  assert.equal(seen.silent, 1)
  const { pings } = seen
  await clock.advance(60_000)
  assert.deepEqual(seen, { pings, silent: 1 })
  beat.begin()
  assert.equal(seen.pings, pings + 1, "it can begin again")
})
