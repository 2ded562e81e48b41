import assert from "node:assert/strict"
import { test } from "node:test"
import { FailureError } from "@gong/spec"
import { type DiskCall, memoryDisk, openStore } from "../src/store/file.ts"
import { newTape, reopen, testPorts, user } from "./world.ts"

/** A tape on a disk that can be full. */
function onDisk() {
  let isFull = false
  const fault = ({ name }: DiskCall) =>
    isFull && (name === "write" || name === "mkdir" || name === "open") ? { code: "ENOSPC" } : null
  const ports = testPorts(memoryDisk({ fault }))
  return { ports, tape: newTape(ports), fill: (full: boolean) => void (isFull = full) }
}

test("a phase that waits for a full disk is the newest one, and is written when there is space", () => {
  const { ports, tape, fill } = onDisk()
  tape.append([user("one")], { sync: true })
  fill(true)
  tape.handoff("next", { entries: [user("two")] })
  const names = () => tape.phases().map(({ seq, name, first }) => [seq, name, first])
  const phases = [
    [1, "session-start", 0],
    [2, "next", 2],
  ]
  assert.deepEqual([names(), tape.stalled?.kind, tape.store.length], [phases, "storage", 2])
  tape.append([user("three")], { sync: true, anchor: "next" })
  assert.throws(() => tape.append([user("four")], { sync: true, anchor: "session-start" }), FailureError)
  assert.deepEqual([tape.flush(), tape.all.length], [false, 5])
  fill(false)
  assert.deepEqual([tape.flush(), tape.stalled, names()], [true, null, phases])
  tape.close()
  const again = reopen(ports)
  assert.deepEqual([again.phases().length, again.branch.length], [2, 5])
  again.close()
})

test("a session whose process ended before its first entry is opened, empty, and gets its first phase", () => {
  const ports = testPorts()
  newTape(ports).close()
  const { disk } = ports
  disk.unlink("/sessions/s1/anchors/001_session-start/entries.jsonl")
  disk.rmdir("/sessions/s1/anchors/001_session-start")
  const store = openStore(ports, { path: "/sessions/s1" })
  assert.deepEqual([store.length, store.anchors(), store.damage], [0, [], []])
  store.close()
  const tape = reopen(ports)
  assert.deepEqual([tape.phases().map(({ seq, name }) => [seq, name]), tape.branch.length], [[[1, "session-start"]], 1])
  tape.close()
})
