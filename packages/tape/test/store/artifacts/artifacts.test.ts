import assert from "node:assert/strict"
import { test } from "node:test"
import { artifactFiles, artifactsPort, isArtifactName } from "../../../src/store/artifacts/artifacts.ts"
import { sha256 } from "../../../src/store/artifacts/digest.ts"
import { type Disk, memoryDisk } from "../../../src/store/file.ts"
import { putFile } from "../../world.ts"

const folder = "/s/t/artifacts"
const bytes = Buffer.from("content")
const name = `sha256-${sha256(bytes)}`
const path = `${folder}/${name}`

/** A disk with the folder of a tape, and the calls that were made on it. */
function counted(fault: (call: string) => string | null = () => null) {
  const calls: string[] = []
  let counts = false
  const disk = memoryDisk({
    fault({ name: call, path: where }) {
      if (!counts) return null
      if (!/^(?:stat|open|read|fstat|close|list)$/.test(call)) calls.push(`${call} ${where.slice("/s/t".length)}`)
      const code = fault(call)
      return code === null ? null : { code }
    },
  })
  disk.mkdir("/s/t")
  for (const at of ["/", "/s", "/s/t"]) disk.syncFolder(at)
  counts = true
  const taken = (): readonly string[] => calls.splice(0)
  return { disk, taken }
}

const beside = `/artifacts/${name}.tmp`
const written = ["mkdir /artifacts", `write ${beside}`, `rename ${beside}`]
const durable = ["mkdir /artifacts", `write ${beside}`, `sync ${beside}`, `rename ${beside}`, "syncFolder /artifacts"]
const synced = ["mkdir /artifacts", `sync /artifacts/${name}`, "syncFolder /artifacts"]

test("an artifact is written once, and synced once when that is asked for, with the folder it is in", () => {
  const { disk, taken } = counted()
  const files = artifactFiles(disk, folder)
  assert.equal(files.put(bytes, false), name)
  assert.deepEqual(taken(), written)
  files.put(bytes, false)
  assert.deepEqual(taken(), [])
  files.put(bytes, true)
  assert.deepEqual(taken(), [...synced, "syncFolder "])
  for (const sync of [true, false, true]) files.put(bytes, sync)
  assert.deepEqual(taken(), [])
  files.put(Buffer.from("other"), true)
  assert.equal(taken().filter((call) => call === "syncFolder ").length, 0, "the folder's own name is durable")
})

test("an artifact that is to be durable at once survives a power cut with its folder", async () => {
  for (const put of [
    async (disk: Disk) => artifactFiles(disk, folder).put(bytes, true),
    async (disk: Disk) => artifactFiles(disk, folder).putDurably(bytes),
    async (disk: Disk) => artifactFiles(disk, folder, "thread-pool").putDurably(bytes),
  ]) {
    const { disk } = counted()
    assert.equal(await put(disk), name)
    ;(disk as ReturnType<typeof memoryDisk>).powerCut()
    assert.deepEqual(artifactFiles(disk, folder).get(name), bytes)
  }
  for (const durably of [false, true]) {
    const { disk, taken } = counted()
    const files = artifactFiles(disk, folder)
    await (durably ? files.putDurably(bytes) : files.put(bytes, true))
    assert.deepEqual(taken(), [...durable, "syncFolder "])
  }
})

test("files left by a killed process are only used if complete, and are then made durable, not written again", () => {
  for (const [left, calls] of [
    [bytes, synced],
    [Buffer.alloc(bytes.length), durable],
    [bytes.subarray(1), durable],
  ] as const) {
    const { disk, taken } = counted()
    disk.mkdir(folder)
    putFile(disk, path, left)
    taken()
    const files = artifactFiles(disk, folder)
    const readable = left === bytes ? bytes : null
    assert.deepEqual(files.get(name), readable)
    files.put(bytes, true)
    assert.deepEqual(taken(), [...calls, "syncFolder "])
    assert.deepEqual(files.get(name), bytes)
  }
})

test("in the thread pool durable content is not synced again; equal content waits for the first sync", async () => {
  const { disk, taken } = counted()
  const files = artifactFiles(disk, folder, "thread-pool")
  const pooled = [`syncInPool /artifacts/${name}`, "syncInPool /artifacts"]
  assert.deepEqual(await Promise.all([files.putDurably(bytes), files.putDurably(bytes)]), [name, name])
  assert.deepEqual(taken(), [...written, ...pooled, "syncInPool "])
  await files.putDurably(bytes)
  assert.deepEqual(taken(), [])
  const other = Buffer.from("other")
  await files.putDurably(other)
  assert.equal(taken().filter((call) => call === "syncInPool ").length, 0)
  const { disk: again, taken: more } = counted()
  const inPool = artifactFiles(again, folder, "thread-pool")
  inPool.put(bytes, true)
  more()
  await inPool.putDurably(bytes)
  assert.deepEqual(more(), [], "it was made durable without the pool")
})

test("where the disk fails the artifact is not kept, and the next one is tried anew", async () => {
  let failing = "write"
  const { disk, taken } = counted((call) => (call === failing ? "ENOSPC" : null))
  const files = artifactFiles(disk, folder, "thread-pool")
  const refused = /Cannot keep an artifact of the session: the disk is full/
  assert.throws(() => files.put(bytes, false), refused)
  failing = "syncInPool"
  await assert.rejects(files.putDurably(bytes), refused)
  putFile({ ...disk, unlink: disk.unlink }, path, Buffer.alloc(bytes.length))
  failing = ""
  taken()
  await files.putDurably(bytes)
  assert.equal(taken().at(-1), "syncInPool ")
  assert.deepEqual(files.get(name), bytes, "what the disk has lost meanwhile is written again")
})

test("only the name of a content is one, and what lies under it must have that content", () => {
  const hex = "0123456789abcdef".repeat(4)
  assert.ok(isArtifactName(`sha256-${hex}`))
  for (const odd of [hex, `sha256-${hex}0`, `sha256-${hex.slice(1)}`, `x/sha256-${hex}`, `sha256-${hex.toUpperCase()}`])
    assert.equal(isArtifactName(odd), false, odd)
  const disk = memoryDisk()
  disk.mkdir(folder)
  putFile(disk, `${folder}/other`, bytes)
  const files = artifactFiles(disk, folder)
  assert.deepEqual([files.get("other"), files.get(name)], [null, null])
  const { calls } = disk
  assert.deepEqual([files.get("../tape.json"), disk.calls - calls], [null, 0], "nothing else is even looked for")
  files.put(bytes, false)
  const again = artifactFiles(disk, folder)
  again.get(name)
  const before = disk.calls
  again.put(bytes, false)
  assert.equal(disk.calls - before, 1, "what was read whole is not read again")
})

test("the port keeps, finds and makes room for outputs under names that any system takes", async () => {
  const { disk, taken } = counted()
  let begun = 0
  const spill = { folder: "/s/t/out", begun: () => void (begun += 1) }
  const port = artifactsPort(artifactFiles(disk, folder), disk, spill)
  assert.equal(await port.put(bytes), name)
  assert.equal(taken().filter((call) => call.startsWith("sync")).length, 0)
  assert.equal(await port.put(bytes, { sync: true }), name)
  assert.ok(taken().some((call) => call.startsWith("sync")))
  assert.deepEqual(await port.get(name), bytes)
  assert.equal(await port.spillPath("a b/c:d._-9.log"), "/s/t/out/a-b-c-d._-9.log")
  assert.deepEqual([begun, disk.stat("/s/t/out")], [1, null], "a disk in memory has no files for others")
  await artifactsPort(artifactFiles(disk, folder), { ...disk, inMemory: false }, spill).spillPath("x")
  assert.equal(disk.stat("/s/t/out")?.kind, "folder")
})
