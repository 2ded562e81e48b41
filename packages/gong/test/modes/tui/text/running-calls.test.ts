import assert from "node:assert/strict"
import { test } from "node:test"
import type { Clock, Event } from "@gong/spec"
import { textOf } from "@gong/screen/row"
import { english } from "@gong/texts/translator"
import type { RunningCall } from "../../../../src/modes/tui/state.ts"
import { runningCalls } from "../../../../src/modes/tui/text/running-calls.ts"

/** The running calls after each event; a number is the time in milliseconds from there on. */
function following() {
  let now = 0
  let running: readonly RunningCall[] = []
  let changes = 0
  const calls = runningCalls({
    t: english,
    clock: { now: () => now } as Clock,
    changed: (all) => {
      running = all
      changes++
    },
  })
  return {
    at: (ms: number) => void (now = ms),
    take: (event: object) => calls.take(event as Event),
    clear: () => calls.clear(),
    shown: () => running.map(({ title, startedAt, tail }) => [title, startedAt, ...tail.map(textOf)]),
    running: () => running,
    changes: () => changes,
  }
}

const start = (id: string, title: string, more: object = {}) => ({
  type: "tool_execution_start",
  toolCallId: id,
  name: "bash",
  title,
  ...more,
})
const output = (id: string, delta: string) => ({ type: "tool_execution_update", toolCallId: id, delta })
const end = (id: string) => ({ type: "tool_execution_end", toolCallId: id })

test("calls are shown from their start to their end, with the last five rows of output that are not empty", () => {
  const calls = following()
  calls.at(10)
  calls.take(start("1", "npm test"))
  calls.take(start("2", ""))
  assert.deepEqual(calls.shown(), [
    ["bash npm test", 10],
    ["bash", 10],
  ])
  calls.take(output("1", "a\nb\nc\nd\n\u001b[31me"))
  calls.take(output("1", "!  \nf\n\n"))
  assert.deepEqual(calls.shown()[0], ["bash npm test", 10, "b", "c", "d", "e!", "f"])
  assert.equal(calls.running()[0]?.tail[3]?.[0]?.role, "fg:1")
  assert.equal(calls.running()[0]?.tail[0]?.[0]?.role, "muted")
  assert.equal(calls.running()[0]?.isProse, false)
  calls.take(output("1", "\n\nx"))
  assert.deepEqual(calls.shown()[0]?.slice(2), ["f", "x"], "blank rows count, and are not shown")
  calls.take(end("1"))
  assert.deepEqual(calls.shown(), [["bash", 10]])
  const { changes } = calls
  const before = changes()
  calls.take(end("1"))
  calls.take(output("unknown", "x"))
  assert.equal(changes(), before, "nothing has changed")
})

test("the output of an ended call is not that of a later one with its id, and 4,000 characters are kept", () => {
  const calls = following()
  calls.take(start("1", "a"))
  calls.take(output("1", "old"))
  calls.take(end("1"))
  calls.take(start("1", "b"))
  calls.take(output("1", "new"))
  assert.deepEqual(calls.shown(), [["bash b", 0, "new"]])
  calls.take(output("1", "y".repeat(5_000)))
  assert.deepEqual(calls.shown()[0]?.[2], "y".repeat(4_000))
})

test("thinking is shown like a call, and its time is told when something else follows", () => {
  const calls = following()
  const update = (more: object) => ({ type: "message_update", id: "m", index: 0, delta: "x", ...more })
  calls.at(100)
  assert.equal(calls.take(update({ kind: "thinking", delta: "a\n" })), null)
  calls.at(900)
  assert.equal(calls.take(update({ kind: "thinking", delta: "b" })), null)
  assert.deepEqual(calls.shown(), [["thinking", 100, "a", "b"]])
  assert.equal(calls.running()[0]?.isProse, true)
  assert.equal(calls.take(update({ kind: "text" })), 800)
  assert.deepEqual(calls.shown(), [])
  assert.equal(calls.take(update({ kind: "text" })), null)
  calls.take(update({ kind: "thinking" }))
  calls.at(1_000)
  assert.equal(calls.take({ type: "message_end" }), 100)
  assert.equal(calls.take({ type: "message_end" }), null)
})

test("a call is shown from the first of its arguments on, once", () => {
  const calls = following()
  const update = { type: "message_update", id: "m", index: 0, delta: "{", kind: "tool_call" }
  calls.take({ ...update, toolCallId: "1", name: "write" })
  calls.at(50)
  calls.take({ ...update, toolCallId: "1", name: "write" })
  calls.take({ ...update, toolCallId: "2" })
  assert.deepEqual(calls.shown(), [
    ["write ...", 0],
    [" ...", 50],
  ])
  calls.take(start("1", "a.ts"))
  assert.deepEqual(calls.shown()[0], ["bash a.ts", 50])
})

test("of a task its last call is shown below it, and a question takes its call off the screen", () => {
  const calls = following()
  calls.take(start("t", "look", { name: "task" }))
  calls.take(start("1", "src", { name: "grep", parent: "t" }))
  calls.take({ ...output("1", "found"), parent: "t" })
  assert.deepEqual(calls.shown(), [["task look", 0, "grep src"]])
  calls.take(start("2", "", { name: "ls", parent: "t" }))
  assert.deepEqual(calls.shown(), [["task look", 0, "ls"]])
  calls.take(start("3", "rm"))
  calls.take({ type: "permission_request", toolCallId: "3" })
  calls.take({ type: "permission_request" })
  assert.deepEqual(calls.shown(), [["task look", 0, "ls"]])
  calls.take({ type: "agent_end" })
  assert.deepEqual(calls.shown(), [])
  calls.take(start("4", "x"))
  calls.clear()
  assert.deepEqual(calls.shown(), [])
})
