import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { setImmediate as turn } from "node:timers/promises"
import type { Disk } from "../../../src/store/disk/disk.ts"
import { nodeDisk } from "../../../src/store/disk/node.ts"
import { memoryDisk } from "../../../src/store/file.ts"
import { disks } from "../../world.ts"

const bytes = (text: string) => Buffer.from(text)
const codeOf = (work: () => unknown): string => {
  try {
    return `none: ${String(work())}`
  } catch (error) {
    return String((error as { readonly code?: unknown }).code)
  }
}

function readAll(disk: Disk, path: string): string {
  const file = disk.open(path, "read")
  const into = Buffer.alloc(disk.fstat(file).size)
  const count = disk.read(file, into, 0)
  disk.close(file)
  return into.toString("utf8", 0, count)
}

function put(disk: Disk, path: string, text: string): void {
  const file = disk.open(path, "append")
  disk.write(file, bytes(text))
  disk.close(file)
}

for (const { name, use } of disks) {
  test(`${name}: a file is created once, written at its end or at a position, truncated and read in parts`, () =>
    use(async (disk, folder) => {
      disk.mkdir(folder)
      const path = `${folder}/file`
      const file = disk.open(path, "create")
      disk.write(file, bytes("abcdef"))
      disk.write(file, bytes("XY"), 2)
      const into = Buffer.alloc(3)
      assert.deepEqual([disk.read(file, into, 1), into.toString()], [3, "bXY"])
      assert.deepEqual([disk.read(file, into, 4), into.toString("utf8", 0, 2), disk.read(file, into, 6)], [2, "ef", 0])
      await disk.syncInPool(file)
      disk.close(file)
      const more = disk.open(path, "append")
      disk.write(more, bytes("gh"))
      disk.truncate(more, 7)
      disk.sync(more)
      assert.equal(disk.fstat(more).size, 7)
      disk.close(more)
      await disk.syncInPool(path)
      await disk.syncInPool(folder)
      assert.equal(readAll(disk, path), "abXYefg")
      const { kind, size, inode } = disk.stat(path) ?? {}
      assert.deepEqual([kind, size, inode === disk.stat(folder)?.inode], ["file", 7, false])
      assert.deepEqual([disk.stat(folder)?.kind, disk.stat(`${folder}/none`)], ["folder", null])
    }))

  test(`${name}: missing, existing and full places have the codes of Node`, () =>
    use((disk, folder) => {
      assert.equal(disk.mkdir(`${folder}/a/b`), folder, "the first folder that was created")
      assert.equal(disk.mkdir(`${folder}/a/b`), null)
      put(disk, `${folder}/a/file`, "x")
      for (const [work, code] of [
        [() => disk.open(`${folder}/none`, "read"), "ENOENT"],
        [() => disk.open(`${folder}/none/file`, "append"), "ENOENT"],
        [() => disk.open(`${folder}/a/file`, "create"), "EEXIST"],
        [() => disk.open(`${folder}/a`, "append"), "EISDIR"],
        [() => disk.unlink(`${folder}/none`), "ENOENT"],
        [() => disk.rename(`${folder}/none`, `${folder}/other`), "ENOENT"],
        [() => disk.link(`${folder}/none`, `${folder}/other`), "ENOENT"],
        [() => disk.link(`${folder}/a/file`, `${folder}/a/b`), "EEXIST"],
        [() => disk.rmdir(`${folder}/a`), "ENOTEMPTY"],
        [() => disk.fstat(999), "EBADF"],
      ] as const)
        assert.equal(codeOf(work), code, String(work))
      assert.match(
        codeOf(() => disk.mkdir(`${folder}/a/file/b`)),
        /^ENOTDIR$/,
      )
      assert.deepEqual([disk.list(`${folder}/none`), disk.list(`${folder}/a/file`)], [[], []])
    }))

  test(`${name}: names are linked, moved and removed`, () =>
    use((disk, folder) => {
      disk.mkdir(`${folder}/a`)
      put(disk, `${folder}/one`, "1")
      put(disk, `${folder}/two`, "2")
      assert.equal(disk.link(`${folder}/one`, `${folder}/a/same`), true)
      assert.equal(disk.stat(`${folder}/a/same`)?.inode, disk.stat(`${folder}/one`)?.inode)
      disk.rename(`${folder}/one`, `${folder}/two`)
      assert.deepEqual([readAll(disk, `${folder}/two`), disk.list(folder).toSorted()], ["1", ["a", "two"]])
      disk.unlink(`${folder}/a/same`)
      disk.rmdir(`${folder}/a`)
      disk.syncFolder(folder)
      assert.deepEqual(disk.list(folder), ["two"])
    }))

  test(`${name}: a successful sync in the background reports nothing`, () =>
    use(async (disk, folder) => {
      disk.mkdir(folder)
      const file = disk.open(`${folder}/file`, "create")
      const failed: unknown[] = []
      disk.beginSync(file, (error) => failed.push(error))
      await turn()
      await disk.syncInPool(file)
      assert.deepEqual(failed, [])
      disk.close(file)
    }))
}

test("memory disk: after a power cut files are closed, and what was not synced is gone", () => {
  const disk = memoryDisk()
  disk.mkdir("/d")
  disk.syncFolder("/")
  const file = disk.open("/d/file", "create")
  disk.write(file, bytes("ab"))
  disk.sync(file)
  disk.syncFolder("/d")
  disk.write(file, bytes("cd"))
  put(disk, "/d/new", "x")
  disk.powerCut()
  assert.equal(
    codeOf(() => disk.write(file, bytes("e"))),
    "EBADF",
  )
  assert.deepEqual([disk.list("/d"), readAll(disk, "/d/file")], [["file"], "ab"])
})

test("memory disk: a power cut may keep a length without its content, by sectors of 512 bytes", () => {
  const disk = memoryDisk()
  disk.mkdir("/d")
  disk.syncFolder("/")
  const file = disk.open("/d/file", "create")
  disk.syncFolder("/d")
  disk.write(file, bytes("a".repeat(10)))
  disk.sync(file)
  disk.write(file, bytes("b".repeat(1100)))
  const sectors = [true, false, true]
  disk.powerCut({ length: (unsynced) => unsynced - 10, sector: () => sectors.shift() ?? true })
  const text = readAll(disk, "/d/file")
  assert.equal(text, "a".repeat(10) + "b".repeat(502) + "\0".repeat(512) + "b".repeat(76))
  for (const length of [-5, 5_000]) {
    const more = disk.open("/d/file", "append")
    disk.write(more, bytes("c".repeat(8)))
    disk.powerCut({ length: () => length })
    assert.equal(disk.stat("/d/file")?.size, length < 0 ? 1100 : 1108)
  }
})

test("node disk: files and folders are private; links, pipes and devices are not opened, other disks not linked", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "gong-disk-"))
  t.after(() => rmSync(folder, { recursive: true }))
  chmodSync(folder, 0o755)
  const disk = nodeDisk()
  disk.mkdir(`${folder}/a/b`)
  put(disk, `${folder}/a/file`, "x")
  disk.close(disk.open(`${folder}/a/created`, "create"))
  const modes = ["a", "a/b", "a/file", "a/created"].map((name) =>
    (statSync(`${folder}/${name}`).mode & 0o777).toString(8),
  )
  assert.deepEqual(modes, ["700", "700", "600", "600"])
  symlinkSync("a/file", `${folder}/link`)
  execFileSync("mkfifo", [`${folder}/pipe`])
  for (const [path, code] of [
    [`${folder}/link`, "ELOOP"],
    [`${folder}/pipe`, "EFTYPE"],
    ["/dev/null", "EFTYPE"],
    [`${folder}/a`, "EFTYPE"],
  ] as const)
    assert.equal(
      codeOf(() => disk.open(path, "read")),
      code,
      path,
    )
  assert.equal(disk.stat(`${folder}/pipe`)?.kind, "other")
  assert.equal(
    codeOf(() => disk.list(`${folder}/a/\0`)),
    "ERR_INVALID_ARG_VALUE",
  )
  if (process.platform === "linux") assert.equal(disk.link("/proc/self/status", `${folder}/status`), false)
  assert.equal(disk.stat(`${folder}/status`), null)
})
