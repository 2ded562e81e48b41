import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { type Entry, FailureError } from "@gong/spec"
import type { AppendEntry, Tape } from "../../../src/index.ts"
import { type PowerCutOutcome, memoryDisk, type MemoryDisk, verifyTape } from "../../../src/store/file.ts"
import { diceOf } from "../../histories/dice.ts"
import { newTape, reopen, reply, result, testClock, testIds, testMachine, user } from "../../world.ts"

/** One thing that a session does; sizes reach over several sectors, or into the artifacts. */
type Act =
  | { readonly do: "append"; readonly sizes: readonly number[]; readonly sync: boolean }
  | { readonly do: "begin-sync" | "handoff" | "back" | "close" }

const size = fc.oneof({ weight: 8, arbitrary: fc.nat(3000) }, { weight: 1, arbitrary: fc.constant(70_000) })
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("append" as const),
      sizes: fc.array(size, { minLength: 1, maxLength: 3 }),
      sync: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("begin-sync" as const, "handoff", "back", "close") }) },
)

/** The operations of a process until a power cut at one of its disk calls, and the random remains on the disk. */
const life = fc.record({
  acts: fc.array(act, { minLength: 1, maxLength: 12 }),
  cutAt: fc.nat(160),
  done: fc.boolean(),
  seed: fc.nat(),
  /** Of ten sectors. */
  kept: fc.nat(10),
})

class Cut extends Error {}

/** All appended entries, and those guaranteed after a power cut. */
interface Known {
  readonly entries: Map<string, Entry>
  readonly promised: Set<string>
}

/** A disk whose power fails at the call named by `arm`; afterwards nothing of it works until it is restored. */
function mortalDisk(): MemoryDisk & { arm(cutAt: number, done: boolean): void; revive(luck: PowerCutOutcome): void } {
  let left = Infinity
  let after = false
  let dead = false
  const disk = memoryDisk({
    fault() {
      if (dead) throw new Cut()
      left -= 1
      if (left > 0) return null
      dead = true
      if (after) return { code: "CUT", after: true }
      throw new Cut()
    },
  })
  return Object.assign(disk, {
    arm(cutAt: number, done: boolean) {
      left = cutAt
      after = done
    },
    revive(luck: PowerCutOutcome) {
      dead = false
      left = Infinity
      disk.powerCut(luck)
    },
  })
}

function luckOf(seed: number, kept: number): PowerCutOutcome {
  const dice = diceOf(seed)
  return {
    length: (unsynced) => dice(unsynced + 1),
    sector: () => dice(10) < kept,
    names: () => dice(2) === 0,
  }
}

/** All entries of a synced batch are guaranteed, and so is everything before them. */
function note(tape: Tape, known: Known, entries: readonly Entry[], synced: boolean): void {
  for (const entry of entries) known.entries.set(entry.id, entry)
  if (synced && tape.stalled === null)
    for (let at = 0; at < tape.all.length; at++) known.promised.add(tape.all.head(at).id)
}

function bodyOf(size: number): AppendEntry {
  const text = "torn? 断电 ".repeat(Math.ceil(size / 9))
  return size > 60_000 ? result("big", { text }) : size % 2 === 0 ? reply(text) : user(text)
}

function play(tape: Tape, acts: readonly Act[], known: Known): void {
  for (const one of acts) {
    switch (one.do) {
      case "append":
        note(tape, known, tape.append(one.sizes.map(bodyOf), { sync: one.sync }), one.sync)
        break
      case "begin-sync":
        tape.beginSync()
        break
      case "handoff":
        note(tape, known, tape.handoff("next", { entries: [user("next")] }), true)
        break
      case "back":
        note(tape, known, [tape.navigate(tape.branch.head(tape.branch.length >> 1).id, "")], false)
        break
      case "close":
        tape.close()
        note(tape, known, [], true)
        return
    }
  }
}

/** The entries present are appended ones, in one tree; guaranteed ones are present. */
function check(tape: Tape, known: Known): void {
  const found = new Map<string, Entry>()
  for (let at = 0; at < tape.all.length; at++) {
    const entry = tape.all.entry(at)
    assert.ok(!found.has(entry.id), `entry ${entry.id} is there once`)
    assert.ok(at === 0 ? entry.parentId === null : found.has(entry.parentId ?? ""), `the parent of ${entry.id}`)
    found.set(entry.id, entry)
    const { parentId: _, ...rest } = known.entries.get(entry.id) ?? entry
    const { parentId: __, ...there } = entry
    // An entry whose parent was not guaranteed and is lost continues from the one above it.
    assert.deepEqual(there, rest)
  }
  for (const id of known.promised) assert.ok(found.has(id), `entry ${id} was promised`)
}

/** Opens the session left by the last life; null if nothing was guaranteed and there is no session. */
function begin(disk: MemoryDisk, number: number, known: Known): Tape | null {
  // Longer than the expiry of a lock that the cut left half written.
  const clock = testClock(Date.UTC(2025, 0, 1) + number * 60_000)
  const ports = { disk, clock, ids: testIds("abcdef"[number] ?? "z"), machine: testMachine(100 + number) }
  if (number === 0) return newTape(ports)
  try {
    const tape = reopen(ports)
    check(tape, known)
    if (known.promised.size > 0) assert.deepEqual(verifyTape(ports, "/sessions/s1").artifacts.damaged, [])
    return tape
  } catch (error) {
    if (error instanceof FailureError && known.promised.size === 0) return null
    throw error
  }
}

test("power fails at any call, sectors are torn and names are lost at random: guaranteed entries are present, the rest complete or absent", () => {
  let [cuts, entries] = [0, 0]
  fc.assert(
    fc.property(fc.array(life, { minLength: 1, maxLength: 4 }), (lives) => {
      const disk = mortalDisk()
      const known: Known = { entries: new Map(), promised: new Set() }
      for (const [number, { acts, cutAt, done, seed, kept }] of lives.entries()) {
        disk.arm(cutAt, done)
        try {
          const tape = begin(disk, number, known)
          if (tape === null) return
          // Entries found are on the disk; a new tape guarantees nothing yet.
          note(tape, known, tape.entriesOfBranch(), number > 0)
          play(tape, acts, known)
        } catch (error) {
          if (!(error instanceof Cut) && !(error instanceof FailureError && isCut(error))) throw error
        }
        disk.revive(luckOf(seed, kept))
        cuts += 1
      }
      const last = begin(disk, lives.length, known)
      entries += known.promised.size
      if (last === null) return
      const [after] = last.append([user("it goes on")], { sync: true })
      disk.powerCut()
      assert.ok(begin(disk, lives.length + 1, known)?.has(after?.id ?? ""), "what is written after that is kept too")
    }),
    { numRuns: 300, seed: 4 },
  )
  assert.ok(cuts > 300 && entries > 1000, `${cuts} cuts, ${entries} promised`)
})

function isCut({ failure }: FailureError): boolean {
  return failure.kind === "storage" && /CUT/.test(failure.message)
}
