import assert from "node:assert/strict"
import { test } from "node:test"
import { FailureError } from "@gong/spec"
import type { Tape } from "../../src/index.ts"
import { type DiskFault, memoryDisk, type MemoryDisk, type StorePorts } from "../../src/store/file.ts"
import { input, newTape, reopen, reply, result, start, testIds, testMachine, testPorts, user } from "../world.ts"

/** The operations of a session in small: every kind of call on the disk. Records the entries acknowledged as durable. */
function play(ports: StorePorts, acknowledged: string[]): Tape {
  const sync = (tape: Tape, ...bodies: Parameters<Tape["append"]>[0]): void => {
    const entries = tape.append(bodies, { sync: true })
    if (tape.stalled === null) acknowledged.push(...entries.map((entry) => entry.id))
  }
  const tape = newTape(ports)
  sync(tape, input("go"), user("go"))
  tape.append([start("c0")], { sync: false })
  sync(tape, reply("look", ["c1"]), start("c1"))
  tape.append([result("c1", { big: "x".repeat(70_000) })], { sync: false })
  tape.beginSync()
  sync(tape, reply("more", ["c2"]), start("c2"))
  // Not synced itself, but everything before a durable entry is durable with it.
  const before = tape.append([start("c9")], { sync: false })
  const entries = tape.handoff("compaction", { entries: [user("summary")] })
  if (tape.stalled === null) acknowledged.push(...[...before, ...entries].map((entry) => entry.id))
  sync(tape, reply("done"), { type: "run_end", status: "done", turns: 2 })
  tape.close()
  return tape
}

function callsOfPlay(): number {
  const disk = memoryDisk()
  play(testPorts(disk), [])
  return disk.calls
}

/** The same session after a new start of the machine, by another process. */
function after(disk: MemoryDisk): Tape {
  disk.powerCut()
  return reopen({ ...testPorts(disk), ids: testIds("z"), machine: testMachine(900) })
}

class Cut extends Error {}

const cuts: readonly { name: string; tear?: (unsynced: number) => number }[] = [
  { name: "all unsynced bytes lost" },
  { name: "half of the unsynced bytes kept", tear: (unsynced) => unsynced >> 1 },
  { name: "all unsynced bytes kept", tear: (unsynced) => unsynced },
]

for (const { name, tear } of cuts) {
  test(`power cut before and after every call, ${name}: nothing acknowledged is lost`, () => {
    const total = callsOfPlay()
    for (let at = 1; at <= total; at++) {
      for (const done of [false, true]) {
        let broken = false
        const disk: MemoryDisk = memoryDisk({
          fault(call) {
            if (broken) throw new Cut()
            if (call.index !== at) return null
            broken = true
            if (done) return { code: "CUT", after: true }
            throw new Cut()
          },
        })
        const acknowledged: string[] = []
        try {
          play(testPorts(disk), acknowledged)
        } catch {
          // The machine is off: reports of the code had no receiver.
        }
        broken = false
        disk.powerCut(tear === undefined ? {} : { length: tear })
        if (acknowledged.length === 0 && disk.stat("/sessions/s1/tape.json") === null) continue
        const tape = tryAfter(disk, acknowledged)
        for (const id of acknowledged) assert.ok(tape?.has(id), `call ${at}: entry ${id} of ${acknowledged.length}`)
      }
    }
  })
}

/** A session of which nothing was acknowledged may be unreadable; every other opens. */
function tryAfter(disk: MemoryDisk, acknowledged: readonly string[]): Tape | null {
  try {
    return after(disk)
  } catch (error) {
    if (acknowledged.length === 0 && error instanceof FailureError) return null
    throw error
  }
}

const faults: readonly DiskFault[] = [
  { code: "ENOSPC" },
  { code: "ENOSPC", written: 40 },
  { code: "EIO" },
  { code: "EIO", after: true },
  { code: "EROFS" },
  { code: "EMFILE" },
]

for (const fault of faults) {
  test(`${JSON.stringify(fault)} at the n-th call: a failure or a write, no merged lines, everything is read again`, () => {
    const total = callsOfPlay()
    for (let at = 1; at <= total; at++) {
      const disk = memoryDisk({ fault: (call) => (call.index === at ? fault : null) })
      const acknowledged: string[] = []
      let tape: Tape | null = null
      try {
        tape = play(testPorts(disk), acknowledged)
      } catch (error) {
        assert.ok(error instanceof FailureError, `call ${at}: ${String(error)}`)
        assert.equal(error.failure.kind, "storage")
      }
      const again = tryAfter(disk, acknowledged)
      for (const id of acknowledged) assert.ok(again?.has(id), `call ${at}: ${id}`)
      if (tape === null || again === null) continue
      // The fault was temporary: waiting entries were written with the next batch, in order.
      const ids = (one: Tape): string[] => one.store.heads().map((head) => head.id)
      const written = ids(again).filter((id) => !id.startsWith("z"))
      assert.deepEqual(written, ids(tape), `call ${at}: order`)
      for (const { reason } of again.store.damage) {
        assert.match(reason, /check sum|torn/)
        assert.doesNotMatch(reason, /found in it/, `call ${at}: a line was merged with torn bytes`)
      }
    }
  })
}

test("a full disk: entries wait in memory in their order and go out before anything newer", () => {
  let full = false
  const disk = memoryDisk({ fault: (call) => (full && call.name === "write" ? { code: "ENOSPC", written: 25 } : null) })
  const ports = testPorts(disk)
  const tape = newTape(ports)
  tape.append([user("before")], { sync: true })
  full = true
  tape.append([user("one")], { sync: true })
  assert.equal(tape.stalled?.kind, "storage")
  assert.match(tape.stalled?.message ?? "", /the disk is full/)
  tape.append([user("two"), user("three")], { sync: false })
  tape.handoff("compaction", { entries: [user("four")] })
  assert.equal(tape.flush(), false)
  assert.equal(tape.branch.length, 7, "what waits is part of the tape")
  assert.equal(tape.store.heads().length, 2)
  full = false
  tape.append([user("five")], { sync: true })
  assert.equal(tape.stalled, null)
  const texts = tape.entriesOfBranch().map((entry) => JSON.stringify(entry))
  tape.close()
  const again = reopen({ ...ports, ids: testIds("b") })
  assert.deepEqual(
    again.entriesOfBranch().map((entry) => JSON.stringify(entry)),
    texts,
  )
  assert.deepEqual(
    again.store.anchors().map((anchor) => anchor.seq),
    [1, 2],
  )
})

test("after a failed sync in the background the next append throws, and its entries are written later", async () => {
  let broken = false
  const disk = memoryDisk({ fault: (call) => (broken && call.name === "beginSync" ? { code: "EIO" } : null) })
  const ports = testPorts(disk)
  const tape = newTape(ports)
  const stalled = (): string | null => tape.stalled?.kind ?? null
  broken = true
  tape.append([user("one")], { sync: false })
  tape.beginSync()
  await Promise.resolve()
  assert.equal(stalled(), null, "nobody has asked yet")
  tape.append([user("two")], { sync: false })
  assert.equal(stalled(), "storage")
  tape.beginSync()
  assert.equal(tape.flush(), true)
  tape.append([user("three")], { sync: true })
  disk.powerCut()
  const again = reopen({ ...testPorts(disk), ids: testIds("z"), machine: testMachine(900) })
  assert.equal(again.branch.length, 4, "the anchor and three messages")
})

test("a closed tape leaves nothing unsynced", () => {
  const disk = memoryDisk()
  const tape = newTape(testPorts(disk))
  tape.append([user("one")], { sync: false })
  tape.beginSync()
  tape.close()
  disk.powerCut()
  const again = reopen({ ...testPorts(disk), ids: testIds("z"), machine: testMachine(900) })
  assert.equal(again.branch.length, 2)
})

test("waiting entries have a top", () => {
  let full = false
  const disk = memoryDisk({ fault: (call) => (full && call.name === "write" ? { code: "ENOSPC" } : null) })
  const tape = newTape(testPorts(disk))
  full = true
  tape.append(
    Array.from({ length: 20_000 }, () => input("x")),
    { sync: true },
  )
  assert.throws(() => tape.append([input("x")], { sync: true }), /no more are taken/)
  assert.equal(tape.branch.length, 20_001)
})

test("a phase that a crash left unfinished is forgotten; the next one takes its place", () => {
  let dead = false
  const disk = memoryDisk({ fault: (call) => (dead && call.name === "rename" ? { code: "EIO" } : null) })
  const tape = newTape(testPorts(disk))
  dead = true
  tape.handoff("compaction", { entries: [user("never acknowledged")] })
  assert.equal(tape.stalled?.kind, "storage")
  dead = false
  const next = reopen({ ...testPorts(disk), ids: testIds("b"), machine: testMachine(900) })
  const entries = next.handoff("compaction", { entries: [user("in its place")] })
  next.close()
  const again = reopen({ ...testPorts(disk), ids: testIds("c"), machine: testMachine(900) })
  assert.deepEqual(
    again.store
      .heads()
      .slice(1)
      .map((head) => head.id),
    entries.map((entry) => entry.id),
  )
  assert.deepEqual(again.store.damage, [])
})
