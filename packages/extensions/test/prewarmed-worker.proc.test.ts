import assert from "node:assert/strict"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import type { Worker } from "node:worker_threads"
import { englishOf } from "@gong/spec"
import { manualClock } from "@gong/testing/sim/clock"
import { type PrewarmedWorker, prewarmWorker, rememberEarlyFolder } from "../src/host/prewarmed-worker.ts"
import type { FromWorker } from "../src/protocol.ts"
import { threadOpener } from "../src/host/thread.ts"

function homeOf(t: TestContext): string {
  const home = mkdtempSync(join(tmpdir(), "gong-early-"))
  mkdirSync(join(home, "cache/extensions"), { recursive: true })
  t.after(() => rmSync(home, { recursive: true, force: true }))
  return home
}

const fileIn = (home: string): string => join(home, "cache/extensions/early.json")

async function begun(home: string, args = ["-p", "go"], cwd = "/here"): Promise<boolean> {
  const thread = prewarmWorker({ home, args, cwd })
  const worker = thread?.take() ?? null
  await worker?.terminate()
  return worker !== null
}

test("a worker is prewarmed for a single answer in a folder with early extensions, and nowhere else", async (t) => {
  const home = homeOf(t)
  assert.equal(await begun(home), false)
  rememberEarlyFolder(home, "/there", true)
  assert.equal(await begun(home), false)
  rememberEarlyFolder(home, "/here", true)
  for (const args of [
    ["-p", "go"],
    ["go", "--print"],
    ["--output=events", "go"],
    ["--mode", "json", "go"],
  ])
    assert.equal(await begun(home, args), true, args.join(" "))
  for (const args of [[], ["go"], ["sessions"], ["--printer"]])
    assert.equal(await begun(home, args), false, args.join(" "))
  assert.equal(await begun(home, ["-p"], "/here/below"), false)
  rememberEarlyFolder(home, "/here", false)
  assert.deepEqual([await begun(home), await begun(home, ["-p"], "/there")], [false, true])
})

test("an invalid list of folders starts no thread and is rewritten", async (t) => {
  const home = homeOf(t)
  for (const text of ["", "[", "null", '{"0":"/here"}', '[["/here"]]', '"/here"', "\0".repeat(100)]) {
    writeFileSync(fileIn(home), text)
    assert.equal(await begun(home), false, text)
  }
  rememberEarlyFolder(home, "/here", true)
  assert.equal(await begun(home), true)
  rmSync(fileIn(home))
  mkdirSync(fileIn(home))
  assert.equal(await begun(home), false)
  rememberEarlyFolder(home, "/here", true)
  assert.equal(await begun(home), false)
})

test("the last hundred folders are remembered", (t) => {
  const home = homeOf(t)
  for (let i = 0; i < 103; i++) rememberEarlyFolder(home, `/${i}`, true)
  const folders = JSON.parse(readFileSync(fileIn(home), "utf8")) as string[]
  assert.deepEqual([folders.length, folders[0], folders.at(-1)], [100, "/3", "/102"])
})

test("an unused thread is ended, and none is started here next time", async (t) => {
  const home = homeOf(t)
  rememberEarlyFolder(home, "/here", true)
  const ended = endOfNext()
  const thread = prewarmWorker({ home, args: ["-p"], cwd: "/here" })
  thread?.end()
  await ended
  assert.deepEqual([thread?.take(), await begun(home)], [null, false])
})

test("the thread is given to the first caller; an exited one counts as none", async (t) => {
  const home = homeOf(t)
  rememberEarlyFolder(home, "/here", true)
  const launch = { home, args: ["-p"], cwd: "/here" }
  const dies = endOfNext((worker) => void worker.terminate())
  const dead = prewarmWorker(launch)
  await dies
  assert.equal(dead?.take(), null)
  assert.equal(await answers(dead), 1)
  const living = prewarmWorker(launch)
  // Node reports a new thread a little later.
  await new Promise(setImmediate)
  assert.equal(await answers(living), 0)
  assert.equal(await answers(living), 1)
})

/** Resolves when the next thread started by this process has exited. */
function endOfNext(work: (worker: Worker) => void = () => undefined): Promise<unknown> {
  return new Promise((resolve) => {
    process.once("worker", (worker) => {
      worker.on("exit", resolve)
      work(worker)
    })
  })
}

/** Opens a thread that answers, and returns how many threads were started for it. */
async function answers(early: PrewarmedWorker | null): Promise<number> {
  let begins = 0
  const count = (): void => void (begins += 1)
  process.on("worker", count)
  const open = threadOpener({ clock: manualClock(), env: () => ({}), early })
  const { promise, resolve, reject } = Promise.withResolvers<FromWorker>()
  const begin = { gong: "0", cwd: "/", workspace: "/", cache: null, memory: null, extensions: [] }
  const thread = open(begin, { message: resolve, gone: (why) => reject(new Error(englishOf(why))) })
  thread.post({ kind: "ping" })
  const { kind } = await promise
  thread.end()
  process.off("worker", count)
  assert.equal(kind, "pong")
  return begins
}
