import assert from "node:assert/strict"
import { test } from "node:test"
import type { Entry } from "@gong/spec"
import {
  discardFork,
  forkTape,
  importTape,
  listTapes,
  type PowerCutOutcome,
  memoryDisk,
  type MemoryDisk,
  mergeTape,
  openStore,
  type StorePorts,
  verifyTape,
} from "../../../src/store/file.ts"
import { diceOf } from "../../histories/dice.ts"
import { newTape, reopen, result, testClock, testIds, testMachine, testPorts, user } from "../../world.ts"

const sessions = "/home/.gong/sessions"
const details = { text: "x".repeat(70_000) }

class Cut extends Error {}

/** A disk whose power fails between two calls; afterwards nothing of it works until `revive`. */
function mortal() {
  let left = Infinity
  let dead = false
  const disk = memoryDisk({
    fault() {
      if (dead) throw new Cut()
      left -= 1
      if (left > 0) return null
      dead = true
      throw new Cut()
    },
  })
  return {
    disk,
    arm: (calls: number) => void (left = calls),
    revive(luck: PowerCutOutcome) {
      ;[left, dead] = [Infinity, false]
      disk.powerCut(luck)
    },
  }
}

const lucks: readonly ((seed: number) => PowerCutOutcome)[] = [
  () => ({}),
  () => ({ names: () => true, length: (unsynced) => unsynced, sector: () => false }),
  (seed) => {
    const dice = diceOf(seed)
    return { names: () => dice(2) === 0, length: (unsynced) => dice(unsynced + 1), sector: () => dice(3) > 0 }
  },
]

function process(disk: MemoryDisk, pid: number): StorePorts {
  // Longer than the expiry of a lock that the cut left half written.
  const clock = testClock(Date.UTC(2025, 0, 1) + pid * 60_000)
  return { ...testPorts(disk), clock, ids: testIds(`p${pid}`), machine: testMachine(pid) }
}

/** A session of a killed process that acknowledged all but its last line, and the remains of another one. */
function begin(disk: MemoryDisk): readonly string[] {
  newTape(process(disk, 100), sessions, "left")
  const tape = newTape(process(disk, 101), sessions)
  tape.append([user("one"), result("c1", details)], { sync: true })
  tape.handoff("next", { entries: [user("two")] })
  const promised = tape.entriesOfBranch().map(({ id }) => id)
  tape.append([user("three")], { sync: false })
  return promised
}

/** A fork of it that has grown. */
function grown(disk: MemoryDisk): void {
  forkTape(process(disk, 102), { path: `${sessions}/s1`, id: "fork" })
  const fork = reopen(process(disk, 103), `${sessions}/fork`)
  fork.append([user("four"), result("c2", { ...details, more: true })], { sync: true })
}

interface Copying {
  readonly name: string
  prepare(disk: MemoryDisk): void
  work(ports: StorePorts): void
  /** Of the tape with this id: its number of entries, and its presence after `work` has returned; null: absent. */
  readonly makes: { readonly id: string; readonly entries: number | null }
}

const lines = (count: number): Entry[] =>
  Array.from({ length: count }, (_, at) => ({
    ...result(`c${at}`, at === 0 ? details : null),
    id: `e${String(at).padStart(11, "0")}`,
    parentId: at === 0 ? null : `e${String(at - 1).padStart(11, "0")}`,
    timestamp: "2025-01-01T00:00:00.000Z",
  }))
const imported = {
  entries: lines(501),
  cwd: "/w",
  workspace: "/w",
  created: "2025-01-01T00:00:00.000Z",
  problems: [],
  id: "imported",
}
const none = (): void => undefined
const path = `${sessions}/s1`

const copyings: readonly Copying[] = [
  {
    name: "a fork",
    prepare: none,
    work: (ports) => void forkTape(ports, { path, id: "fork" }),
    makes: { id: "fork", entries: 6 },
  },
  {
    name: "a fork at its first step",
    prepare: none,
    work: (ports) =>
      void forkTape(ports, { path, id: "fork", entry: openStore(ports, { path, readOnly: true }).head(0).id }),
    makes: { id: "fork", entries: 7 },
  },
  {
    name: "an import",
    prepare: none,
    work: (ports) => void importTape(ports, imported, { sessions, id: "imported" }),
    makes: { id: "imported", entries: 502 },
  },
  {
    name: "a fork that is dropped",
    prepare: (disk) => void forkTape(process(disk, 102), { path, id: "fork" }),
    work: (ports) => discardFork(ports, `${sessions}/fork`),
    makes: { id: "fork", entries: null },
  },
]

/** The state after a power cut during the work, or right after it if there is no such call any more. */
function cutAt(one: Copying, at: number, luck: PowerCutOutcome) {
  const { disk, arm, revive } = mortal()
  const promised = begin(disk)
  one.prepare(disk)
  arm(at)
  let returned = false
  try {
    one.work(process(disk, 104))
    returned = true
  } catch {
    // The machine is off: results of the code have no receiver.
  }
  revive(luck)
  return { disk, promised, returned }
}

for (const one of copyings) {
  test(`power fails at every call of ${one.name}: the result is complete or absent, and its source is unharmed`, () => {
    everyCut(one, ({ disk, promised, returned }, what) => {
      const ids = listTapes(disk, sessions).map(({ id }) => id)
      const { id, entries } = one.makes
      if (returned) assert.equal(ids.includes(id), entries !== null, what)
      if (ids.includes(id) && entries !== null) {
        const { problems, artifacts, files } = verifyTape(process(disk, 105), `${sessions}/${id}`)
        const valid = files.reduce((sum, file) => sum + file.valid, 0)
        assert.deepEqual([problems, artifacts.damaged, artifacts.missing, valid], [[], [], [], entries], what)
      }
      const source = reopen(process(disk, 106), path)
      for (const entry of promised) assert.ok(source.has(entry), `${what}: ${entry}`)
    })
  })
}

test("the power goes at every call of a merge: all of the fork's entries are there or none, with what they need", () => {
  const merge: Copying = {
    name: "a merge",
    prepare: grown,
    work: (ports) => void mergeTape(ports, { into: path, from: `${sessions}/fork` }),
    makes: { id: "s1", entries: null },
  }
  everyCut(merge, ({ disk, promised, returned }, what) => {
    const { artifacts } = verifyTape(process(disk, 105), path)
    assert.deepEqual([artifacts.damaged, artifacts.missing], [[], []], what)
    const [tape, fork] = [reopen(process(disk, 106), path), reopen(process(disk, 107), `${sessions}/fork`)]
    for (const entry of promised) assert.ok(tape.has(entry), `${what}: ${entry}`)
    const fresh = fork.entriesOfBranch().slice(-2)
    const taken = fresh.filter(({ id }) => tape.has(id)).length
    assert.ok(taken === 2 || (taken === 0 && !returned), `${what}: ${taken} of 2 entries`)
  })
})

/** At each call, with every outcome of unsynced data, up to the last call. */
function everyCut(one: Copying, check: (cut: ReturnType<typeof cutAt>, what: string) => void): void {
  for (let [at, returned] = [1, false]; !returned; at++) {
    for (const [number, luck] of lucks.entries()) {
      const cut = cutAt(one, at, luck(at))
      check(cut, `call ${at}, luck ${number}`)
      returned = cut.returned
    }
  }
}
