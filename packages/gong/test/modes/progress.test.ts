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

const event = (type: string, more: object) => ({ type, ...more }) as unknown as Event

test("a compaction is reported with its tokens, how it ended, and what undoes it", () => {
  const line = (more: object, undo: string | null = null) => {
    const of = progressLines({ t: english, declared: builtInDeclarations, undo, output: null })
    const found = of(event("compaction_end", { tokensBefore: 12_345, ...more }))
    return [found?.text, found?.kind]
  }
  assert.equal(
    shown(null, event("compaction_start", { tokens: 12_345 })),
    "compacting the conversation (12,345 tokens) ...",
  )
  assert.deepEqual(line({ status: "done" }), ["compacted: 12,345 tokens", "progress"])
  assert.deepEqual(line({ status: "done", tokensAfter: 678 }, "/undo compaction"), [
    "compacted: 12,345 -> 678 tokens · /undo compaction undoes it",
    "progress",
  ])
  const failure = { kind: "auth", message: "no key" }
  assert.deepEqual(line({ status: "failed", failure }), ["gong: the conversation was not compacted: no key", "warning"])
  assert.deepEqual(line({ status: "cancelled" }), ["gong: the conversation was not compacted: cancelled", "progress"])
  assert.deepEqual(line({ status: "nothing", failure }), ["no key", "progress"])
})

test("notices, retries and tasks have their lines", () => {
  const of = progressLines({ t: english, declared: builtInDeclarations, undo: null, output: null })
  const line = (one: Event) => {
    const found = of(one)
    return found && [found.text, found.kind]
  }
  assert.deepEqual(line(event("notice", { level: "warn", text: "careful" })), ["gong: careful", "warning"])
  assert.deepEqual(line(event("notice", { level: "info", text: "by the way" })), ["by the way", "progress"])
  assert.deepEqual(line(event("notice", { level: "info", text: "x", phrase: { id: "a phrase", values: [] } })), [
    "a phrase",
    "progress",
  ])
  const failure = { kind: "overloaded", message: "busy" }
  assert.deepEqual(line(event("retry_start", { failure, attempt: 1, of: 3, delayMs: 1_249 })), [
    "gong: busy; try 2 of 4 in 1.2 s",
    "retry",
  ])
  assert.equal(line(start("1", "ls")), null)
  assert.deepEqual(line(event("tool_execution_start", { toolCallId: "1", name: "task", title: "look", args: {} })), [
    "task look ...",
    "progress",
  ])
  assert.equal(line(event("turn_start", { turn: 1 })), null)
  assert.equal(line(event("permission_request", { tool: "bash" })), null)
})

test("a call has its title, its status, its exit and its changed lines, and those of a task are indented", () => {
  assert.equal(shown(null, start("1", "ls"), end("1", { durationMs: 1_500 })), "bash ls  1.5 s")
  assert.equal(shown(null, end("1", { status: "aborted" })), "bash  0.0 s  aborted")
  assert.equal(shown(null, end("1", { details: { exit_code: 0 } })), "bash  0.0 s  exit 0")
  assert.equal(shown(null, end("1", { parent: "t" })), "  bash  0.0 s")
  assert.equal(
    shown(null, { ...start("1", "of a task"), parent: "t" } as Event, end("1")),
    "bash  0.0 s",
    "another session",
  )
  assert.equal(shown(null, start("1", "ls"), end("1"), end("1")), "bash ls  0.0 sbash  0.0 s", "a title is used once")
  const files = [
    { path: "a", change: "modified", added: 1, removed: 2 },
    { path: "b", change: "modified", added: 3, removed: 4 },
  ]
  assert.equal(shown(null, end("1", { files })), "bash  0.0 s  +1 -2  +3 -4")
  const facts = (more: object) => {
    const line = progressLines({ t: english, declared: builtInDeclarations, undo: null, output: null })(end("1", more))
    return [line?.call?.isFailed, line?.prose, line?.diff]
  }
  assert.deepEqual(facts({}), [false, undefined, undefined])
  assert.deepEqual(facts({ status: "background" }), [false, undefined, undefined])
  assert.deepEqual(facts({ status: "error" }), [true, undefined, undefined])
  assert.deepEqual(facts({ details: { exit_code: 1 } }), [true, undefined, undefined])
  assert.deepEqual(facts({ details: { exit_code: 0 } }), [false, undefined, undefined])
  assert.deepEqual(facts({ name: "read", status: "error" }), [true, true, undefined])
  assert.deepEqual(facts({ name: "edit", details: { diff: "+ a" } }), [false, undefined, true])
  assert.deepEqual(facts({ name: "edit", status: "error", details: { diff: "+ a" } }), [true, true, undefined])
  assert.deepEqual(facts({ name: "edit", details: { diff: 7 } }), [false, undefined, undefined])
})

test("a call that changed the to-do list shows it, and an empty output shows nothing", () => {
  const todos = [
    { content: "one", status: "completed" },
    { content: "two", status: "in_progress" },
  ]
  assert.equal(
    shown(null, end("1", { name: "todo", details: { todos } })),
    "todo  0.0 s\n    1 of 2 done\n    [x] one\n    [>] two",
  )
  assert.equal(shown(null, end("1", { name: "todo", status: "refused", details: { todos } })), "todo  0.0 s  refused")
  assert.equal(
    shown(null, end("1", { status: "error", content: [{ type: "text", text: "(no output)\n\n  \nx" }] })),
    "bash  0.0 s  error\n    x",
  )
})

test("the last line of output is cut at 200 characters, of 4,000 that are kept, and lines are those of the terminal", () => {
  const { clock, move } = movedClock()
  const lines: string[] = []
  const calls = runningCalls(clock, (line) => void lines.push(line))
  calls.take(start("1", ""))
  calls.take(update("1", "x".repeat(300)))
  calls.take(update("unknown", "y"))
  move(2_000)
  calls.take(update("1", "\nbar 10 %\rbar 20 %\r"))
  move(10_000)
  calls.take(update("1", "\n \n"))
  move(30_000)
  assert.deepEqual(lines, [
    "bash ...",
    `bash  2.0 s  ${"x".repeat(200)}`,
    "bash  10 s  bar 20 %",
    "bash  30 s  bar 20 %",
  ])
  calls.take(update("1", " ".repeat(5_000)))
  move(90_000)
  assert.deepEqual(lines.slice(4), ["bash  60 s", "bash  90 s"])
})
