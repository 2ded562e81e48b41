import assert from "node:assert/strict"
import { test } from "node:test"
import { setImmediate as nextTurn } from "node:timers/promises"
import type { ExecResult } from "@gong/spec"
import { createSpawnQueue } from "../../../src/host/processes/spawn-queue.ts"

const done: ExecResult = { code: 0, signal: null }

/** Commands that run until the test ends them. */
function commands(places: number) {
  const queue = createSpawnQueue(places)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const run = (name: string, signal = new AbortController().signal): Promise<ExecResult> =>
    queue.run(signal, () => {
      started.push(name)
      return new Promise((resolve) => ends.set(name, () => resolve(done)))
    })
  return { run, started, end: (name: string) => ends.get(name)?.() }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn()
}

test("commands start in order, one per turn of the event loop, while slots are free", async () => {
  const { run, started, end } = commands(2)
  const all = ["a", "b", "c"].map((name) => run(name))
  assert.deepEqual(started, [])
  await turns(1)
  assert.deepEqual(started, ["a"])
  await turns(5)
  assert.deepEqual(started, ["a", "b"])
  end("b")
  await turns(3)
  assert.deepEqual(started, ["a", "b", "c"])
  end("a")
  end("c")
  assert.deepEqual(await Promise.all(all), [done, done, done])
})

test("a command that cannot be started releases its slot", async () => {
  const queue = createSpawnQueue(1)
  const { signal } = new AbortController()
  await assert.rejects(
    queue.run(signal, () => Promise.reject(new Error("ENOENT"))),
    /ENOENT/,
  )
  assert.equal(await queue.run(signal, async () => done), done)
})

test("a command aborted while it waits is never started", async () => {
  const { run, started, end } = commands(1)
  const first = run("a")
  const stop = new AbortController()
  const second = run("b", stop.signal)
  const third = run("c")
  await turns(2)
  stop.abort()
  assert.deepEqual(await second, { code: null, signal: "SIGKILL" })
  assert.deepEqual(await run("d", stop.signal), { code: null, signal: "SIGKILL" })
  end("a")
  await turns(3)
  end("c")
  await Promise.all([first, third])
  assert.deepEqual(started, ["a", "c"])
})

test("a long command does not delay the others", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  const { run, started, end } = commands(1)
  const both = [run("server"), run("test")]
  await turns(3)
  assert.deepEqual(started, ["server"])
  t.mock.timers.tick(250)
  await turns(2)
  assert.deepEqual(started, ["server", "test"])
  for (const name of started) end(name)
  await Promise.all(both)
  const [last, more] = [run("last"), run("more")]
  await turns(5)
  assert.deepEqual(started, ["server", "test", "last"], "a place that was left early is not given back twice")
  end("last")
  await turns(2)
  end("more")
  await Promise.all([last, more])
})
