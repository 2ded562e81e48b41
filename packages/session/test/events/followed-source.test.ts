import assert from "node:assert/strict"
import { test } from "node:test"
import type { Entry, EntryBody, Event } from "@gong/spec"
import type { ReadonlyTape } from "@gong/tape"
import { eventStream } from "../../src/events/event-stream.ts"
import { followedSource } from "../../src/events/followed-source.ts"
import { reply, result, user } from "../compaction/messages.ts"

const said = (message: ReturnType<typeof user>): EntryBody => ({ type: "message", message })
const asked = said(user("go"))
const called = said(
  reply("", [
    { id: "c1", name: "read" },
    { id: "c2", name: "read" },
  ]),
)
const answered = (id: string) => said(result(id, "x"))
const change: EntryBody = { type: "model_change", provider: "p", modelId: "m2" }
const end: EntryBody = { type: "run_end", status: "done", turns: 1 }

let count = 0
const entryOf = (body: EntryBody): Entry =>
  ({ id: `e${(count += 1)}`, parentId: null, timestamp: "2026-01-01T00:00:00.000Z", ...body }) as Entry

/** A follower of a session with these entries. */
function following(past: readonly EntryBody[], model: string | null = "p/m1") {
  const entries = past.map(entryOf)
  const at = (place: number) => entries[place] ?? assert.fail(`no entry ${place}`)
  const branch = { length: entries.length, head: at, kind: at, entry: at } as unknown as ReadonlyTape["branch"]
  const { source, add } = followedSource(branch, { model, contextWindow: 1000 })
  const stream = eventStream(source, { after: null, partial: true, wake: () => undefined })
  const taken = (): readonly Event[] => {
    const events: Event[] = []
    for (let next = stream.next(); next !== null; next = stream.next()) events.push(...next)
    return events
  }
  return {
    source,
    stream,
    add: (...bodies: readonly EntryBody[]) => add(bodies.map(entryOf)),
    taken,
    /** The notices that wait for the reader. */
    notices: () => taken().flatMap((event) => (event.type === "notice" ? [event.text] : [])),
  }
}

const waiting = (model: string) => [`waiting for ${model}; its reply is shown when it is complete`]

test("a reader that joins is told that the model is being asked: after a message, and after the last result", () => {
  for (const [past, expected] of [
    [[], []],
    [[asked], waiting("p/m1")],
    [[asked, change], waiting("p/m2")],
    [[change, end, asked], waiting("p/m1")],
    [[asked, said(reply("a"))], []],
    [[asked, called], []],
    [[asked, called, answered("c1")], []],
    [[asked, called, answered("c1"), answered("c2")], waiting("p/m1")],
    [[asked, called, asked], waiting("p/m1")],
    [[asked, end], []],
    [[asked, { type: "custom", customType: "x", data: 1 }], waiting("p/m1")],
  ] as const)
    assert.deepEqual(following(past).notices(), expected, JSON.stringify(past))
  assert.deepEqual(following([asked], null).notices(), waiting("the model"))
})

test("new entries reach the reader in their order, and each request is reported once", () => {
  const { add, taken, notices, source, stream } = following([asked])
  assert.deepEqual([source.published(), source.contextWindow()], [1, 1000])
  assert.deepEqual(notices(), waiting("p/m1"))
  add({ type: "custom", customType: "x", data: 1 })
  assert.deepEqual(notices(), [])
  add(called, answered("c1"))
  assert.deepEqual(
    taken().map(({ type }) => type),
    ["message_end", "tool_execution_end"],
  )
  add(answered("c2"))
  assert.deepEqual(
    taken().map(({ type }) => type),
    ["tool_execution_end", "turn_end", "notice"],
  )
  add(said(reply("done")), end)
  assert.deepEqual(
    taken().map(({ type }) => type),
    ["turn_start", "message_end", "turn_end", "agent_end"],
  )
  stream.close()
  add(asked)
  assert.deepEqual(taken(), [])
})
