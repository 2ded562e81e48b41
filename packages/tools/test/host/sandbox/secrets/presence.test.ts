import assert from "node:assert/strict"
import { test } from "node:test"
import type { Host } from "@gong/spec"
import { createMemoryHost } from "../../../../src/host/memory.ts"
import { createPresence, isSettled } from "../../../../src/host/sandbox/secrets/presence.ts"

const files = { "/h/.ssh/id": "", "/h/.aws/credentials": "", "/data/conf/key": "", "/h/.npmrc": "" }
const links = { "/h/.config": "/data/conf", "/h/.broken": "/none" }
const wanted = [".ssh", ".aws/credentials", ".aws/none", ".config/key", ".config", ".npmrc", ".none", ".broken"]

/** A host whose folders last changed at a time, and the folders that were listed. */
function listed(ctimeMs: number) {
  const memory = createMemoryHost({ files, links })
  const read: string[] = []
  const state = { ctimeMs }
  const host: Host = {
    ...memory,
    readdir: (path) => {
      read.push(path)
      return memory.readdir(path)
    },
    stat: async (path, options) => {
      const stat = await memory.stat(path, options)
      return stat && { ...stat, ctimeMs: state.ctimeMs }
    },
  }
  return { host, memory, read, state }
}

test("requested paths that exist are found, with links resolved", async () => {
  const { host } = listed(0)
  const present = await createPresence(host, "/h", wanted)()
  assert.deepEqual(
    present.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    [
      { path: ".aws/credentials", real: "/h/.aws/credentials" },
      { path: ".config", real: "/data/conf" },
      { path: ".config/key", real: "/data/conf/key" },
      { path: ".npmrc", real: "/h/.npmrc" },
      { path: ".ssh", real: "/h/.ssh" },
    ],
  )
  assert.deepEqual(await createPresence(host, "/none", wanted)(), [])
  assert.deepEqual(await createPresence(host, "/h", [".npmrc", ".none"])(), [{ path: ".npmrc", real: "/h/.npmrc" }])
})

test("a folder is listed for more than two names, and again only after a change", async () => {
  const { host, memory, read, state } = listed(0)
  const present = createPresence(host, "/h", wanted)
  await present()
  assert.deepEqual(read, ["/h"], "others have one or two requested names")
  await memory.replaceFile("/h/.none", Buffer.from(""))
  assert.equal(
    (await present()).some(({ path }) => path === ".none"),
    false,
    "the time of the folder is the same",
  )
  state.ctimeMs = 1
  assert.equal(
    (await present()).some(({ path }) => path === ".none"),
    true,
  )
  assert.deepEqual(read, ["/h", "/h"])
  const few = listed(0)
  await createPresence(few.host, "/h", ["a", "b"])()
  await createPresence(few.host, "/h", ["a", "b", "c"])()
  assert.deepEqual(few.read, ["/h"])
})

test("a folder that has just changed is listed each time", async () => {
  const { host, read } = listed(Date.now() + 1000)
  const present = createPresence(host, "/h", wanted)
  await present()
  await present()
  assert.deepEqual(read, ["/h", "/h"])
  assert.deepEqual(
    [isSettled(Date.now() + 1000), isSettled(Date.now() - 1500), isSettled(Date.now() - 10_000)],
    [false, false, true],
  )
})

test("names in a folder that cannot be listed are found one by one", async () => {
  const { host } = listed(0)
  const closed: Host = { ...host, readdir: () => Promise.reject(new Error("EACCES")) }
  const all = await createPresence(host, "/h", wanted)()
  assert.deepEqual(await createPresence(closed, "/h", wanted)(), all)
  assert.deepEqual(await createPresence(closed, "/h/.npmrc", ["a", "b", "c"])(), [])
})
