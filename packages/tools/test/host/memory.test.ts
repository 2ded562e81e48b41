import assert from "node:assert/strict"
import { test } from "node:test"
import { createMemoryHost } from "../../src/host/memory.ts"
import { hostCases } from "./host-cases.ts"

hostCases("memory", () => createMemoryHost({ cwd: "/work" }), { commands: false })

test("links are followed, or read themselves", async () => {
  const host = createMemoryHost({ files: { "/d/a": "x" }, links: { "/l": "/d", "/d/b": "a", "/loop": "/loop" } })
  assert.equal(await host.realpath("/l/b"), "/d/a")
  assert.equal((await host.stat("/d/b", { link: true }))?.kind, "symlink")
  await host.replaceFile(await host.realpath("/l/b"), Buffer.from("y"))
  assert.equal(Buffer.from(await host.readRange("/l/b", 0)).toString(), "y")
  await assert.rejects(host.realpath("/loop"))
})

test("commands are passed to the given function", async () => {
  const host = createMemoryHost({
    exec: async (command, { onData }) => {
      onData(Buffer.from(String(command)), "stdout")
      return { code: 3, signal: null }
    },
  })
  let out = ""
  const options = {
    cwd: "/",
    signal: new AbortController().signal,
    onData: (bytes: Uint8Array) => (out += Buffer.from(bytes).toString()),
  }
  assert.deepEqual(await host.exec("echo", options), { code: 3, signal: null })
  assert.equal(out, "echo")
})
