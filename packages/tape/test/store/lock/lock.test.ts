import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf, FailureError } from "@gong/spec"
import { createTape } from "../../../src/index.ts"
import { createStore, memoryDisk, nodeMachine, openStore, type StorePorts } from "../../../src/store/file.ts"
import { newTape, putFile, reopen, testClock, testIds, testMachine, testPorts, user } from "../../world.ts"

const path = "/sessions/s1"

/** Two processes over one disk and one clock. */
function two(second: Partial<Parameters<typeof testMachine>> = []): {
  first: StorePorts
  second: StorePorts
  clock: ReturnType<typeof testClock>
} {
  const clock = testClock()
  const disk = memoryDisk({ now: () => clock.now() })
  const [pid = 200, host = "here", alive = { 100: "boot/ns/100" }] = second
  return {
    clock,
    first: { disk, clock, ids: testIds("a"), machine: testMachine(100) },
    second: { disk, clock, ids: testIds("b"), machine: testMachine(pid, host, alive) },
  }
}

test("the second process with a session may read, gets the holder, and may not write", () => {
  const { first, second, clock } = two()
  const tape = newTape(first)
  clock.advance(3 * 60_000)
  const other = reopen(second)
  assert.equal(englishOf(other.store.readOnly), "open in another gong (pid 100, this machine, 3 min)")
  assert.equal(openStore(second, { path }).holder?.pid, 100)
  assert.throws(
    () => other.append([user("x")], { sync: true }),
    (error) => error instanceof FailureError && error.failure.kind === "storage" && /pid 100/.test(error.message),
  )
  other.close()
  tape.append([user("still mine")], { sync: true })
  assert.equal(reopen(second).branch.length, 2)
})

test("opening twice in one process is refused like from another", () => {
  const { first } = two()
  newTape(first)
  assert.match(englishOf(reopen(first).store.readOnly ?? ""), /pid 100, this machine/)
})

test("a closed session is free again", () => {
  const { first, second } = two()
  newTape(first).close()
  assert.equal(reopen(second).store.readOnly, null)
})

test("a lock that is released between the check and the reading is free, without an error", () => {
  const { first, second } = two()
  const tape = newTape(first)
  const disk = {
    ...second.disk,
    open(file: string, how: Parameters<typeof second.disk.open>[1]) {
      if (how === "read" && file.endsWith("/lock")) tape.close()
      return second.disk.open(file, how)
    },
  }
  const readers = openStore({ ...second, disk }, { path, readOnly: true })
  assert.equal(readers.holder, null)
  readers.close()
})

test("a lock whose process is gone is taken over; so is one whose pid was used again", () => {
  for (const alive of [{}, { 100: "boot/ns/999" }]) {
    const { first, second } = two([200, "here", alive])
    newTape(first).append([user("kept")], { sync: true })
    const tape = reopen(second)
    assert.equal(tape.store.readOnly, null)
    assert.equal(tape.branch.length, 2)
  }
})

test("without start times of processes the pid alone decides", () => {
  for (const [startTime, free] of [
    ["", false],
    [null, true],
  ] as const) {
    const { first, second } = two()
    const silent = { startTime: "", startTimeOf: () => startTime }
    newTape({ ...first, machine: { ...first.machine, ...silent } })
    assert.equal(reopen({ ...second, machine: { ...second.machine, ...silent } }).store.readOnly === null, free)
  }
})

test("a lock of another host or another pid namespace is judged by its beat alone", () => {
  const { first, second, clock } = two([200, "elsewhere", {}])
  newTape(first)
  clock.advance(10 * 60_000)
  assert.match(englishOf(reopen(second).store.readOnly ?? ""), /pid 100, here, 10 min/, "it beats")
  const dead = two([200, "elsewhere", {}])
  newTape({ ...dead.first, clock: { ...dead.first.clock, timer: () => () => undefined } })
  dead.clock.advance(30_000)
  assert.match(englishOf(reopen(dead.second).store.readOnly ?? ""), /pid 100/, "30 s are not over")
  dead.clock.advance(1)
  assert.equal(reopen(dead.second).store.readOnly, null)
})

test("a lock file without a holder is respected for 30 s, then taken", () => {
  const { first, second, clock } = two()
  newTape(first).close()
  putFile(first.disk, `${path}/lock`, Buffer.from(""))
  assert.notEqual(reopen(second).store.readOnly, null)
  clock.advance(30_001)
  assert.equal(reopen(second).store.readOnly, null)
})

test("after a kill at any call of taking the lock, the next process opens the session at once", () => {
  class Killed extends Error {}
  for (let at = 1; at < 12; at++) {
    let from = Infinity
    const clock = testClock()
    const disk = memoryDisk({
      now: () => clock.now(),
      fault({ index }) {
        if (index >= from + at) throw new Killed()
        return null
      },
    })
    newTape(testPorts(disk)).close()
    from = disk.calls
    try {
      openStore(testPorts(disk, "b"), { path })
    } catch (error) {
      assert.ok(error instanceof Killed)
    }
    from = Infinity
    const next = { disk, clock, ids: testIds("c"), machine: testMachine(200, "here", {}) }
    assert.equal(openStore(next, { path }).readOnly, null, `killed at call ${at}`)
  }
})

test("where a file has no second names the lock is taken all the same, by one", () => {
  const { first, second } = two()
  const disk = { ...first.disk, link: () => false }
  newTape({ ...first, disk })
  assert.match(englishOf(reopen({ ...second, disk }).store.readOnly ?? ""), /pid 100, this machine/)
  assert.deepEqual(
    first.disk.list(path).filter((name) => name.startsWith("lock.")),
    [],
  )
})

test("a session whose lock was taken over refuses to append, names the holder, and loses no written entry", () => {
  const { first, second } = two([200, "here", {}])
  const tape = newTape(first)
  tape.append([user("one")], { sync: true })
  const taker = reopen(second)
  taker.append([user("two")], { sync: true })
  assert.throws(() => tape.append([user("late")], { sync: true }), /open in another gong \(pid 200/)
  assert.equal(tape.branch.length, 2, "what was refused is not on the tape")
  assert.match(englishOf(tape.store.readOnly ?? ""), /pid 200/)
  tape.close()
  taker.append([user("three")], { sync: true })
  assert.equal(taker.branch.length, 4)
  assert.deepEqual(taker.store.damage, [])
})

test("a session whose folder is gone refuses to append", () => {
  const ports = testPorts()
  const tape = newTape(ports)
  ports.disk.rename("/sessions/s1", "/sessions/elsewhere")
  assert.throws(() => tape.append([user("x")], { sync: true }), /no longer at its place/)
})

test("of many that find one stale lock exactly one takes it", () => {
  const { first, clock } = two()
  newTape(first)
  const takers = [1, 2, 3, 4, 5].map((n) => {
    const alive = Object.fromEntries([1, 2, 3, 4, 5].map((m) => [m, `boot/ns/${m}`]))
    return createTape(
      openStore({ ...first, clock, ids: testIds(String(n)), machine: testMachine(n, "here", alive) }, { path }),
      { clock, ids: testIds(String(n)) },
    )
  })
  assert.deepEqual(
    takers.map((tape) => tape.store.readOnly === null),
    [true, false, false, false, false],
  )
})

test("this machine knows its own start and that a pid is gone", () => {
  const machine = nodeMachine()
  assert.equal(machine.startTimeOf(machine.pid), machine.startTime)
  assert.equal(machine.startTimeOf(2 ** 30), null)
})

test("looking takes no lock", () => {
  const { first, second } = two()
  newTape(first).close()
  const look = openStore(second, { path, readOnly: true })
  assert.equal(first.disk.stat(`${path}/lock`), null)
  assert.equal(englishOf(look.readOnly), "opened for reading")
})

test("a session that cannot be locked because the disk is full is not opened and leaves no lock", () => {
  let full = false
  const disk = memoryDisk({ fault: (call) => (full && call.name === "write" ? { code: "ENOSPC" } : null) })
  const ports = testPorts(disk)
  newTape(ports).close()
  full = true
  assert.throws(() => openStore(ports, { path }), /the disk is full/)
  full = false
  assert.equal(openStore(ports, { path }).readOnly, null)
  assert.throws(
    () => createStore(ports, { sessions: "/sessions", id: "s1", cwd: "/", workspace: "/" }),
    /open in another/,
  )
})
