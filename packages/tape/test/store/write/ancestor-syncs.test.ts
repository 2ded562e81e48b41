import assert from "node:assert/strict"
import { test } from "node:test"
import { memoryDisk } from "../../../src/store/file.ts"
import { tapeSyncs, syncSessionsFolder } from "../../../src/store/write/ancestor-syncs.ts"
import { syncInPool, syncNow } from "../../../src/store/write/syncs.ts"
import { putFile } from "../../world.ts"

/** A disk with a tape, the syncs made on it, and calls that fail. */
function recorded() {
  const syncs: string[] = []
  const failing = new Map<string, string>()
  const disk = memoryDisk({
    fault({ name, path }) {
      if (name.startsWith("sync")) syncs.push(path)
      const code = failing.get(`${name} ${path}`)
      return code === undefined ? null : { code }
    },
  })
  disk.mkdir("/h/s/t/anchors")
  putFile(disk, "/h/s/t/tape.json", Buffer.from("{}"))
  return { disk, failing, taken: () => syncs.splice(0) }
}

const own = ["/h/s/t/tape.json", "/h/s/t/anchors", "/h/s/t", "/h/s"]

test("all that leads to a tape is synced, and what leads to its folder once", async () => {
  const { disk, taken } = recorded()
  syncNow(disk, tapeSyncs(disk, "/h/s/t"))
  assert.deepEqual(taken(), [...own, "/h", "/"])
  assert.equal(disk.stat("/h/s/.durable")?.size, 0)
  syncNow(disk, tapeSyncs(disk, "/h/s/t"))
  assert.deepEqual(taken(), own)
  const pooled = recorded()
  await syncInPool(pooled.disk, tapeSyncs(pooled.disk, "/h/s/t"))
  assert.deepEqual(pooled.taken(), [...own, "/h", "/"])
})

test("a settled parent folder needs no further sync, and a foreign one may refuse", async () => {
  const above = recorded()
  syncSessionsFolder(above.disk, "/h")
  assert.deepEqual(above.taken(), ["/h", "/"])
  syncSessionsFolder(above.disk, "/h/s")
  assert.deepEqual(above.taken(), ["/h/s", "/h"])
  for (const code of ["EACCES", "EPERM", "EINVAL", "ENOTSUP", "EOPNOTSUPP"]) {
    const { disk, failing, taken } = recorded()
    failing.set("syncFolder /h", code).set("syncInPool /h", code)
    syncSessionsFolder(disk, "/h/s")
    assert.deepEqual([taken(), disk.stat("/h/s/.durable")?.kind], [["/h/s", "/h", "/"], "file"])
    disk.unlink("/h/s/.durable")
    await syncInPool(disk, tapeSyncs(disk, "/h/s/t"))
    assert.deepEqual(taken(), [...own, "/h", "/"])
  }
})

test("a sync that fails for another reason, or of Gong's own folders, is an error and leaves no mark", async () => {
  for (const [where, code] of [
    ["/h", "EIO"],
    ["/h/s", "EACCES"],
  ] as const) {
    const { disk, failing } = recorded()
    failing.set(`syncFolder ${where}`, code).set(`syncInPool ${where}`, code)
    assert.throws(() => syncSessionsFolder(disk, "/h/s"), new RegExp(code))
    await assert.rejects(syncInPool(disk, tapeSyncs(disk, "/h/s/t")), new RegExp(code))
    assert.equal(disk.stat("/h/s/.durable"), null)
  }
})

test("a disk that takes no mark is settled all the same, and again the next time", () => {
  const { disk, failing, taken } = recorded()
  failing.set("open /h/s/.durable", "ENOSPC")
  for (let round = 0; round < 2; round++) {
    syncSessionsFolder(disk, "/h/s")
    assert.deepEqual(taken(), ["/h/s", "/h", "/"])
  }
})
