import assert from "node:assert/strict"
import { test } from "node:test"
import { backgroundSync } from "../../../src/store/write/background-sync.ts"

/** Syncs that the test completes, in order. */
function held() {
  const open: PromiseWithResolvers<void>[] = []
  let begun = 0
  const sync = backgroundSync(() => {
    const one = Promise.withResolvers<void>()
    open.push(one)
    begun += 1
    return one.promise
  })
  return {
    sync,
    begun: () => begun,
    async end(error?: Error) {
      const one = open.shift()
      if (error === undefined) one?.resolve()
      else one?.reject(error)
      await turn()
    },
  }
}

/** All consequences of the completed syncs. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** How far a promise is: `null` where there is none. */
function watched(promise: Promise<void> | null): { state: string } {
  const seen = { state: promise === null ? "none" : "open" }
  promise?.then(
    () => (seen.state = "done"),
    (error: Error) => (seen.state = error.message),
  )
  return seen
}

test("one sync at a time, each for all that was written before it began", async () => {
  const { sync, begun, end } = held()
  assert.equal(sync.settled(), null)
  sync.wrote(true)
  const first = watched(sync.settled())
  sync.wrote(true)
  sync.wrote(true)
  const second = watched(sync.settled())
  assert.equal(begun(), 1)
  await end()
  assert.deepEqual([first.state, second.state, begun()], ["done", "open", 2])
  await end()
  assert.deepEqual([second.state, begun(), sync.settled(), sync.idle(), sync.failure], ["done", 2, null, null, null])
})

test("writes without sync begin no sync and delay nothing, until a sync of all writes is requested", async () => {
  const { sync, begun, end } = held()
  sync.wrote(false)
  assert.deepEqual([begun(), sync.settled()], [0, null])
  sync.begin()
  assert.deepEqual([begun(), sync.settled()], [1, null])
  await end()
  sync.begin()
  assert.equal(begun(), 1, "nothing was written since")
  sync.wrote(true)
  sync.wrote(false)
  const settled = watched(sync.settled())
  await end()
  assert.deepEqual([settled.state, begun(), sync.settled()], ["done", 2, null])
})

test("a failed sync is the last one, and current and later waits reject", async () => {
  const { sync, begun, end } = held()
  const error = new Error("no disk")
  sync.wrote(true)
  const first = watched(sync.settled())
  sync.wrote(true)
  const second = watched(sync.settled())
  await end(error)
  assert.deepEqual([first.state, second.state, sync.failure], ["no disk", "no disk", { error }])
  const later = watched(sync.settled())
  sync.wrote(true)
  sync.begin()
  await turn()
  assert.deepEqual([later.state, begun(), sync.idle()], ["no disk", 1, null])
})

test("entries made durable by another sync settle pending ones, unless a sync is in progress, whose end decides", async () => {
  const idle = held()
  idle.sync.begin()
  assert.equal(idle.begun(), 0, "nothing was written yet")
  idle.sync.wrote(false)
  idle.sync.madeDurable()
  idle.sync.begin()
  assert.deepEqual([idle.begun(), idle.sync.settled()], [0, null])
  const busy = held()
  busy.sync.wrote(true)
  busy.sync.wrote(false)
  busy.sync.madeDurable()
  const settled = watched(busy.sync.settled())
  await turn()
  assert.deepEqual([settled.state, busy.begun()], ["open", 1])
  await busy.end()
  assert.deepEqual([settled.state, busy.begun()], ["done", 2])
  await busy.end()
  assert.equal(busy.begun(), 2)
})

test("rest ends when no sync is under way, also when another one begins with the end of the first", async () => {
  const { sync, end } = held()
  assert.equal(sync.idle(), null)
  sync.wrote(true)
  const rest = watched(sync.idle())
  sync.wrote(true)
  await end()
  assert.equal(rest.state, "open")
  await end()
  assert.equal(rest.state, "done")
})
