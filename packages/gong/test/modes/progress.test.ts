import assert from "node:assert/strict"
import { test } from "node:test"
import type { Clock, Event } from "@gong/spec"
import { builtInDeclarations } from "@gong/tools"
import { english } from "@gong/texts/translator"
import { progressLines } from "../../src/modes/progress.ts"
import { runningCalls } from "../../src/modes/running-calls.ts"

/** A clock whose timers fire when it is moved. */
function movedClock() {
  let now = 0
  const timers = new Map<object, { readonly at: number; fire(): void }>()
  const clock = {
    now: () => now,
    timer(ms: number, fire: () => void) {
      const key = {}
      timers.set(key, { at: now + ms, fire })
      return () => void timers.delete(key)
    },
  } as unknown as Clock
  const move = (to: number): void => {
    for (;;) {
      const [next] = [...timers].filter(([, { at }]) => at <= to).toSorted(([, a], [, b]) => a.at - b.at)
      if (next === undefined) break
      timers.delete(next[0])
      now = next[1].at
      next[1].fire()
    }
    now = to
  }
  return { clock, move, open: () => timers.size }
}

const start = (id: string, title: string) =>
  ({ type: "tool_execution_start", toolCallId: id, name: "bash", args: {}, title }) as unknown as Event
const update = (id: string, delta: string) =>
  ({ type: "tool_execution_update", toolCallId: id, delta }) as unknown as Event
const end = (id: string, more: object = {}) =>
  ({
    type: "tool_execution_end",
    toolCallId: id,
    name: "bash",
    status: "ok",
    content: [],
    details: null,
    durationMs: 0,
    ...more,
  }) as unknown as Event

test("a call is shown half a second after its start, then with its last line of output after 2, 10, 30, 60 s", () => {
  const { clock, move, open } = movedClock()
  const lines: string[] = []
  const calls = runningCalls(clock, (line) => void lines.push(line))
  calls.take(start("1", "npm test"))
  move(499)
  assert.deepEqual(lines, [])
  move(500)
  calls.take(update("1", "one\ntw"))
  calls.take(update("1", "o\r\n\n"))
  move(9_999)
  calls.take(update("1", "three \u001B[31mred"))
  move(61_000)
  assert.deepEqual(lines, [
    "bash npm test ...",
    "bash npm test  2.0 s  two",
    "bash npm test  10 s  three ␛[31mred",
    "bash npm test  30 s  three ␛[31mred",
    "bash npm test  60 s  three ␛[31mred",
  ])
  calls.take(end("1"))
  assert.equal(open(), 0)
})

test("short calls, calls of subtasks and calls after the end of a run are not shown", () => {
  const { clock, move, open } = movedClock()
  const lines: string[] = []
  const calls = runningCalls(clock, (line) => void lines.push(line))
  calls.take(start("1", "a"))
  move(400)
  calls.take(end("1"))
  calls.take({ ...start("2", "b"), parent: "t" } as unknown as Event)
  move(5_000)
  calls.take(start("3", "c"))
  calls.stop()
  move(50_000)
  assert.deepEqual([lines, open()], [[], 0])
})

const text = (lines: number) => [{ type: "text", text: Array.from({ length: lines }, (_, at) => `l${at}`).join("\n") }]

function shown(output: string | null, ...events: readonly Event[]): string {
  const lineOf = progressLines({ t: english, declared: builtInDeclarations, undo: null, output })
  return events.map((event) => lineOf(event)?.text ?? "").join("")
}

test("a failed call shows the end of its output, and how to see all of it", () => {
  const failed = (lines: number, status = "error") =>
    end("1", { status, content: text(lines), details: { exit_code: 1 } })
  assert.equal(shown(null, failed(6)), "bash  0.0 s  exit 1\n    l0\n    l1\n    l2\n    l3\n    l4\n    l5")
  const five = "\n    l3\n    l4\n    l5\n    l6\n    l7"
  assert.equal(shown("/output", failed(8)), `bash  0.0 s  exit 1\n    ... (3 earlier lines; /output shows all)${five}`)
  assert.equal(shown(null, failed(8)), `bash  0.0 s  exit 1\n    ... (3 earlier lines)${five}`)
  assert.match(shown(null, failed(2, "timeout")), /l1$/)
  for (const status of ["ok", "aborted", "refused", "background"])
    assert.doesNotMatch(shown(null, failed(2, status)), /l1/, status)
  assert.equal(
    shown(null, end("1", { name: "read", status: "error", content: text(2) })),
    "read  0.0 s  error\n    l0\n    l1",
  )
})

test("an edit shows its lines, long ones folded, but not again after a question that showed them", () => {
  const diff = (rows: number) => Array.from({ length: rows }, (_, at) => `+ ${at} x`).join("\n")
  const edited = (rows: number) =>
    end("1", {
      name: "edit",
      details: { diff: diff(rows) },
      files: [{ path: "a", change: "modified", added: rows, removed: 0 }],
    })
  assert.equal(shown(null, edited(2)), "edit  0.0 s  +2 -0\n    + 0 x\n    + 1 x")
  const long = shown(null, edited(22)).split("\n")
  assert.deepEqual([long.length, long.at(-1)], [22, "    ... (2 more lines; /diff shows all changes)"])
  assert.equal(shown(null, edited(21)).split("\n").length, 22)
  const request = {
    type: "permission_request",
    toolCallId: "1",
    preview: { kind: "change", rows: ["+ 0 x"] },
  } as unknown as Event
  assert.equal(shown(null, request, edited(2)), "edit  0.0 s  +2 -0")
})
