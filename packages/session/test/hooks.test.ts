import assert from "node:assert/strict"
import { test } from "node:test"
import type { Hook, HookEvent, ImageContent } from "@gong/spec"
import { loadPrompt } from "../src/runs/prompt-state.ts"
import { place, start, tool } from "./world.ts"

const readOnce = [{ calls: [{ name: "read", arguments: { path: "a.txt" } }] }, { text: "read" }] as const
const files = { "/work/a.txt": "API_KEY=abc\n" }

/** A hook that records its calls. */
function witness(): { readonly hook: Hook; readonly events: HookEvent[] } {
  const events: HookEvent[] = []
  return { events, hook: { name: "witness", watch: async (event) => void events.push(event) } }
}

function names(events: readonly HookEvent[]): readonly string[] {
  return events.map(({ event }) => event)
}

test("[HOOK-P.4] [HOOK-1.1] [HOOK-1.2] [HOOK-1.3] [HOOK-S.14] [HOOK-S.15] [HOOK-S.16] [HOOK-S.17] [HOOK-S.18] [HOOK-S.19] [HOOK-S.20] [HOOK-S.21] [HOOK-S.22] a run with one tool, as watchers see it", async () => {
  const { hook, events } = witness()
  const { session } = await start(place({ files }), { script: readOnce, hooks: [hook], toolNames: ["read"] })
  await session.prompt("look")
  await session.end()
  assert.deepEqual(names(events), [
    ..."session.start model.select agent.start".split(" "),
    ..."turn.start llm.start llm.stop tool.start tool.stop turn.end".split(" "),
    ..."turn.start llm.start llm.stop turn.end agent.end session.shutdown".split(" "),
  ])
  const fields = (name: HookEvent["event"]) => ({ ...events.find(({ event }) => event === name) })
  const session_id = "s1"
  assert.deepEqual(fields("session.start"), { event: "session.start", session_id })
  assert.deepEqual(fields("session.shutdown"), { event: "session.shutdown", session_id })
  assert.deepEqual(fields("agent.start"), { event: "agent.start", session_id, prompt: "look" })
  const end = { event: "agent.end", session_id, duration_ms: 0, steps: 2, status: "done" }
  assert.deepEqual(fields("agent.end"), end)
  const model = { model: "script", provider: "scripted" }
  assert.deepEqual(fields("model.select"), { event: "model.select", session_id, ...model })
  assert.deepEqual(fields("turn.start"), { event: "turn.start", session_id, turn_index: 0 })
  const { tool_calls, turn_index, duration_ms } = fields("turn.end") as Extract<HookEvent, { event: "turn.end" }>
  assert.deepEqual([turn_index, duration_ms, tool_calls.map((call) => call.tool)], [0, 0, ["read"]])
  assert.deepEqual(fields("llm.start"), { event: "llm.start", session_id, ...model })
  const reply = fields("llm.stop") as Extract<HookEvent, { event: "llm.stop" }>
  assert.deepEqual([reply.model, reply.stop_reason, reply.failure], ["script", "tool_calls", null])
  const ran = fields("tool.stop") as Extract<HookEvent, { event: "tool.stop" }>
  assert.deepEqual([ran.tool, ran.result.status], ["read", "ok"])
  assert.match(JSON.stringify(ran.result.content), /API_KEY=abc/)
})

test("[HOOK-1.2] [HOOK-S.17] [HOOK-S.18] [HOOK-S.19] watchers get the durations of the turns and of the run, in order", async () => {
  const { hook, events } = witness()
  const where = place()
  const slow = tool("slow", async () => (await where.clock.advance(250), "done"))
  const script = [{ calls: [{ name: "slow", arguments: {} }] }, { text: "done" }]
  const { session } = await start(where, { script, hooks: [hook], tools: () => [slow] })
  await session.prompt("go")
  const reported = events.flatMap((event) => {
    if (event.event === "turn.start") return [["start", event.turn_index]]
    if (event.event === "turn.end") return [["end", event.turn_index, event.duration_ms, event.tool_calls.length]]
    return event.event === "agent.end" ? [["agent", event.duration_ms, event.steps]] : []
  })
  assert.deepEqual(reported, [
    ["start", 0],
    ["end", 0, 250, 1],
    ["start", 1],
    ["end", 1, 0, 0],
    ["agent", 250, 2],
  ])
})

test("[HOOK-S.08] the order of callbacks in one run", async () => {
  const order: string[] = []
  const did =
    <T>(what: string, answer: T) =>
    async () => (order.push(what), answer)
  const hook: Hook = {
    name: "all",
    onInput: did("onInput", { answer: "passthrough" } as const),
    onBeforeAgent: did("onBeforeAgent", undefined),
    onContext: did("onContext", undefined),
    beforeToolCall: did("beforeToolCall", { answer: "ok" } as const),
    onToolResult: did("onToolResult", undefined),
    watch: async ({ event }) => void order.push(event),
  }
  const look = tool("look", () => (order.push("tool"), "seen"))
  const script = [{ calls: [{ name: "look", arguments: {} }] }, { text: "ok" }]
  const { session } = await start(place(), { script, hooks: [hook], tools: () => [look] })
  order.length = 0
  await session.prompt("go")
  assert.deepEqual(order, [
    ..."onInput onBeforeAgent agent.start turn.start onContext llm.start llm.stop".split(" "),
    ..."beforeToolCall tool.start tool onToolResult tool.stop turn.end".split(" "),
    ..."turn.start onContext llm.start llm.stop turn.end agent.end".split(" "),
  ])
})

test("[HOOK-3.5] [HOOK-S.26] onInput changes text and images of the agent's input", async () => {
  const image = (data: string): ImageContent => ({ type: "image", mimeType: "image/png", data })
  const hook: Hook = {
    name: "translator",
    onInput: async (text) => ({ answer: "transform", text: text === "你好" ? "hello" : text, images: [image("bmV3")] }),
  }
  const { session, asked } = await start(place(), { script: [{ text: "hi" }], hooks: [hook] })
  await session.prompt("你好", { images: [image("b2xk")] })
  const sent = JSON.stringify(asked[0])
  assert.match(sent, /hello.*bmV3/)
  assert.doesNotMatch(sent, /你好|b2xk/)
})

test("[HOOK-3.6] input that a hook handled: later hooks do not see it, nothing runs", async () => {
  let later = 0
  const { session, asked } = await start(place(), {
    hooks: [
      { name: "taker", onInput: async () => ({ answer: "handled" }) },
      { name: "later", onInput: async () => ((later += 1), { answer: "passthrough" }) },
    ],
  })
  assert.deepEqual(await session.prompt("/mine"), { status: "done", turns: 0 })
  assert.deepEqual([later, asked.length], [0, 0])
})

test("[HOOK-3.7] [HOOK-S.09] onBeforeAgent adds a message, and changes prompt and system text", async () => {
  const extra = { role: "user", content: [{ type: "text", text: "the branch is main" }] } as const
  const systems: string[] = []
  const hook: Hook = {
    name: "context",
    onBeforeAgent: async (prompt, system) => (
      systems.push(system),
      { prompt: `${prompt}!`, system: "Be brief.", messages: [extra] }
    ),
  }
  const { session, asked, tape } = await start(place(), { script: [{ text: "hi" }], hooks: [hook] })
  await session.prompt("go")
  assert.match(JSON.stringify(asked[0]), /the branch is main.*go!/)
  assert.match(systems[0] ?? "", /^tools:/)
  assert.equal((await loadPrompt(tape))?.system, "Be brief.")
})

test("[HOOK-S.24] onToolResult changes content and details separately", async () => {
  const change = (what: object): Hook => ({
    name: "change",
    onToolResult: async (_, result) => ({ ...result, ...what }),
  })
  const run = async (what: object) => {
    const { session, entries } = await start(place({ files }), {
      script: readOnce,
      hooks: [change(what)],
      toolNames: ["read"],
    })
    await session.prompt("go")
    return entries().flatMap((one) => (one.type === "message" && one.message.role === "tool" ? [one.message] : []))[0]
  }
  const plain = await run({})
  const content = [{ type: "text", text: "other" }]
  const otherContent = await run({ content })
  assert.deepEqual([otherContent?.content, otherContent?.details], [content, plain?.details])
  const details = { mine: true }
  const otherDetails = await run({ details })
  assert.deepEqual([otherDetails?.content, otherDetails?.details], [plain?.content, details])
})

test("a hook that refuses the prompt: nothing runs, nothing of it is stored, and the end has the reason", async () => {
  const hook: Hook = { name: "no", onBeforeAgent: async () => ({ stop: "not on a Friday." }) }
  const { session, asked, tape } = await start(place(), { hooks: [hook] })
  const before = tape.entriesOfBranch().length
  const end = await session.prompt("deploy")
  assert.deepEqual(end.failure?.message, "A hook ended the run: not on a Friday.")
  assert.deepEqual([end.status, asked.length, tape.entriesOfBranch().length], ["failed", 0, before])
  // The interruption of one run does not affect the next one.
  assert.equal(session.running, false)
})

test("a hook that hangs at the end of a session holds it for 5 s", async () => {
  const where = place()
  const hook: Hook = { name: "mule", timeMs: 60_000, watch: () => new Promise(() => undefined) }
  const { session } = await start(where, { hooks: [hook] })
  const ended = session.end()
  await where.clock.advance(5_000)
  await ended
})

test("an error of a watcher of the last turn is reported in this run", async () => {
  const watch: Hook["watch"] = ({ event }) => {
    if (event === "turn.end") throw new Error("no end")
    return Promise.resolve()
  }
  const { session } = await start(place(), { script: [{ text: "done" }], hooks: [{ name: "bad", watch }] })
  const texts: string[] = []
  session.subscribe((step) => {
    if ("notification" in step && "text" in step.notification) texts.push(step.notification.text)
  })
  await session.prompt("go")
  assert.match(texts.join("\n"), /hook bad.*no end/)
})
