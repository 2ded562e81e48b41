import assert from "node:assert/strict"
import { test } from "node:test"
import { isLocal, silenceLimitsFor, startSilenceTimer } from "../../src/protocol/silence-timer.ts"
import { manualClock, modelOf } from "../helpers.ts"

test("local servers are on this machine or a private network, by name or address", () => {
  const local = `localhost a.localhost box.local 127.0.0.1 127.9.9.9 10.0.0.1 192.168.0.1 172.16.0.1 172.20.0.1 172.29.0.1
    172.30.0.1 172.31.0.1 169.254.1.1 [::1] [fc00::1] [fd12::1] [fe80::1]`
  for (const host of local.split(/\s+/)) assert.equal(isLocal(`http://${host}:80/v1`), true, host)
  const others = `localhost.com notlocalhost xlocal a.local.com 128.0.0.1 11.0.0.1 110.0.0.1 192.169.0.1 172.15.0.1 172.32.0.1
    1.10.0.1 1.127.0.1 169.253.1.1 8.169.254.1 [2606::1] [fe00::1]`
  for (const host of others.split(/\s+/)) assert.equal(isLocal(`http://${host}:80/v1`), false, host)
  assert.equal(isLocal("no address"), false)
})

test("limits depend on the model and its address, and each can be set", () => {
  const rest = { gap: 30_000, thinkingGap: 300_000, pings: 300_000 }
  assert.deepEqual(silenceLimitsFor(modelOf()), { firstEvent: 300_000, ...rest })
  assert.deepEqual(silenceLimitsFor(modelOf({ reasoning: false })), { firstEvent: 120_000, ...rest })
  assert.deepEqual(silenceLimitsFor(modelOf({ baseUrl: "http://localhost" }), { gap: 1 }), {
    firstEvent: 600_000,
    ...rest,
    gap: 1,
  })
  for (const baseUrl of ["http://127.0.0.1:8080/v1", "http://192.168.1.5:8000/v1"])
    assert.equal(silenceLimitsFor(modelOf({ baseUrl })).gap, 120_000)
})

/** The message of a stall and its time, if there is one; `act` is called at the beginning with the timer. */
function watched(act: (watch: ReturnType<typeof startSilenceTimer>, advance: (ms: number) => string[]) => void) {
  const clock = manualClock()
  const stalls: string[] = []
  const limits = { firstEvent: 1000, gap: 200, thinkingGap: 500, pings: 3000 }
  const watch = startSilenceTimer(clock, limits, "test", ({ failure }) => stalls.push(failure.message))
  act(watch, (ms) => {
    clock.advance(ms)
    return stalls
  })
}

test("the limit of the latest content counts, and a stall is reported once", () => {
  watched((watch, advance) => {
    assert.equal(advance(999).length, 0)
    watch.contentReceived(true)
    assert.equal(advance(499).length, 0)
    watch.contentReceived(false)
    assert.equal(advance(199).length, 0)
    watch.contentReceived(false)
    assert.equal(advance(199).length, 0)
    assert.deepEqual(advance(1), ["test sent nothing for 0 s"])
    assert.equal(advance(10_000).length, 1)
  })
  watched((watch, advance) => {
    watch.contentReceived(false)
    watch.stop()
    assert.equal(advance(10_000).length, 0)
  })
})

test("bytes without content extend the silence to the limit of pings, or to the normal limit if that is longer", () => {
  watched((watch, advance) => {
    for (let at = 0; at < 5; at++) {
      assert.equal(advance(500).length, 0)
      watch.bytesReceived()
    }
    assert.equal(advance(499).length, 0)
    assert.deepEqual(advance(1), ["test kept the line open for 3 s without sending any content"])
  })
  watched((watch, advance) => {
    advance(999)
    watch.bytesReceived()
    assert.deepEqual(advance(1000), ["test sent nothing for 1 s"])
  })
  watched((watch, advance) => {
    advance(900)
    watch.bytesReceived()
    advance(101)
    watch.bytesReceived()
    assert.deepEqual(advance(1000), ["test kept the line open for 2 s without sending any content"])
  })
})
