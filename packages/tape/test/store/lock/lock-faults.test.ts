import assert from "node:assert/strict"
import { test } from "node:test"
import { readHolder, takeLock } from "../../../src/store/lock/lock.ts"
import { putFile, testMachine } from "../../world.ts"
import { holder, path, put, taken, unknown, world } from "./lock-world.ts"

test("a live lock is left alone; a stale one that another process is clearing is awaited three times", () => {
  const { ports, count, openFiles, disk, clock } = world()
  const live = { ...ports, machine: { ...ports.machine, startTimeOf: () => "boot/ns/7" } }
  put(ports, holder)
  assert.deepEqual([takeLock(live, path), count("link")], [{ holder }, 1])
  putFile(disk, `${path}.take`, Buffer.from(""))
  clock.advance(30_000)
  assert.deepEqual([takeLock(ports, path), count("link")], [{ holder }, 4])
  assert.deepEqual([disk.list("/s").toSorted(), openFiles()], [["lock", "lock.take"], 0])
  clock.advance(1)
  taken(ports)
  assert.deepEqual([disk.list("/s"), openFiles()], [["lock"], 1], "who was clearing it is gone")
})

test("a lock that comes and goes is tried for three times, and then nothing is known of its holder", () => {
  const { ports, count, openFiles } = world(({ name }) => (name === "link" ? { code: "EEXIST" } : null))
  assert.deepEqual([takeLock(ports, path), count("link"), openFiles()], [{ holder: unknown }, 3, 0])
})

test("a stale lock is cleared only while it is the same one", () => {
  const { ports, disk } = world()
  put(ports, holder)
  const other = { ...holder, nonce: "other", pid: 100, startTime: "boot/ns/100" }
  const open: typeof disk.open = (file, mode) => {
    if (file.endsWith(".take")) put(ports, other)
    return disk.open(file, mode)
  }
  assert.deepEqual(takeLock({ ...ports, disk: { ...disk, open } }, path), { holder: other })
  assert.deepEqual([readHolder(ports, path), disk.list("/s")], [other, ["lock"]])
})

for (const names of ["second names", "no second names"])
  test(`where the disk fails no lock and no file of one is left, with ${names}`, () => {
    const failing = { call: "" }
    const { ports, disk, openFiles } = world(({ name }) => (name === failing.call ? { code: "EIO" } : null))
    const link: typeof disk.link = (from, to) => names === "second names" && disk.link(from, to)
    const own = { ...ports, disk: { ...disk, link } }
    for (const call of ["open", "write", ...(names === "second names" ? ["link"] : [])]) {
      failing.call = call
      assert.throws(() => takeLock(own, path), /EIO/, call)
      failing.call = ""
      assert.deepEqual([disk.list("/s"), openFiles()], [[], 0], call)
    }
    const lock = takeLock(own, path)
    assert.ok(!("holder" in lock))
    assert.deepEqual(disk.list("/s"), ["lock"])
    assert.ok("holder" in takeLock({ ...own, machine: testMachine(200, "here", { 100: "boot/ns/100" }) }, path))
    assert.deepEqual([disk.list("/s"), openFiles()], [["lock"], 1])
  })

test("where the file system has no second names a lock that cannot be written is taken away again", () => {
  let writes = 0
  const { ports, disk, openFiles } = world(({ name }) => (name === "write" && ++writes === 2 ? { code: "EIO" } : null))
  assert.throws(() => takeLock({ ...ports, disk: { ...disk, link: () => false } }, path), /EIO/)
  assert.deepEqual([disk.list("/s"), openFiles()], [[], 0])
})

test("without hard links, a lock that cannot be created is removed, and the error is thrown", () => {
  const { ports, disk, openFiles } = world()
  const open: typeof disk.open = (file, mode) => {
    if (file === path) throw Object.assign(new Error("EROFS"), { code: "EROFS" })
    return disk.open(file, mode)
  }
  assert.throws(() => takeLock({ ...ports, disk: { ...disk, link: () => false, open } }, path), /EROFS/)
  assert.deepEqual([disk.list("/s"), openFiles()], [[], 0])
})

test("a stale lock that is already gone is taken; one that cannot be removed is an error", () => {
  for (const code of ["ENOENT", "EIO"]) {
    const { ports, disk, openFiles } = world()
    put(ports, holder)
    const unlink: typeof disk.unlink = (file) => {
      if (file === path && code === "EIO") throw Object.assign(new Error(code), { code })
      disk.unlink(file)
      if (file === path) throw Object.assign(new Error(code), { code })
    }
    const take = () => takeLock({ ...ports, disk: { ...disk, unlink } }, path)
    if (code === "EIO") assert.throws(take, /EIO/)
    else assert.ok(!("holder" in take()))
    assert.deepEqual([disk.list("/s"), openFiles()], [["lock"], code === "EIO" ? 0 : 1])
  }
})
