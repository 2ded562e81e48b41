import assert from "node:assert/strict"
import { test } from "node:test"
import type { ExecOptions, ExecResult, Host } from "@gong/spec"
import { createMemoryHost } from "../../src/host/memory.ts"
import type { Laid } from "../../src/host/sandbox/lay.ts"
import { startSpare } from "../../src/host/sandbox/spare.ts"
import { createSpares } from "../../src/host/sandbox/spares.ts"

// What is said to one that waits and what it says, at a host that only plays.

/** Plays the sandbox that waits: the test says what comes of it, and sees what it is told. */
function playing(table: string) {
  const log: string[] = []
  const begun = Promise.withResolvers<ExecOptions>()
  const ended = Promise.withResolvers<ExecResult>()
  const host: Host = {
    ...createMemoryHost({ files: { "/w/a": "" } }),
    async exec(_, options) {
      if (typeof options.input !== "object") {
        log.push("its own")
        return { code: 0, signal: null }
      }
      options.input.then(
        (words) => log.push(`given ${JSON.stringify(words)}`),
        () => undefined,
      )
      begun.resolve(options)
      const result = await ended.promise
      log.push("gone")
      return result
    },
    readRange: async () => Buffer.from(table),
    endJobs: async (keep) => void log.push(`end all but ${keep?.join() ?? ""}`),
  }
  const waits = async () => {
    const options = await begun.promise
    options.onStatus?.(Buffer.from('{ "child-pid": 7 }'))
    options.onData(Buffer.from("a warning\0"), "stdout")
    return options
  }
  return { host, log, begun: begun.promise, waits, end: () => ended.resolve({ code: 0, signal: null }) }
}

function laid(path: string): Laid {
  const layout = { mounts: [], made: [], unwanted: [] }
  return { layout, mounts: [{ how: "writable", path }], argv: ["bwrap", path], letGo: async () => {} }
}

const around = { cwd: "/w" }
const options = { ...around, job: "1", signal: new AbortController().signal, onData: () => {} }
const words = ["/bin/bash", "-c", "true"]

test("what its shell says before the mark is kept back, and the mark itself, however the pieces come", async () => {
  const play = playing("")
  const spare = startSpare(play.host, "/bin/bash", laid("/w"), around)
  const { onData } = await play.waits()
  const seen: string[] = []
  const run = spare.run(words, {
    ...options,
    onData: (bytes, stream) => void seen.push(`${stream} ${Buffer.from(bytes).toString()}`),
  })
  onData(Buffer.from("a locale\0error \0 text"), "stderr")
  onData(Buffer.from("\0out"), "stdout")
  onData(Buffer.from("more"), "stdout")
  play.end()
  assert.deepEqual(await run, { code: 0, signal: null })
  assert.deepEqual(seen, ["stderr error \0 text", "stdout out", "stdout more"])
})

test("it fits only where the table of its mounts could be read and has all of ours", async () => {
  const fits = async (path: string, table: string) => {
    const play = playing(table)
    const spare = startSpare(play.host, "/bin/bash", laid(path), around)
    await play.waits()
    return spare.fits(laid(path), around)
  }
  const line = (path: string) => `1 2 3:4 /from ${path} rw - ext4 disk rw\n`
  assert.equal(await fits("/w", line("/w")), true)
  assert.equal(await fits("/a b\\c", line("/a\\040b\\134c")), true, "as the kernel writes it")
  assert.equal(await fits("/w", line("/other")), false)
  assert.equal(await fits("/w", line("/w").padEnd(64 * 1024)), false, "its end was not read")
})

test("one that does not wait yet is left for the next command; at the end it ends before all others", async () => {
  const play = playing("1 2 3:4 / /w rw - ext4 disk rw\n")
  const lay = async () => laid("/w")
  const spares = createSpares(play.host, lay, async () => "/bin/bash")
  const run = () => spares.exec(laid("/w"), words, options)
  await run()
  await play.begun
  await run()
  assert.deepEqual(play.log, ["its own", "its own"])
  await play.waits()
  const ending = spares.endJobs(["9"])
  await new Promise((resolve) => setImmediate(resolve))
  play.end()
  await ending
  assert.deepEqual(play.log.slice(2), ['given ""', "gone", "end all but 9"])
})
