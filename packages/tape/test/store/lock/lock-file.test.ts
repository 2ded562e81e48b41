import assert from "node:assert/strict"
import { test } from "node:test"
import { type Clock, englishOf } from "@gong/spec"
import { liveHolder, type LockHolder, describeHolder, readHolder } from "../../../src/store/lock/lock.ts"
import { holder, path, put, start, taken, unknown, world } from "./lock-world.ts"

test("a lock contains its holder; an incomplete file has an unknown holder", () => {
  const { ports } = world()
  assert.deepEqual([readHolder(ports, path), liveHolder(ports, path)], [null, null])
  put(ports, holder)
  assert.deepEqual(readHolder(ports, path), holder)
  const texts = ["host", "startTime", "nonce"].map((key) => ({ [key]: 7 }))
  const numbers = ["pid", "since", "beat"].map((key) => ({ [key]: "7" }))
  for (const wrong of [...texts, ...numbers, { pid: 1.5 }, { since: null }, { beat: null }]) {
    put(ports, { ...holder, ...wrong })
    assert.deepEqual(readHolder(ports, path), unknown, JSON.stringify(wrong))
  }
  for (const wrong of [null, 7, [], {}]) {
    put(ports, wrong)
    assert.deepEqual(readHolder(ports, path), unknown)
  }
})

test("a holder is alive as long as its process is, or, if that cannot be checked, while its last heartbeat is recent", () => {
  const { ports, clock } = world()
  const machine = (seen: string | null) => ({ ...ports.machine, startTimeOf: () => seen })
  const is = (more: Partial<LockHolder>, seen: string | null): boolean => {
    put(ports, { ...holder, ...more })
    return liveHolder({ ...ports, machine: machine(seen) }, path) !== null
  }
  clock.advance(60_000)
  const old = { beat: start + 29_999 }
  for (const [more, seen, live] of [
    [{}, "boot/ns/7", true],
    [{}, "boot/ns/8", false],
    [{}, null, false],
    [{}, "", true],
    [{ host: "elsewhere" }, "boot/ns/7", false],
    [{ startTime: "boot/other/7" }, "boot/other/7", false],
    [{ host: "elsewhere", beat: start + 30_000 }, null, true],
    [{ host: "elsewhere", ...old }, null, false],
    [{ startTime: "boot/other/7", beat: start + 30_000 }, null, true],
  ] as const)
    assert.equal(is(more, seen), live, JSON.stringify([more, seen]))
  const silent = { ...ports, machine: { ...machine("boot/ns/7"), startTime: "" } }
  put(ports, { ...holder, startTime: "" })
  assert.notEqual(liveHolder(silent, path), null)
})

test("the message names the holder and the duration", () => {
  const { ports } = world()
  const minute = 60_000
  const hour = 60 * minute
  for (const [ms, age] of [
    [-1, "0 s"],
    [999, "0 s"],
    [1000, "1 s"],
    [minute - 1, "59 s"],
    [minute, "1 min"],
    [hour - 1, "59 min"],
    [hour, "1 h"],
    [48 * hour - 1, "47 h"],
    [48 * hour, "2 d"],
    [71 * hour, "2 d"],
  ] as const) {
    const since = start - ms
    assert.equal(
      englishOf(describeHolder(ports, { ...holder, since })),
      `open in another gong (pid 7, this machine, ${age})`,
    )
    assert.equal(
      englishOf(describeHolder(ports, { ...holder, host: "h", since })),
      `open in another gong (pid 7, h, ${age})`,
    )
    assert.equal(
      englishOf(describeHolder(ports, { ...unknown, since })),
      `open in another gong (it has not said which, ${age})`,
    )
  }
})

test("a lock has a heartbeat every five seconds until its release, also after one that the disk refused", () => {
  let failing = false
  const { ports, clock, disk, openFiles } = world(({ name }) => (failing && name === "write" ? { code: "EIO" } : null))
  const lock = taken(ports)
  const beats = (): number => ((readHolder(ports, path)?.beat ?? 0) - start) / 1000
  const seen: number[] = []
  for (const ms of [4999, 1, 5000, 5000]) {
    failing = seen.length === 2
    clock.advance(ms)
    seen.push(beats())
  }
  assert.deepEqual(seen, [0, 5, 5, 15])
  assert.equal(readHolder(ports, path)?.since, start)
  assert.deepEqual(disk.list("/s"), ["lock"])
  assert.equal(lock.isOurs(), true)
  lock.release()
  assert.deepEqual([disk.list("/s"), openFiles()], [[], 0])
  clock.advance(60_000)
})

test("a released lock leaves no timer", () => {
  const { ports } = world()
  const left = new Set<symbol>()
  const timer: Clock["timer"] = (ms, callback) => {
    const one = Symbol(String(ms))
    left.add(one)
    const cancel = ports.clock.timer(ms, callback)
    return () => {
      left.delete(one)
      cancel()
    }
  }
  const lock = taken({ ...ports, clock: { ...ports.clock, timer } })
  assert.equal(left.size, 1)
  lock.release()
  assert.equal(left.size, 0)
})

test("release removes the own lock, and not one taken by another process since", () => {
  const { ports, disk, openFiles } = world()
  const lock = taken(ports)
  disk.unlink(path)
  assert.equal(lock.isOurs(), false)
  put(ports, holder)
  assert.equal(lock.isOurs(), false)
  lock.release()
  assert.deepEqual([readHolder(ports, path), openFiles()], [holder, 0])
})
