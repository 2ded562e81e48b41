import assert from "node:assert/strict"
import { test } from "node:test"
import type { ChangeBody, ScanResult, NewEntry, Notification } from "@gong/spec"
import { manualClock } from "@gong/testing/sim/clock"
import { commandChanges } from "../../src/changes/command-changes.ts"

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

/** A workspace whose scans end on the test's command; only `ls` is read-only. */
function watched(due: { now: boolean; atEnd?: boolean }) {
  const clock = manualClock()
  const scans: ((result: Partial<ScanResult>) => Promise<void>)[] = []
  const changing: string[] = []
  const written: NewEntry[] = []
  const notifications: Notification[] = []
  const stored: string[] = []
  const changes = commandChanges({
    clock,
    detector: {
      expectChange: (path) => void changing.push(path),
      isDue: (atEnd) => due.now || (atEnd && due.atEnd === true),
      scan: () =>
        new Promise((resolve) =>
          scans.push(async (result) => {
            resolve({ changes: [], cut: null, ...result })
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
  return { changes, clock, scans, changing, written, notifications, stored }
}

test("the next change, the next tool that changes files and the end of the run wait for the scan; read-only tools do not", () => {
  for (const waiting of [[edited], [startOf("bash")], [startOf("ls"), startOf("bash")], [ended]]) {
    const { changes, scans } = watched({ now: true })
    assert.notEqual(changes.before(waiting), null)
    assert.equal(scans.length, 1)
  }
  for (const free of [[startOf("ls")], [result], []]) {
    const { changes, scans } = watched({ now: true })
    assert.equal(changes.before(free), null)
    assert.equal(scans.length, 0)
  }
})

test("without a command no scan is due; a background job makes one due at the end of the run only", () => {
  const job = watched({ now: false, atEnd: true })
  assert.equal(job.changes.before([edited]), null)
  assert.notEqual(job.changes.before([ended]), null)
  const idle = watched({ now: false })
  assert.equal(idle.changes.before([ended]), null)
  idle.changes.after([result])
  assert.equal(idle.clock.waiting, 0)
})

test("a scan begins 20 ms after a tool result, once for several results, and not for other entries", async () => {
  const { changes, clock, scans } = watched({ now: true })
  changes.after([edited, startOf("bash")])
  assert.equal(clock.waiting, 0)
  changes.after([startOf("bash"), result])
  changes.after([result])
  assert.equal(clock.waiting, 1)
  await clock.advance(19)
  assert.equal(scans.length, 0)
  await clock.advance(1)
  assert.equal(scans.length, 1)
  changes.after([result])
  assert.equal(clock.waiting, 0, "while one is under way")
  await scans[0]?.({})
  changes.after([result])
  assert.equal(clock.waiting, 1, "and again when it is over")
})

test("a caller that cannot wait 20 ms starts the scan at once, and no second scan follows", async () => {
  const due = { now: true }
  const { changes, clock, scans, written } = watched(due)
  changes.after([result])
  const first = changes.before([edited])
  due.now = false
  const second = changes.before([ended])
  assert.deepEqual([scans.length, clock.waiting, first === second], [1, 0, true])
  await scans[0]?.({ changes: [found] })
  await first
  assert.deepEqual(written, [{ type: "change", ...found }])
  assert.equal(changes.before([ended]), null, "a finished scan is not awaited")
})

test("a change that the session makes itself is reported to the change detector", () => {
  const { changes, changing } = watched({ now: false })
  changes.after([startOf("edit"), edited, result])
  assert.deepEqual(changing, ["/work/mine.txt"])
})

test("keys in a before-image are stored in the artifact alone; a scan without changes writes nothing", async () => {
  const { changes, scans, written, stored } = watched({ now: true })
  const first = changes.before([ended])
  await scans[0]?.({ changes: [{ ...found, beforeText: "a secret" }] })
  await first
  assert.deepEqual([written, stored], [[{ type: "change", ...found }], ["a secret"]])
  const second = changes.before([ended])
  await scans[1]?.({})
  await second
  assert.equal(written.length, 1)
})

test("the reason why changes may be missing is reported once, to the user and on the tape", async () => {
  const { changes, scans, written, notifications } = watched({ now: true })
  for (const [at, cut] of ["too many files", "too many files", "no time", null].entries()) {
    const scan = changes.before([ended])
    await scans[at]?.({ cut })
    await scan
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

test("a failed scan rejects for the callers that await it, and causes no unhandled rejection", async () => {
  const clock = manualClock()
  const detector = { expectChange: () => undefined, isDue: () => true, scan: () => Promise.reject(new Error("gone")) }
  const parts = {
    clock,
    detector,
    artifacts: { put: async () => "", get: async () => null, spillPath: async () => "" },
  }
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
