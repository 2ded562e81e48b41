import assert from "node:assert/strict"
import { test } from "node:test"
import type { Host } from "@gong/spec"
import { createMemoryHost } from "../../src/host/memory.ts"

const code = (wanted: string) => ({ code: wanted })
const text = async (host: Host, path: string) => Buffer.from(await host.readRange(path, 0)).toString()
const names = async (host: Host, path: string) =>
  (await host.readdir(path)).map(({ name, kind }) => `${name} ${kind}`).toSorted()

test("by default it has four folders, no variables and no programs", async () => {
  const host = createMemoryHost()
  assert.deepEqual([host.id, host.cwd, host.home, host.tmp, host.env], ["memory", "/work", "/home/user", "/tmp", {}])
  assert.deepEqual(await names(host, "/"), ["home directory", "tmp directory", "work directory"])
  assert.deepEqual(await names(host, "/home"), ["user directory"])
  assert.equal(await host.which("bash"), null)
  let started = 0
  const options = { cwd: "/", signal: new AbortController().signal, onData: () => undefined }
  assert.deepEqual(await host.exec("x", { ...options, onStart: () => void (started += 1) }), {
    code: 127,
    signal: null,
  })
  assert.equal(started, 1)
  await host.endJobs([])
  const other = createMemoryHost({ id: "m", cwd: "/c", home: "/h", env: { A: "b" } })
  assert.deepEqual([other.id, other.cwd, other.home, other.env], ["m", "/c", "/h", { A: "b" }])
})

test("files, folders and links have their mode, size, identity and time", async () => {
  const host = createMemoryHost({ files: { "/d/a": "abc" }, links: { "/d/l": "a" }, now: () => 7 })
  const look = async (path: string, link = false) => {
    const { kind, size, mode, mtimeMs, ctimeMs, links } = (await host.stat(path, { link })) ?? assert.fail(path)
    return [kind, size, mode, mtimeMs, ctimeMs, links]
  }
  assert.deepEqual(await look("/d/a"), ["file", 3, 0o644, 7, 7, 1])
  assert.deepEqual(await look("/d"), ["directory", 0, 0o755, 7, 7, 1])
  assert.deepEqual(await look("/", true), ["directory", 0, 0o755, 7, 7, 1])
  assert.deepEqual(await look("/d/l", true), ["symlink", 0, 0o777, 7, 7, 1])
  assert.deepEqual(await look("/d/l"), ["file", 3, 0o644, 7, 7, 1])
  const ids = await Promise.all(["/", "/d", "/d/a"].map(async (path) => (await host.stat(path))?.id))
  assert.equal(new Set(ids).size, 3)
  const ticking = createMemoryHost({ files: { "/a": "1", "/b": "2" } })
  const times = await Promise.all(["/a", "/b"].map(async (path) => (await ticking.stat(path))?.mtimeMs ?? 0))
  assert.equal((times[1] ?? 0) - (times[0] ?? 0), 1)
})

test("a replaced file is another one with the same mode", async () => {
  const host = createMemoryHost({ files: { "/a": "1" } })
  const before = await host.stat("/a")
  await host.replaceFile("/a", Buffer.from("2"))
  const after = await host.stat("/a")
  assert.equal(after?.mode, before?.mode)
  assert.notEqual(after?.id, before?.id)
  await host.replaceFile("/new", Buffer.from("2"))
  assert.equal((await host.stat("/new"))?.mode, 0o644)
  await assert.rejects(host.replaceFile("/work", Buffer.from("2")), code("EISDIR"))
  await assert.rejects(host.replaceFile("/a/b", Buffer.from("2")), code("ENOENT"))
})

test("links are followed relative to their folder, through 40 of them", async () => {
  const chain = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`/l${at}`, at === 0 ? "/d/a" : `l${at - 1}`]))
  const host = createMemoryHost({
    files: { "/d/a": "x" },
    links: { ...chain(41), "/d/e/up": "../a", "/d/e/dots": "/d/./e/../a", "/d/e/none": "nothing" },
  })
  assert.equal(await host.realpath("/l39"), "/d/a")
  await assert.rejects(host.realpath("/l40"), code("ELOOP"))
  assert.deepEqual([await host.realpath("/d/e/up"), await host.realpath("/d/e/dots")], ["/d/a", "/d/a"])
  await assert.rejects(host.realpath("/d/e/none"), code("ENOENT"))
  assert.deepEqual(
    [await host.stat("/d/e/none"), (await host.stat("/d/e/none", { link: true }))?.kind],
    [null, "symlink"],
  )
  assert.equal(await host.realpath("/d//e/./up"), "/d/a")
})

test("changes, and reads of a real path, are not made through a link", async () => {
  const host = createMemoryHost({ files: { "/d/a": "x" }, links: { "/l": "/d", "/d/b": "a" } })
  await assert.rejects(host.mkdir("/l/new"), code("ESTALE"))
  await assert.rejects(host.replaceFile("/l/a", Buffer.from("y")), code("ESTALE"))
  await assert.rejects(host.replaceFile("/d/b", Buffer.from("y")), code("ESTALE"))
  await assert.rejects(host.remove("/l/a"), code("ESTALE"))
  await assert.rejects(host.readRange("/l/a", 0, 1, { real: true }), code("ESTALE"))
  assert.equal(Buffer.from(await host.readRange("/d/a", 0, 1, { real: true })).toString(), "x")
  await host.remove("/d/b")
  assert.deepEqual([await names(host, "/d"), await text(host, "/d/a")], [["a file"], "x"])
})

test("a folder is not read as a file, a file not entered or listed, and a folder through a link is listed", async () => {
  const host = createMemoryHost({ files: { "/d/a": "x", "/d/e/f": "y" }, links: { "/l": "/d" } })
  await assert.rejects(host.readRange("/d", 0), code("EISDIR"))
  await assert.rejects(host.access("/d/a", "enter"), code("EACCES"))
  await host.access("/d", "enter")
  await assert.rejects(host.readdir("/d/a"), code("ENOTDIR"))
  assert.deepEqual(await names(host, "/l"), ["a file", "e directory"])
})
