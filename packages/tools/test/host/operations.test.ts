import assert from "node:assert/strict"
import { test } from "node:test"
import { createMemoryHost } from "../../src/host/memory.ts"
import { type Operations, withOperations } from "../../src/operations.ts"

const bytes = (text: string) => Buffer.from(text)
const files = { "/work/a": "on the host" }
const host = (operations: Operations) => withOperations(createMemoryHost({ files }), operations)
const kindAndSize = async (operations: Operations, path = "/work/a") => {
  const found = await host(operations).stat(path)
  return found && [found.kind, found.size, found.mtimeMs]
}

test("what a path is comes from the operations: stat, isDirectory, exists, exec, or the content", async () => {
  const is = (answer: boolean) => async () => answer
  for (const [operations, found] of [
    [{ exists: is(false), stat: async () => ({ kind: "file", size: 1, mtimeMs: 2 }) }, null],
    [{ exists: is(true), stat: async () => ({ kind: "file", size: 1, mtimeMs: 2 }) }, ["file", 1, 2]],
    [{ isDirectory: is(true) }, ["directory", 0, 0]],
    [{ isDirectory: is(false) }, ["file", 0, 0]],
    [{ exists: is(true) }, ["directory", 0, 0]],
    [{ exec: async () => ({ code: 0, signal: null }) }, ["directory", 0, 0]],
    [{ readFile: async () => bytes("four") }, ["file", 4, 0]],
    [{ readFile: () => Promise.reject(new Error("none")) }, null],
  ] as readonly (readonly [Operations, unknown])[])
    assert.deepEqual(await kindAndSize(operations), found)
  assert.equal((await kindAndSize({ writeFile: async () => undefined }))?.[1], 11)
})

test("a file that access refuses is not read", async () => {
  let reads = 0
  const refusing = (code: string): Operations => ({
    readFile: async () => bytes(`${(reads += 1)}`),
    access: () => Promise.reject(Object.assign(new Error(code), { code })),
  })
  assert.equal(await kindAndSize(refusing("ENOENT")), null)
  await assert.rejects(kindAndSize(refusing("EACCES")), { code: "EACCES" })
  assert.equal(reads, 0)
  await assert.rejects(host(refusing("EACCES")).access("/work/a", "read"), { code: "EACCES" })
})

test("ranges, access and real paths of files that only the operations know", async () => {
  const far = host({ readFile: async (path) => bytes(`at ${path}`) })
  assert.equal(Buffer.from(await far.readRange("/far", 3, 6)).toString(), "/fa")
  await far.access("/far", "write")
  assert.deepEqual([await far.realpath("/far"), await far.realpath("/work/../work/a")], ["/far", "/work/a"])
  const [looked] = await far.look(["/far"])
  assert.ok(looked?.ok)
  assert.deepEqual([looked.value.real, looked.value.stat.size], ["/far", 7])
  await assert.rejects(host({ mkdir: async () => undefined }).access("/none", "read"), { code: "ENOENT" })
})

test("a file is written by the operations after its announcement, or by the host", async () => {
  const seen: string[] = []
  const announce = async () => void seen.push("announced")
  const writeFile = async (path: string, content: Uint8Array) =>
    void seen.push(`${path} ${Buffer.from(content).toString()}`)
  await host({ writeFile }).replaceFile("/x", [bytes("a"), bytes("b")], { announce, expect: null })
  assert.deepEqual(seen, ["announced", "/x ab"])
  await host({ writeFile }).replaceFile("/y", bytes("c"))
  assert.equal(seen.at(-1), "/y c")
  const own = host({ mkdir: async (path) => void seen.push(`mkdir ${path}`) })
  await own.replaceFile("/work/a", bytes("new"), { announce, expect: null })
  assert.equal(seen.at(-1), "announced")
  assert.equal(Buffer.from(await own.readRange("/work/a", 0)).toString(), "new")
  await own.mkdir("/work/d")
  assert.deepEqual([seen.at(-1), await own.stat("/work/d")], ["mkdir /work/d", null])
})

test("commands and folders of the operations", async () => {
  const seen: unknown[] = []
  const far = host({
    exec: async (command, cwd, options) => {
      seen.push([command, cwd, "onStart" in options])
      return { code: 3, signal: null }
    },
    readdir: async (path) => [{ name: path, kind: "file" }],
  })
  const options = { cwd: "/far", signal: new AbortController().signal, onData: () => undefined }
  const onStart = () => void seen.push("started")
  assert.deepEqual(await far.exec("ls -l", { ...options, onStart }), { code: 3, signal: null })
  await far.exec(["ls", "-a"], options)
  assert.deepEqual(seen, ["started", ["ls -l", "/far", false], ["ls -a", "/far", false]])
  assert.deepEqual(await far.readdir("/d"), [{ name: "/d", kind: "file" }])
  const [listed] = await far.list(["/e"])
  assert.deepEqual(listed?.ok && listed.value, [{ name: "/e", kind: "file" }])
})

test("an error without a code is thrown, one with a code is the answer of its path", async () => {
  const failing = (error: Error) => host({ readdir: () => Promise.reject(error) }).list(["/d", "/d"])
  await assert.rejects(failing(new Error("broken")), { message: "broken" })
  const refused = { ok: false, code: "EACCES" }
  assert.deepEqual(await failing(Object.assign(new Error("no"), { code: "EACCES" })), [refused, refused])
})
