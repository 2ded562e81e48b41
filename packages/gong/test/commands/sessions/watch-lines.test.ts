import assert from "node:assert/strict"
import { test } from "node:test"
import { type Event, failure, phrase, type StoredSession } from "@gong/spec"
import { english } from "@gong/texts/translator"
import type { StoredEvent } from "../../../src/commands/sessions/stored-projection.ts"
import { eventWatchLines, textWatchLines, watchHead } from "../../../src/commands/sessions/watch-lines.ts"
import { withoutHidden } from "../../../src/commands/sessions/watch-screen.ts"

const session = { id: "01900000-0000-7000-8000-0000abcd1234", info: { cwd: "/work" } } as unknown as StoredSession

const stored = (event: object): StoredEvent => ({ event: event as Event, time: "2026-01-02T03:04:05.000Z" })

const start = (id: string) => ({
  type: "tool_execution_start",
  toolCallId: id,
  name: "read",
  title: `${id}.ts`,
  args: {},
})
const end = (id: string) => ({
  type: "tool_execution_end",
  toolCallId: id,
  name: "read",
  title: `${id}.ts`,
  status: "ok",
  content: [],
  details: null,
  durationMs: 1000,
})
const message = (role: string, text: string) => ({
  type: "message_end",
  message: { role, content: [{ type: "text", text }] },
})

function watched(hidden = 0) {
  const lines = textWatchLines(english, { session, holder: null, hidden })
  return { ...lines, of: (...events: readonly object[]) => [...lines.lines(events.map(stored))] }
}

test("the head names the session, its folder and the process that has it open", () => {
  const text = (by: string) =>
    `Watching session abcd1234 in /work${by}: read-only; a step is shown when it is stored. Ctrl+C exits.`
  assert.equal(watchHead(english, session, null), text(""))
  assert.equal(watchHead(english, session, { pid: 12 } as never), text(" by pid 12"))
  assert.deepEqual([...watched().begin()], [`${text("")}\n`])
  assert.deepEqual(watched().end(null), [])
})

test("messages, failures, models and ends of runs are lines; other events have none", () => {
  const { of } = watched()
  assert.deepEqual(of(message("user", "one\ntwo")), ["> one\n> two\n"])
  assert.deepEqual(of(message("assistant", "Yes.\nNo.")), ["Yes.\nNo.\n"])
  assert.deepEqual(of(message("assistant", ""), message("user", "")), [])
  assert.deepEqual(of({ type: "failure", failure: failure("storage", phrase`The disk is full.`) }), [
    "gong: The disk is full.\n",
  ])
  assert.deepEqual(of({ type: "model_select", model: "p/m" }), ["[model: p/m]\n"])
  assert.deepEqual(of({ type: "agent_end", status: "done" }), [])
  assert.deepEqual(of({ type: "agent_end", status: "interrupted" }), ["[interrupted]\n"])
  assert.deepEqual(of({ type: "turn_start" }, { type: "session" }), [])
})

test("a call in progress is one line after the pending events, once, and none after its end or that of the run", () => {
  const { of, idle } = watched()
  assert.deepEqual([...idle()], [])
  of(start("a"), start("b"))
  assert.deepEqual([...idle()], ["  read a.ts ...\n", "  read b.ts ...\n"])
  assert.deepEqual([...idle()], [])
  of(start("c"), start("d"))
  const ended = of(end("c"))
  assert.equal(ended.length, 1)
  assert.match(ended[0] ?? "", /^ {2}read c\.ts  1\.0 s\n$/)
  assert.deepEqual([...idle()], ["  read d.ts ...\n"])
  of(start("e"), { type: "agent_end", status: "done" })
  assert.deepEqual([...idle()], [])
})

test("hidden entries have no lines, but their calls in progress have one", () => {
  const { of, idle } = watched(2)
  assert.deepEqual(of(message("user", "hidden"), start("a")), [])
  assert.deepEqual(of(message("user", "hidden too")), [])
  assert.deepEqual(of(message("user", "shown")), ["> shown\n"])
  assert.deepEqual([...idle()], ["  read a.ts ...\n"])
})

test("events are numbered lines for programs, with the first one unless they begin after an entry", () => {
  const seqs = (lines: Iterable<string>) =>
    [...lines].map((line) => {
      const { seq, type } = JSON.parse(line) as { readonly seq: number; readonly type: string }
      return `${seq} ${type}`
    })
  const all = eventWatchLines(stored({ type: "session" }))
  assert.deepEqual(seqs(all.begin()), ["1 session"])
  assert.deepEqual(seqs(all.lines([stored({ type: "turn_start" }), stored({ type: "turn_end" })])), [
    "2 turn_start",
    "3 turn_end",
  ])
  assert.deepEqual([...all.idle()], [])
  assert.deepEqual(seqs(all.end(stored({ type: "result" })) as Iterable<string>), ["4 result"])
  assert.deepEqual(all.end(null), [])
  const later = eventWatchLines(null)
  assert.deepEqual(later.begin(), [])
  assert.deepEqual(seqs(later.lines([stored({ type: "turn_start" })])), ["1 turn_start"])
})

test("on the screen the hidden part gives only its run and its calls in progress, before the first shown entry", () => {
  const names = (hidden: number, ...entries: readonly (readonly object[])[]): readonly string[] => {
    const taken: Event[] = []
    const take = withoutHidden(hidden, (event) => void taken.push(event))
    for (const events of entries) take(events.map(stored))
    return taken.map((event) => ("toolCallId" in event ? `${event.type} ${event.toolCallId}` : event.type))
  }
  const [run, over] = [{ type: "agent_start" }, { type: "agent_end", status: "done" }]
  assert.deepEqual(names(0, [{ type: "session" }, run], [start("a")]), ["agent_start", "tool_execution_start a"])
  assert.deepEqual(names(2, [run, start("a"), start("b")], [end("a"), message("user", "x")], [end("b")], [over]), [
    "agent_start",
    "tool_execution_start b",
    "tool_execution_end b",
    "agent_end",
  ])
  assert.deepEqual(names(2, [run, start("a")], [over], [{ type: "turn_start" }]), ["turn_start"])
  assert.deepEqual(names(1, [run, start("a")]), [])
})
