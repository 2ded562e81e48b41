import assert from "node:assert/strict"
import { test } from "node:test"
import { FailureError } from "@gong/spec"
import type { Request } from "../../src/sessions/thread/protocol.ts"
import { type Ask, maxSilence, maxWaiting, requestsTo } from "../../src/sessions/thread/requests.ts"
import { openWorker, type Thread, type ThreadListener } from "../../src/sessions/thread/worker.ts"
import { sessionsThread } from "../../src/sessions/thread/reads.ts"
import { createStore, memoryDisk } from "../../src/store/file.ts"
import { testClock, testPorts } from "../world.ts"

const context = { sessions: "/nowhere/sessions", trash: "/nowhere/trash", index: ":memory:" }

/** A thread controlled by the test. */
interface Fake extends ThreadListener {
  readonly requests: Request[]
  progress: number
  held: boolean
  ended: boolean
}

function fakes() {
  const clock = testClock()
  const threads: Fake[] = []
  const open = (listener: ThreadListener): Thread => {
    const fake: Fake = { ...listener, requests: [], progress: 0, held: false, ended: false }
    threads.push(fake)
    return {
      post: (request) => void fake.requests.push(request),
      progress: () => fake.progress,
      hold: (held) => void (fake.held = held),
      end: () => void (fake.ended = true),
    }
  }
  return { clock, threads, ask: requestsTo(open, clock) }
}

function find(ask: Ask, wanted: string): Promise<unknown> {
  return ask(context, "find", [wanted]).catch((error: unknown) => error)
}

function assertFailure(error: unknown, message: RegExp): void {
  assert.ok(error instanceof FailureError && error.failure.kind === "storage", String(error))
  assert.match(error.message, message)
}

test("requests share a thread, and each gets its own answer", async () => {
  const { threads, ask } = fakes()
  const answers = Promise.all([find(ask, "one"), find(ask, "two")])
  await Promise.resolve()
  const [thread] = threads
  assert.ok(thread)
  assert.equal(threads.length, 1)
  const [one, two] = thread.requests
  assert.deepEqual([one?.values, two?.values, one?.context], [["one"], ["two"], context])
  thread.answered({ id: two?.id ?? -1, value: "second" })
  assert.equal(thread.held, true)
  thread.answered({ id: one?.id ?? -1, value: "first" })
  assert.deepEqual([await answers, thread.held], [["first", "second"], false])
})

test("a thread that dies fails all that wait, and the next request begins another one", async () => {
  const { threads, ask } = fakes()
  const both = Promise.all([find(ask, "one"), find(ask, "two")])
  await Promise.resolve()
  threads[0]?.gone("it needed too much memory")
  for (const error of await both) assertFailure(error, /ended \(it needed too much memory\)\. Try again\.$/)
  const again = find(ask, "three")
  await Promise.resolve()
  assert.deepEqual(
    threads.map(({ held }) => held),
    [false, true],
  )
  threads[1]?.answered({ id: threads[1].requests[0]?.id ?? -1, value: "third" })
  assert.equal(await again, "third")
})

test("a thread without progress is ended, a working one is awaited", async () => {
  const { clock, threads, ask } = fakes()
  const answer = find(ask, "one")
  await Promise.resolve()
  const [thread] = threads
  assert.ok(thread)
  for (let round = 0; round < 10; round++) {
    thread.progress += 1
    clock.advance(maxSilence - 1)
  }
  assert.equal(thread.ended, false)
  clock.advance(2 * maxSilence)
  assert.equal(thread.ended, true)
  assertFailure(await answer, /ended \(no progress for 30 s\)/)
})

test("a failed request is a failure here, and a violated contract an error", async () => {
  const { threads, ask } = fakes()
  const both = Promise.all([find(ask, "one"), find(ask, "two")])
  await Promise.resolve()
  const failure = { kind: "storage", message: "the disk is full", retryable: false } as const
  threads[0]?.answered({ id: 0, failure })
  threads[0]?.answered({ id: 1, broken: "Error: broken\n    at index" })
  const [failed, broken] = await both
  assertFailure(failed, /^the disk is full$/)
  assert.ok(broken instanceof Error && !(broken instanceof FailureError))
  assert.match(broken.message, /at index/)
})

test("no more than so many requests wait", async () => {
  const { threads, ask } = fakes()
  const waiting = Array.from({ length: maxWaiting }, () => find(ask, "one"))
  await Promise.resolve()
  assertFailure(await find(ask, "more"), /requests wait/)
  threads[0]?.gone("the test is over")
  await Promise.all(waiting)
})

test("a real thread answers, and what breaks in it is an error with its place", async () => {
  const ask = requestsTo(openWorker, testClock())
  assert.deepEqual(await ask(context, "list", [{}]), { sessions: [], unreadable: [] })
  const broken = await ask(context, "catchUp", [null]).catch((error: unknown) => error)
  assert.ok(broken instanceof Error && !(broken instanceof FailureError))
  assert.match(broken.message, /^TypeError.*\n.* at /s)
})

test("sessions are listed and found by the calling thread until a second session is opened", async () => {
  const ports = testPorts(memoryDisk())
  const inMemory = {
    ports,
    sessions: "/nowhere/sessions",
    trash: "/nowhere/trash",
    index: ":memory:",
    spillFolder: null,
  }
  createStore(ports, { sessions: inMemory.sessions, id: "work-0001", cwd: "/w", workspace: "/w" }).close()
  const thread = sessionsThread(testClock())
  const first = thread.reads(inMemory)
  const count = async (): Promise<readonly number[]> => {
    const found = await first.find("work-0001")
    return [(await first.list({})).sessions.length, found.ok ? 1 : 0]
  }
  assert.deepEqual(await count(), [1, 1])
  thread.reads(inMemory)
  assert.deepEqual(await count(), [0, 0], "the thread reads the disk of this machine")
})
