import assert from "node:assert/strict"
import { test } from "node:test"
import { type Event, projection } from "@gong/spec"
import type { EventStream } from "../../src/events/event-stream.ts"
import { place, type Running, start, tool } from "../world.ts"

const files = { "/work/a.txt": "alpha\n", "/work/b.txt": "beta\n" }
const script = [
  { thinking: "which file?", text: "I will look.", calls: [{ name: "read", arguments: { path: "a.txt" } }] },
  { calls: [{ name: "read", arguments: { path: "b.txt" } }] },
  { text: "alpha and beta, that is all" },
]

function taken(stream: EventStream): readonly Event[] {
  const events: Event[] = []
  for (let next = stream.next(); next !== null; next = stream.next()) events.push(...next)
  return events
}

function opened({ session }: Running, after: string | null, partial = true): EventStream {
  return session.events({ after, partial, wake: () => undefined })
}

/** Steps received by a listener from the first step on, after those written before it could subscribe. */
function notified({ steps, session }: Running, partial: boolean): readonly Event[] {
  const events = projection({ partial, contextWindow: session.selection.provider.model.contextWindow })
  return steps.flatMap((step) => events.project(step))
}

/** The part that does not depend on the time of joining. */
function lasting(events: readonly Event[]): readonly Event[] {
  const passing = ["message_start", "message_update", "tool_execution_update", "turn_start"]
  return events.filter(({ type }) => !passing.includes(type))
}

/** The text of each message, built from its deltas; a start resets it. */
function streamed(events: readonly Event[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const event of events) {
    if (event.type === "message_start") texts.set(event.message.id, "")
    if (event.type !== "message_update" || event.kind !== "text") continue
    const before = texts.get(event.id)
    assert.ok(before !== undefined, "no piece without a start")
    texts.set(event.id, before + event.delta)
  }
  return texts
}

test("a reader that joins at any step gets all past events and the whole text of the streaming reply", async () => {
  const running = await start(place({ files }), { script, deltaSize: 4 })
  const joined: EventStream[] = []
  const eager: { stream: EventStream; events: Event[] }[] = []
  running.session.subscribe(() => {
    joined.push(opened(running, null))
    const stream = opened(running, null)
    eager.push({ stream, events: [...taken(stream)] })
  })
  await running.session.prompt("what is there?")
  const all = notified(running, true)
  assert.ok(joined.length > 30, `${joined.length} places to join at`)
  const late = joined.map((stream) => taken(stream))
  const early = eager.map(({ stream, events }) => [...events, ...taken(stream)])
  for (const events of [...late, ...early]) {
    assert.deepEqual(lasting(events), lasting(all))
    for (const [id, text] of streamed(events)) {
      const end = events.find((event) => event.type === "message_end" && event.message.id === id)
      assert.ok(end?.type === "message_end")
      const whole = end.message.content.flatMap((block) => (block.type === "text" ? [block.text] : []))
      assert.equal(text, whole.join(""))
    }
  }
  assert.ok(
    early.filter((events) => streamed(events).size > 0).length > 20,
    "pieces reach whoever takes them as they come",
  )
})

test("after any entry, the later events follow with the same names", async () => {
  const running = await start(place({ files }), { script })
  await running.session.prompt("first")
  await running.session.prompt("second")
  const all = notified(running, false)
  const ids = running.entries().map(({ id }) => id)
  for (const id of ids) {
    const behind = all.findLastIndex(({ entry }) => entry === id)
    // An entry without events belongs to the last entry with events.
    const before = ids.slice(0, ids.indexOf(id) + 1).findLast((one) => all.some(({ entry }) => entry === one))
    const from = behind >= 0 ? behind : all.findLastIndex(({ entry }) => entry === before)
    assert.deepEqual(taken(opened(running, id, false)), all.slice(from + 1), id)
  }
  assert.throws(() => opened(running, "nowhere"), /has no entry nowhere/)
})

test("[AGENT-S.35] a slow reader delays nothing, and gets every entry in order and the final text", async () => {
  const text = "word ".repeat(4000)
  const running = await start(place({ files }), { script: [...script.slice(0, 2), { text }, { text }], deltaSize: 4 })
  let wakes = 0
  const events: Event[] = []
  // It consumes events, and stops at some step.
  const wake = (): void => {
    wakes += 1
    if (wakes < 60) events.push(...taken(slow))
  }
  const slow = running.session.events({ after: null, partial: true, wake })
  events.push(...taken(slow))
  await running.session.prompt("go")
  assert.ok(wakes > 5000, `${wakes} steps`)
  const rest = taken(slow)
  events.push(...rest)
  assert.deepEqual(lasting(events), lasting(notified(running, true)))
  assert.ok(rest.filter(({ type }) => type === "message_update").length <= 1000, "no more waits than a bound")
  const end = events.findLast((event) => event.type === "message_end")
  assert.ok(end?.type === "message_end" && end.message.content[0]?.type === "text")
  assert.equal(end.message.content[0].text, text)
  // It has caught up, and lags again in the next run.
  await running.session.prompt("again")
  assert.deepEqual(lasting([...events, ...taken(slow)]), lasting(notified(running, true)))
  slow.close()
  const before = wakes
  await running.session.steer("more")
  assert.equal(wakes, before, "closed")
})

test("a late reader gets open questions, the output of running tools and waiting messages, and nothing that has ended", async () => {
  const joined: (readonly Event[])[] = []
  const join = (running: Running): void => void joined.push(taken(opened(running, running.session.history.leaf)))
  const where = place()
  const running: Running = await start(where, {
    interactive: true,
    policy: {
      level: "ask",
      setLevel: () => undefined,
      decide: async () => ({ verdict: "ask", reason: "writes" }),
      remember: async () => undefined,
    },
    tools: () => [
      tool("slow", async (_, { onProgress }) => {
        onProgress("one\n")
        onProgress("two\n")
        await where.clock.advance(200)
        await running.session.followUp("then that")
        join(running)
        return "done"
      }),
    ],
    script: [{ calls: [{ name: "slow" }] }, { text: "over" }, { text: "that too" }],
  })
  running.session.subscribe((step) => {
    if (!("notification" in step) || step.notification.code !== "permission_request") return
    join(running)
    running.session.reply(step.notification.id, { choice: "once" })
  })
  await running.session.prompt("go")
  join(running)
  const kinds = joined.map((events) => events.map(({ type }) => type).filter((type) => type !== "turn_start"))
  assert.deepEqual(kinds, [["permission_request"], ["tool_execution_update", "queue_update"], []])
  const output = joined[1]?.find((event) => event.type === "tool_execution_update")
  assert.ok(output?.type === "tool_execution_update" && output.delta === "one\ntwo\n")
})

test("an entry is reported when it is durable, and not before", async () => {
  const syncs: (() => void)[] = []
  const where = place({ pool: () => new Promise((resolve) => syncs.push(resolve)) })
  const running = await start(where, { script: [{ text: "well" }], syncMode: "thread-pool" })
  const stream = opened(running, null, false)
  const run = running.session.prompt("go")
  await new Promise((resolve) => setImmediate(resolve))
  const early = taken(stream)
  assert.ok(syncs.length > 0)
  assert.deepEqual(early, [], "nothing of it is durable yet")
  const release = setInterval(() => syncs.splice(0).forEach((sync) => sync()), 1)
  await run
  clearInterval(release)
  assert.equal(taken(stream).filter(({ type }) => type === "agent_start").length, 1)
})
