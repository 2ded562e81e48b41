import assert from "node:assert/strict"
import { test } from "node:test"
import { isUnchanged, type ChangeStamp, stampOf, pathOf, tapeFolders } from "../../src/index/source.ts"
import { type Disk, memoryDisk } from "../../src/store/file.ts"
import { putFile } from "../world.ts"

const file = "anchors/002_b/entries.jsonl"

/** A tape of two phases, whose times are encoded in their paths. */
function tapeOf() {
  const memory = memoryDisk()
  memory.mkdir("/s/t/anchors/002_b")
  memory.mkdir("/s/t/anchors/001_a")
  putFile(memory, "/s/t/anchors/001_a/entries.jsonl", Buffer.from("first"))
  putFile(memory, `/s/t/${file}`, Buffer.from("second"))
  const times = new Map([
    ["/s/t/anchors", 5],
    [`/s/t/${file}`, 7],
  ])
  const disk: Disk = {
    ...memory,
    stat(path) {
      const stat = memory.stat(path)
      return stat === null ? null : { ...stat, mtimeMs: times.get(path) ?? 1 }
    },
  }
  return { disk, times }
}

const mark: ChangeStamp = { phasesAt: 5, newest: file, size: 6, modified: 7 }

test("a tape is marked by its newest file and by when its phases changed", () => {
  const { disk } = tapeOf()
  assert.deepEqual(stampOf(disk, "/s/t"), mark)
  disk.unlink(`/s/t/${file}`)
  assert.deepEqual(stampOf(disk, "/s/t"), { phasesAt: 5, newest: "", size: 0, modified: 5 })
  assert.deepEqual(stampOf(disk, "/s/none"), { phasesAt: 0, newest: "", size: 0, modified: 0 })
})

test("a tape is the same as long as nothing of that is another one", () => {
  const { disk, times } = tapeOf()
  assert.equal(isUnchanged(disk, "/s/t", mark), true)
  const others: readonly Partial<ChangeStamp>[] = [
    { phasesAt: 6 },
    { newest: "" },
    { newest: "anchors/001_a/entries.jsonl" },
    { newest: "anchors/003_c/entries.jsonl" },
    { size: 7 },
    { modified: 8 },
  ]
  for (const other of others)
    assert.equal(isUnchanged(disk, "/s/t", { ...mark, ...other }), false, JSON.stringify(other))
  times.set("/s/t/anchors", 6)
  assert.equal(isUnchanged(disk, "/s/t", mark), false)
  const none = { phasesAt: 6, newest: "", size: disk.stat("/s/t/")?.size ?? 0, modified: 1 }
  assert.equal(isUnchanged(disk, "/s/t", none), false, "a tape without lines is looked at each time")
})

test("the tapes of a folder are all in it that is not hidden; one tape is its own place", () => {
  const { disk } = tapeOf()
  disk.mkdir("/s/.hidden")
  assert.deepEqual(tapeFolders(disk, { sessions: "/s" }), [{ folder: "t", path: "/s/t" }])
  assert.deepEqual(tapeFolders(disk, { tape: "/s/t" }), [])
  putFile(disk, "/s/t/tape.json", Buffer.from("{}"))
  assert.deepEqual(tapeFolders(disk, { tape: "/s/t" }), [{ folder: ".", path: "/s/t" }])
  assert.deepEqual([pathOf({ tape: "/s/t" }, "."), pathOf({ sessions: "/s" }, "t")], ["/s/t", "/s/t"])
})
