import assert from "node:assert/strict"
import { test } from "node:test"
import type { ChangeBody, Looked, NewEntry, Notification } from "@gong/spec"
import { manualClock } from "@gong/testing/sim/clock"
import { commandChanges } from "../../../src/session/changes/command-changes.ts"

type Found = Omit<ChangeBody, "type">

const file = { path: "a.txt", change: "modified", added: 0, removed: 0 } as const
const found: Found = { callId: "c0", path: "/work/a.txt", before: "b", after: "a", file }
const edited: NewEntry = { type: "change", ...found, path: "/work/mine.txt" }
const ended: NewEntry = { type: "run_end", status: "done", turns: 1 }
const result: NewEntry = {
  type: "message",
  message: {
    role: "tool",
    toolCallId: "c0",
    toolName: "bash",
    content: [],
    details: null,
    isError: false,
    status: "ok",
  },
}
const startOf = (name: string): NewEntry => ({ type: "tool_start", callId: "c1", name, title: "" })

/** A workspace whose looks end when the test says so; only `ls` reads only. */
function watched(due: { now: boolean; atEnd?: boolean }) {
  const clock = manualClock()
  const looks: ((looked: Partial<Looked>) => Promise<void>)[] = []
  const changing: string[] = []
  const written: NewEntry[] = []
  const notifications: Notification[] = []
  const stored: string[] = []
  const changes = commandChanges({
    clock,
    watch: {
      changing: (path) => void changing.push(path),
      isDue: (atEnd) => due.now || (atEnd && due.atEnd === true),
      look: () =>
        new Promise((resolve) =>
          looks.push(async (looked) => {
            resolve({ changes: [], cut: null, ...looked })
            await new Promise(setImmediate)
          }),
        ),
    },
    artifacts: {
      put: async (bytes) => (stored.push(new TextDecoder().decode(bytes)), "a"),
      get: async () => null,
      spillPath: async () => "",
    },
    redact: (text) => text.replaceAll("secret", "[key]"),
    isReadOnly: (tool) => tool === "ls",
    write: (entries) => void written.push(...entries),
    notify: (notification) => void notifications.push(notification),
  })
  return { changes, clock, looks, changing, written, notifications, stored }
}

test("the next change, the next tool that changes things and the end of the run wait for the look; what only reads does not", () => {
  for (const waiting of [[edited], [startOf("bash")], [startOf("ls"), startOf("bash")], [ended]]) {
    const { changes, looks } = watched({ now: true })
    assert.notEqual(changes.before(waiting), null)
    assert.equal(looks.length, 1)
  }
  for (const free of [[startOf("ls")], [result], []]) {
    const { changes, looks } = watched({ now: true })
    assert.equal(changes.before(free), null)
    assert.equal(looks.length, 0)
  }
})

test("where no command ran nothing is looked for; a job counts at the end of the run alone", () => {
  const job = watched({ now: false, atEnd: true })
  assert.equal(job.changes.before([edited]), null)
  assert.notEqual(job.changes.before([ended]), null)
  const idle = watched({ now: false })
  assert.equal(idle.changes.before([ended]), null)
  idle.changes.after([result])
  assert.equal(idle.clock.waiting, 0)
})

test("a look begins 20 ms after a result, once for several of them, and not for what is none", async () => {
  const { changes, clock, looks } = watched({ now: true })
  changes.after([edited, startOf("bash")])
  assert.equal(clock.waiting, 0)
  changes.after([startOf("bash"), result])
  changes.after([result])
  assert.equal(clock.waiting, 1)
  await clock.advance(19)
  assert.equal(looks.length, 0)
  await clock.advance(1)
  assert.equal(looks.length, 1)
  changes.after([result])
  assert.equal(clock.waiting, 0, "while one is under way")
  await looks[0]?.({})
  changes.after([result])
  assert.equal(clock.waiting, 1, "and again when it is over")
})

test("who cannot wait for the 20 ms has the look begun at once, and there is no second one", async () => {
  const due = { now: true }
  const { changes, clock, looks, written } = watched(due)
  changes.after([result])
  const first = changes.before([edited])
  due.now = false
  const second = changes.before([ended])
  assert.deepEqual([looks.length, clock.waiting, first === second], [1, 0, true])
  await looks[0]?.({ changes: [found] })
  await first
  assert.deepEqual(written, [{ type: "change", ...found }])
  assert.equal(changes.before([ended]), null, "a look that is over is not waited for")
})

test("a change that the session makes itself is told to the watch", () => {
  const { changes, changing } = watched({ now: false })
  changes.after([startOf("edit"), edited, result])
  assert.deepEqual(changing, ["/work/mine.txt"])
})

test("what a file held before keeps its keys in the artifact alone; a look that finds nothing writes nothing", async () => {
  const { changes, looks, written, stored } = watched({ now: true })
  const first = changes.before([ended])
  await looks[0]?.({ changes: [{ ...found, beforeText: "a secret" }] })
  await first
  assert.deepEqual([written, stored], [[{ type: "change", ...found }], ["a secret"]])
  const second = changes.before([ended])
  await looks[1]?.({})
  await second
  assert.equal(written.length, 1)
})

test("why changes may be missing is told once for each reason, to the user and on the tape", async () => {
  const { changes, looks, written, notifications } = watched({ now: true })
  for (const [at, cut] of ["too many files", "too many files", "no time", null].entries()) {
    const look = changes.before([ended])
    await looks[at]?.({ cut })
    await look
  }
  assert.deepEqual(
    written.map((entry) => ("data" in entry ? entry.data : entry.type)),
    ["too many files", "no time"],
  )
  assert.deepEqual(
    notifications.map((notification) =>
      "text" in notification ? /undone: (.*)$/.exec(notification.text)?.[1] : notification.code,
    ),
    ["too many files", "no time"],
  )
})

test("a look that fails is heard of by who waits for it, and by nobody else", async () => {
  const clock = manualClock()
  const watch = { changing: () => undefined, isDue: () => true, look: () => Promise.reject(new Error("gone")) }
  const parts = { clock, watch, artifacts: { put: async () => "", get: async () => null, spillPath: async () => "" } }
  const rest = {
    redact: (text: string) => text,
    isReadOnly: () => false,
    write: () => undefined,
    notify: () => undefined,
  }
  const changes = commandChanges({ ...parts, ...rest })
  changes.after([result])
  await clock.advance(20)
  await assert.rejects(async () => changes.before([ended]), /gone/)
})
