import assert from "node:assert/strict"
import { test } from "node:test"
import { type Event, foldPartial, type LiveReply, projection, textOf } from "@gong/spec"
import { place, type Running, start } from "../world.ts"

const files = { "/work/a.txt": "alpha\n" }
const readA = { text: "I will look.", calls: [{ name: "read", arguments: { path: "a.txt" } }] }

function eventsOf({ steps }: Running, partial = true): readonly Event[] {
  const events = projection({ partial, contextWindow: 1000 })
  // The first event names the initial model of the session.
  const [first, ...rest] = steps.flatMap((step) => events.project(step))
  assert.equal(first?.type, "model_select")
  return rest
}

/** Neighbours that are the same count once. */
function order(events: readonly Event[]): readonly string[] {
  return events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1])
}

test("[AGENT-S.13] the events of a simple run, in order", async () => {
  const running = await start(place(), { script: [{ text: "hello there" }], deltaSize: 4 })
  await running.session.prompt("hi")
  const events = eventsOf(running)
  assert.deepEqual(order(events), [
    "agent_start",
    "turn_start",
    "message_end",
    "message_start",
    "message_update",
    "message_end",
    "turn_end",
    "agent_end",
  ])
  assert.equal(events.filter(({ type }) => type === "message_update").length, 3)
  const input = running.steps
    .flatMap((step) => ("entries" in step ? step.entries : []))
    .find(({ type }) => type === "input")
  assert.ok(input !== undefined && events.every(({ run }) => run === input.id))
  const ends = events.filter((event) => event.type === "message_end")
  assert.deepEqual(
    ends.map((event) => event.message.role),
    ["user", "assistant"],
  )
})

test("[AGENT-S.14] the events of a tool stand between the reply's end and the turn's end", async () => {
  const running = await start(
    place({ exec: async (_, { onData }) => (onData(Buffer.from("1 passing\n"), "stdout"), { code: 0, signal: null }) }),
    {
      script: [
        { text: "I will test.", calls: [{ name: "bash", arguments: { command: "npm test" } }] },
        { text: "done" },
      ],
    },
  )
  await running.session.prompt("test it")
  assert.deepEqual(order(eventsOf(running)).slice(5), [
    "message_end",
    "tool_execution_start",
    "tool_execution_update",
    "tool_execution_end",
    "turn_end",
    "turn_start",
    "message_start",
    "message_update",
    "message_end",
    "turn_end",
    "agent_end",
  ])
})

test("without partials nothing is repeated, and every event of the tape names its entry", async () => {
  const running = await start(place({ files }), { script: [readA, { text: "alpha" }] })
  await running.session.prompt("read")
  const events = eventsOf(running, false)
  assert.deepEqual(
    events.map(({ type }) => type),
    [
      "agent_start",
      "turn_start",
      "message_end",
      "message_end",
      "tool_execution_start",
      "tool_execution_end",
      "turn_end",
      "turn_start",
      "message_end",
      "turn_end",
      "agent_end",
    ],
  )
  const ids = new Set(running.tape.entriesOfBranch().map(({ id }) => id))
  assert.ok(events.every(({ entry }) => entry !== undefined && ids.has(entry)))
})

test("[AGENT-S.08] [AGENT-S.09] [AGENT-S.10] the partial reply grows in the live view and the entry replaces it; the tape holds no partial", async () => {
  const { session, steps, tape } = await start(place({ files }), { script: [readA, { text: "alpha" }], deltaSize: 3 })
  const seen: string[] = []
  let live: LiveReply | null = null
  session.subscribe((step) => {
    if ("partial" in step) {
      live = foldPartial(live, step.partial)
      const [block] = live?.content ?? []
      if (block !== undefined && "text" in block) seen.push(block.text)
    }
    if ("entries" in step) {
      for (const entry of step.entries) {
        if (entry.type !== "message" || entry.draftId !== live?.draftId) continue
        assert.equal(textOf(entry.message), seen.at(-1))
        live = null
      }
    }
  })
  await session.prompt("read")
  assert.equal(live, null)
  assert.deepEqual(seen.slice(0, 4), ["I w", "I will", "I will lo", "I will look."])
  assert.deepEqual(seen.slice(-2), ["alp", "alpha"])
  assert.ok(steps.filter((step) => "partial" in step).length > 10)
  assert.ok(tape.entriesOfBranch().every(({ type }) => (type as string) !== "draft"))
})

test("[AGENT-S.29] tokens reach the caller as they come, before the reply is over", async () => {
  const where = place()
  const { session, tape } = await start(where, {
    provider: {
      model: {
        provider: "p",
        id: "m",
        api: "scripted",
        baseUrl: "scripted:",
        contextWindow: 1,
        maxOutput: 1,
        reasoning: false,
        images: false,
      },
      async *stream(ask) {
        const model = { provider: "p", id: "m", api: "scripted" } as const
        yield { type: "start", draftId: ask.draftId, model }
        for (const delta of ["one ", "two"]) {
          await where.clock.sleep(1000)
          yield { type: "text", index: 0, delta }
        }
        await where.clock.sleep(1000)
        return {
          ok: true,
          message: {
            role: "assistant",
            content: [{ type: "text", text: "one two" }],
            model,
            stopReason: "stop",
            usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
            cost: null,
          },
        }
      },
    },
  })
  const came: [string, number][] = []
  session.subscribe((step) => {
    if ("partial" in step && step.partial.type === "text") came.push([step.partial.delta, where.clock.now()])
  })
  const began = where.clock.now()
  const run = session.prompt("go")
  await where.clock.advance(2000)
  assert.deepEqual(came, [
    ["one ", began + 1000],
    ["two", began + 2000],
  ])
  assert.equal(
    tape.entriesOfBranch().filter((entry) => entry.type === "message").length,
    1,
    "only the user's message stands on the tape yet",
  )
  await where.clock.advance(1000)
  assert.equal((await run).status, "done")
})

test("[AGENT-F.4] a run goes through idle, awaiting the model, awaiting tools, completed, and by no other way", async () => {
  const running = await start(place({ files }), { script: [readA, readA, { text: "alpha" }] })
  const states: string[] = ["idle"]
  const go = (state: string): void => void (states.at(-1) === state || states.push(state))
  for (const id of ["one", "two"]) {
    if (id === "two") assert.equal((await running.session.prompt("two")).status, "failed")
    else await running.session.prompt("one")
  }
  for (const event of eventsOf(running)) {
    if (event.type === "agent_start" || event.type === "turn_start") go("awaiting_llm")
    if (event.type === "tool_execution_start") go("awaiting_tool")
    if (event.type === "agent_end") go("completed")
  }
  const drawn = [
    "idle>awaiting_llm",
    "awaiting_llm>awaiting_tool",
    "awaiting_tool>awaiting_llm",
    "awaiting_llm>completed",
    "completed>awaiting_llm",
  ]
  const taken = states.slice(1).map((state, index) => `${states[index]}>${state}`)
  assert.deepEqual(
    taken.filter((way) => !drawn.includes(way)),
    [],
  )
  assert.deepEqual([...new Set(taken)].sort(), [...drawn].sort())
})
