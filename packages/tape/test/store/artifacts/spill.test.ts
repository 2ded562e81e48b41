import assert from "node:assert/strict"
import { test } from "node:test"
import { type Disk, memoryDisk } from "../../../src/store/file.ts"
import { trimSpill } from "../../../src/store/artifacts/spill.ts"
import { newTape, putFile, testClock, testPorts, user } from "../../world.ts"

const hour = 3600 * 1000

/** Three sessions with outputs of 100 bytes, one an hour, and an artifact and entries that are older than all of them. */
async function spilled() {
  const clock = testClock()
  const disk = memoryDisk({ now: () => clock.now() })
  const paths: string[] = []
  // Listed in an order other than that of their outputs.
  for (const id of ["s3", "s1", "s2"]) disk.mkdir(`/sessions/${id}`)
  for (const id of ["s1", "s2", "s3"]) {
    const tape = newTape({ ...testPorts(disk), clock }, "/sessions", id)
    tape.append([user(id)], { sync: true })
    await tape.store.artifacts.put(new Uint8Array(500))
    clock.advance(hour)
    const path = await tape.store.artifacts.spillPath(`gong-bash-${id}.log`)
    putFile(disk, path, new Uint8Array(100))
    paths.push(path)
    tape.close()
  }
  clock.advance(2 * hour)
  const left = (): readonly boolean[] => paths.map((path) => disk.stat(path) !== null)
  return { disk, clock, left }
}

test("outputs of commands over the limit go, the oldest first; entries and artifacts never do", async () => {
  const { disk, clock, left } = await spilled()
  trimSpill(disk, clock.now(), "/sessions", 300)
  assert.deepEqual(left(), [true, true, true])
  trimSpill(disk, clock.now(), "/sessions", 299)
  assert.deepEqual(left(), [false, true, true])
  trimSpill(disk, clock.now(), "/sessions", 0)
  assert.deepEqual(left(), [false, false, false])
  for (const id of ["s1", "s2", "s3"]) {
    assert.equal(disk.list(`/sessions/${id}/artifacts`).length, 1)
    assert.ok((disk.stat(`/sessions/${id}/anchors/001_session-start/entries.jsonl`)?.size ?? 0) > 100)
  }
})

test("an output that may still be growing stays", async () => {
  const { disk, clock, left } = await spilled()
  const tape = newTape({ ...testPorts(disk, "b"), clock }, "/sessions", "s4")
  disk.mkdir("/sessions/s4/artifacts")
  putFile(disk, await tape.store.artifacts.spillPath("gong-bash-new.log"), new Uint8Array(10))
  trimSpill(disk, clock.now(), "/sessions", 5)
  assert.deepEqual(left(), [false, false, false])
  assert.equal(disk.list("/sessions/s4/artifacts").length, 1)
})

test("closing a session with output files removes the oldest ones of all sessions above 2 GB", async () => {
  const { disk, clock, left } = await spilled()
  // No test writes gigabytes.
  const huge: Disk = {
    ...disk,
    stat(path) {
      const stat = disk.stat(path)
      return stat !== null && path.endsWith(".log") ? { ...stat, size: 900_000_000 } : stat
    },
  }
  const silent = newTape({ ...testPorts(huge, "b"), clock }, "/sessions", "s4")
  silent.close()
  assert.deepEqual(left(), [true, true, true], "one that made none does not look")
  const tape = newTape({ ...testPorts(huge, "c"), clock }, "/sessions", "s5")
  await tape.store.artifacts.spillPath("gong-bash-c1.log")
  tape.close()
  assert.deepEqual(left(), [false, true, true])
})
