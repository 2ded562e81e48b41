import assert from "node:assert/strict"
import { test } from "node:test"
import { type Entry, failure, FailureError, type Store, textOf, type ToolResultMessage } from "@gong/spec"
import { shortened } from "../src/index.ts"
import { createQueue } from "../src/queue.ts"
import { memoryDisk } from "../src/store/file.ts"
import { trimSpill } from "../src/store/artifacts/spill.ts"
import { createAtomically } from "../src/store/copy/atomic-create.ts"
import { newTape, putFile, reopen, result, testClock, testPorts, user } from "./world.ts"

const hour = 3600 * 1000

/** A store on a disk that is full until the test frees it. */
function fullDisk() {
  const written: Entry[] = []
  const state = { full: true }
  const store = {
    readOnly: null,
    get length() {
      return written.length
    },
    append(entries: readonly Entry[]) {
      if (state.full) throw new FailureError(failure("storage", "ENOSPC"))
      written.push(...entries)
    },
  }
  return { queue: createQueue(store as unknown as Store), written, state }
}

const entries = (count: number): readonly Entry[] =>
  Array.from({ length: count }, (_, at) => ({ id: String(at), parentId: null, timestamp: "", ...user("x") }))

test("twenty thousand entries wait for a full disk; the batch that would be one more is refused, and they stay", () => {
  const { queue, written, state } = fullDisk()
  queue.put({ entries: entries(19_999), sync: false })
  assert.throws(() => queue.put({ entries: entries(2), sync: false }), /19999 entries wait for the disk/)
  queue.put({ entries: entries(1), sync: false })
  assert.equal(queue.length, 20_000)
  assert.throws(() => queue.put({ entries: entries(1), sync: false }), /20000 entries wait for the disk/)
  assert.equal(queue.flush(), false)
  state.full = false
  assert.equal(queue.flush(), true)
  assert.deepEqual([written.length, queue.length, queue.stalled], [20_000, 20_000, null])
})

test("an old result up to 200 characters over its limit does not change; a longer one keeps both ends", () => {
  const message = (text: string): ToolResultMessage => {
    const { message: one } = result("c1")
    assert.equal(one.role, "tool")
    return { ...(one as ToolResultMessage), content: [{ type: "text", text }] }
  }
  const most = message("x".repeat(600))
  assert.equal(shortened(most, 400), most)
  const cut = textOf(shortened(message(`${"a".repeat(300)}b${"c".repeat(300)}`), 400))
  const [start = "", gap = "", end = ""] = cut.split("\n")
  assert.deepEqual([start, end], ["a".repeat(200), "c".repeat(200)])
  assert.match(gap, /^\[\.\.\. 201 characters of this old result/)
})

test("details of 65,536 characters stand in their line, longer ones beside the tape, and both come back", () => {
  for (const [length, beside] of [
    [65_536, false],
    [65_537, true],
  ] as const) {
    const disk = memoryDisk()
    const tape = newTape(testPorts(disk))
    const details = { text: "x".repeat(length - '{"text":""}'.length) }
    tape.append([result("c1", details)], { sync: true })
    tape.close()
    assert.equal(disk.list("/sessions/s1/artifacts").length, beside ? 1 : 0)
    const entry = reopen(testPorts(disk, "b")).entriesOfBranch().at(-1)
    assert.ok(entry?.type === "message" && entry.message.role === "tool")
    assert.deepEqual(entry.message.details, details)
  }
})

test("the remains of a crash are removed a day later, and nothing else", () => {
  const clock = testClock()
  const disk = memoryDisk({ now: () => clock.now() })
  const leftover = (name: string): void => {
    disk.mkdir(`/sessions/${name}`)
    putFile(disk, `/sessions/${name}/x`, new Uint8Array(1))
  }
  disk.mkdir("/sessions")
  leftover(".tmp-old")
  leftover("kept")
  const there = () => disk.list("/sessions").includes(".tmp-old")
  createAtomically(disk, clock.now() + 24 * hour, "/sessions", "s1", () => undefined)
  assert.equal(there(), true)
  createAtomically(disk, clock.now() + 24 * hour + 1, "/sessions", "s2", () => undefined)
  assert.equal(there(), false)
  assert.deepEqual(
    ["kept", "s1", "s2"].map((name) => disk.list("/sessions").includes(name)),
    [true, true, true],
  )
})

test("an output stays for an hour after the last that was written to it, and as long as there is room", async () => {
  const clock = testClock()
  const disk = memoryDisk({ now: () => clock.now() })
  const tape = newTape({ ...testPorts(disk), clock })
  disk.mkdir("/sessions/s1/artifacts")
  const path = await tape.store.artifacts.spillPath("gong-bash-1.log")
  putFile(disk, path, new Uint8Array(100))
  for (const [ms, most, there] of [
    [hour - 1, 0, true],
    [hour, 100, true],
    [hour, 99, false],
  ] as const) {
    trimSpill(disk, clock.now() + ms, "/sessions", most)
    assert.equal(disk.stat(path) !== null, there, `${ms} ms, ${most} bytes`)
  }
})
