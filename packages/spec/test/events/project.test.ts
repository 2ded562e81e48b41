import assert from "node:assert/strict"
import { test } from "node:test"
import {
  type AssistantMessage,
  type Entry,
  type EntryBody,
  type Event,
  failure,
  noUsage,
  projection,
  type PublishedStep,
  type ToolCall,
  userText,
} from "../../src/index.ts"

const model = { provider: "acme", id: "m1", api: "scripted" }
const usage = { ...noUsage, input: 10, output: 5 }

const input = (
  text: string,
  kind: "prompt" | "steer" = "prompt",
  source: "user" | "follow_up" | "api" = "user",
): EntryBody => ({ type: "input", kind, text, source })
const user = (text: string, inputId: string): EntryBody => ({ type: "message", message: userText(text), inputId })
const call = (id: string): ToolCall => ({ type: "tool_call", id, name: "read", arguments: { path: id } })
const reply = (text: string, calls: readonly string[] = [], more: Partial<AssistantMessage> = {}): EntryBody => ({
  type: "message",
  draftId: `draft-${text}`,
  message: {
    role: "assistant",
    content: [{ type: "text", text }, ...calls.map(call)],
    model,
    stopReason: calls.length > 0 ? "tool_calls" : "stop",
    usage,
    cost: 0.5,
    ...more,
  },
})
const started = (callId: string): EntryBody => ({ type: "tool_start", callId, name: "read", title: callId })
const result = (toolCallId: string): EntryBody => ({
  type: "message",
  message: {
    role: "tool",
    toolCallId,
    toolName: "read",
    content: [{ type: "text", text: "ok" }],
    details: { n: 1 },
    isError: false,
    status: "ok",
    durationMs: 7,
  },
})
const end: EntryBody = { type: "run_end", status: "done", turns: 1 }

/** Entries get the ids e1, e2, ... in order; every body is a step of its own. */
function project(
  bodies: readonly (EntryBody | Exclude<PublishedStep, { entries: readonly Entry[] }>)[],
  partial = false,
): readonly Event[] {
  const events = projection({ partial, contextWindow: 1000 })
  let count = 0
  return bodies.flatMap((body) => {
    if ("partial" in body || "notification" in body || "inside" in body) return events.project(body)
    count += 1
    const entry = { id: `e${count}`, parentId: null, timestamp: "2026-01-01T00:00:00.000Z", ...body } as Entry
    return events.project({ entries: [entry] })
  })
}

const types = (events: readonly Event[]) => events.map(({ type }) => type)

test("[AGENT-S.14] a turn closes with the result of its last call", () => {
  const events = project([
    input("go"),
    user("go", "e1"),
    reply("a", ["c1", "c2"]),
    started("c1"),
    result("c1"),
    result("c2"),
    reply("b"),
    end,
  ])
  assert.deepEqual(types(events), [
    "agent_start",
    "turn_start",
    "message_end",
    "message_end",
    "tool_execution_start",
    "tool_execution_end",
    "tool_execution_end",
    "turn_end",
    "turn_start",
    "message_end",
    "turn_end",
    "agent_end",
  ])
  const starts = events.filter((event) => event.type === "turn_start").map(({ turn }) => turn)
  assert.deepEqual(starts, [1, 2])
})

test("an event from the tape names its entry and its run, by the id of the input", () => {
  const events = project([input("go"), user("go", "e1"), reply("a"), end])
  assert.deepEqual(
    events.map(({ run, entry }) => [run, entry]),
    [
      ["e1", "e2"],
      ["e1", "e2"],
      ["e1", "e2"],
      ["e1", "e3"],
      ["e1", "e3"],
      ["e1", "e4"],
    ],
  )
})

test("agent_start has the prompt and its source; a steer joins the run, the next prompt begins another", () => {
  const events = project([
    input("go", "prompt", "api"),
    user("go", "e1"),
    reply("a", ["c1"]),
    result("c1"),
    input("left", "steer"),
    user("left", "e5"),
    reply("b"),
    end,
    input("again"),
    user("again", "e9"),
    reply("c"),
    end,
  ])
  const starts = events.filter((event) => event.type === "agent_start")
  assert.deepEqual(
    starts.map(({ run, prompt, source }) => [run, prompt, source]),
    [
      ["e1", "go", "api"],
      ["e9", "again", "user"],
    ],
  )
})

test("after a run that a crash cut off, the next prompt begins its own run", () => {
  const events = project([
    input("go"),
    user("go", "e1"),
    reply("a", ["c1"]),
    started("c1"),
    result("c1"),
    input("again"),
    user("again", "e6"),
    reply("b"),
    end,
  ])
  assert.deepEqual(
    events.filter((event) => event.type === "agent_start").map(({ run }) => run),
    ["e1", "e6"],
  )
  assert.deepEqual(
    events.filter((event) => event.type === "turn_start").map(({ run, turn }) => [run, turn]),
    [
      ["e1", 1],
      ["e6", 1],
    ],
  )
})

test("a started tool shows the arguments that it runs with: the model's or their replacement", () => {
  const changed: EntryBody = {
    type: "tool_start",
    callId: "c2",
    name: "read",
    title: "t",
    arguments: { path: "other" },
  }
  const events = project([input("go"), user("go", "e1"), reply("a", ["c1", "c2"]), started("c1"), changed])
  assert.deepEqual(
    events.filter((event) => event.type === "tool_execution_start").map(({ args }) => args),
    [{ path: "c1" }, { path: "other" }],
  )
})

test("a result is one event with content, details, status and duration", () => {
  const [event] = project([input("go"), user("go", "e1"), reply("a", ["c1"]), result("c1")]).filter(
    ({ type }) => type === "tool_execution_end",
  )
  assert.deepEqual(event, {
    type: "tool_execution_end",
    toolCallId: "c1",
    name: "read",
    status: "ok",
    content: [{ type: "text", text: "ok" }],
    details: { n: 1 },
    durationMs: 7,
    run: "e1",
    entry: "e4",
  })
})

test("turn_end has usage and cost of the turn and the size of the context; unknown stays unknown", () => {
  const [known] = project([input("go"), user("go", "e1"), reply("a")]).filter((event) => event.type === "turn_end")
  assert.deepEqual([known?.usage, known?.cost, known?.contextTokens, known?.contextWindow], [usage, 0.5, 15, 1000])
  const [unknown] = project([input("go"), user("go", "e1"), reply("a", [], { cost: null })]).filter(
    (event) => event.type === "turn_end",
  )
  assert.equal(unknown?.cost, null)
})

test("a failed run reports its failure before its end, without the cause", () => {
  const why = failure("auth", "401: no", { cause: new Error("holds a key"), hint: "gong login" })
  const events = project([input("go"), user("go", "e1"), { type: "run_end", status: "failed", turns: 0, failure: why }])
  assert.deepEqual(types(events).slice(-3), ["turn_end", "failure", "agent_end"])
  const failed = events.find((event) => event.type === "failure")
  assert.deepEqual(failed?.failure, { kind: "auth", message: "401: no", retryable: false, hint: "gong login" })
})

test("partials become events only on request; the final message has the id of its partials", () => {
  const steps = [
    input("go"),
    user("go", "e1"),
    { partial: { type: "start", draftId: "draft-hello", model } },
    { partial: { type: "thinking", index: 0, delta: "hm" } },
    { partial: { type: "text", index: 1, delta: "hello" } },
    { partial: { type: "call", index: 2, id: "c1", name: "read" } },
    { partial: { type: "args", index: 2, delta: "{}" } },
    reply("hello", ["c1"]),
    started("c1"),
    { partial: { type: "progress", callId: "c1", delta: "50 %" } },
    result("c1"),
  ] as const
  assert.ok(!types(project(steps)).some((type) => /message_start|_update/.test(type)))
  const events = project(steps, true)
  const updates = events.filter((event) => event.type === "message_update")
  assert.deepEqual(
    updates.map(({ kind, delta, toolCallId, name }) => [kind, delta, toolCallId, name]),
    [
      ["thinking", "hm", undefined, undefined],
      ["text", "hello", undefined, undefined],
      ["tool_call", "", "c1", "read"],
      ["tool_call", "{}", "c1", "read"],
    ],
  )
  const ended = events.findLast((event) => event.type === "message_end")
  assert.deepEqual([updates.map(({ id }) => id), ended?.message.id], [Array(4).fill("draft-hello"), "draft-hello"])
  assert.ok(types(events).includes("tool_execution_update"))
})

test("notifications become the events of interface part 3", () => {
  const why = failure("overloaded", "529", { cause: "x" })
  const events = project([
    { notification: { code: "waiting", level: "info", text: "waiting" } },
    { notification: { code: "retry_start", attempt: 1, of: 3, delayMs: 1000, failure: why, draftId: "d1" } },
    { notification: { code: "retry_end", attempt: 1, ok: true } },
    { notification: { code: "queue", steer: [{ id: "q1", text: "left" }], followUp: [] } },
    { notification: { code: "failure", failure: why } },
    { notification: { code: "permission_end", id: "p1", choice: "once", by: "user" } },
  ])
  assert.deepEqual(events, [
    { type: "notice", level: "info", code: "waiting", text: "waiting" },
    {
      type: "retry_start",
      attempt: 1,
      of: 3,
      delayMs: 1000,
      failure: { kind: "overloaded", message: "529", retryable: true },
      draftId: "d1",
    },
    { type: "retry_end", attempt: 1, ok: true },
    { type: "queue_update", steer: [{ id: "q1", text: "left" }], followUp: [] },
    { type: "failure", failure: { kind: "overloaded", message: "529", retryable: true } },
    { type: "permission_end", id: "p1", choice: "once", by: "user" },
  ])
})

test("model selection and compaction are events; entries that only the tape needs are not", () => {
  const events = project([
    { type: "model_change", provider: "acme", modelId: "m2" },
    { type: "compaction", summary: "s", firstKeptEntryId: "e1", tokensBefore: 9 },
    { type: "prompt", artifact: "sha256-0" },
    { type: "session_info", name: "x" },
    { type: "label", targetId: "e1", label: null },
    { type: "custom", customType: "x", data: 1 },
  ])
  assert.deepEqual(types(events), ["model_select", "compaction_end"])
})

test("events of a subtask carry its call and run, and do not mix with those of the parent", () => {
  const entry = (id: string, body: EntryBody): Entry =>
    ({ id, parentId: null, timestamp: "2026-01-01T00:00:00.000Z", ...body }) as Entry
  const inside = (callId: string, id: string, body: EntryBody): PublishedStep => ({
    inside: callId,
    step: { entries: [entry(id, body)] },
  })
  const task = [
    inside("c1", "t1", input("look", "prompt", "api")),
    inside("c1", "t2", user("look", "t1")),
    inside("c1", "t3", reply("found")),
    inside("c1", "t4", end),
  ] as readonly Exclude<PublishedStep, { entries: readonly Entry[] }>[]
  const own = [input("go"), user("go", "e1"), reply("a", ["c1"]), started("c1"), ...task, result("c1"), reply("b"), end]
  const events = project(own)
  const inner = events.filter(({ parent }) => parent !== undefined)
  assert.deepEqual(types(inner), ["agent_start", "turn_start", "message_end", "message_end", "turn_end", "agent_end"])
  assert.ok(inner.every(({ parent, run, entry: id }) => parent === "c1" && run === "e1" && id?.startsWith("t")))
  const outer = events.filter(({ parent }) => parent === undefined)
  assert.deepEqual(
    outer,
    project(
      own.filter((step) => !("inside" in step)),
      false,
    ),
  )
})

test("a message without an input, as in imported sessions, names its run itself", () => {
  const events = project([{ type: "message", message: userText("hi") }, reply("a"), end])
  assert.deepEqual(
    events.map(({ run }) => run),
    events.map(() => "e1"),
  )
})

test("partials of a reply whose start is unknown are skipped", () => {
  const pieces = (from: number): readonly Event[] =>
    project(
      [
        { partial: { type: "start", draftId: "d1", model } },
        { partial: { type: "text", index: 0, delta: "lo" } },
        { partial: { type: "thinking", index: 0, delta: "lo" } },
        { partial: { type: "call", index: 1, id: "c1", name: "read" } },
        { partial: { type: "args", index: 1, delta: "{}" } },
      ].slice(from) as never,
      true,
    )
  assert.deepEqual(types(pieces(0)), ["message_start", ...Array(4).fill("message_update")])
  assert.deepEqual(pieces(1), [])
})

test("entries that only the tape needs are no events, whatever their type", () => {
  const kinds: readonly EntryBody["type"][] = [
    "input_drop",
    "change",
    "prompt",
    "model_call",
    "thinking_level_change",
    "branch_summary",
    "custom",
    "custom_message",
    "label",
    "session_info",
    "anchor",
  ]
  for (const type of kinds) assert.deepEqual(project([{ type } as EntryBody]), [], type)
})

test("the end of a reply has its price in yuan and its times if they are known", () => {
  const ended = (more: Partial<AssistantMessage>) =>
    project([input("go"), user("go", "e1"), reply("a", [], more)]).findLast(({ type }) => type === "message_end")
  const plain = {
    type: "message_end",
    message: {
      id: "draft-a",
      role: "assistant",
      content: [{ type: "text", text: "a" }],
      model: "acme/m1",
      stopReason: "stop",
    },
    usage,
    cost: 0.5,
    run: "e1",
    entry: "e3",
  }
  assert.deepEqual(ended({}), plain)
  for (const more of [{ costCny: 0 }, { durationMs: 0 }, { firstTokenMs: 0 }])
    assert.deepEqual(ended(more), { ...plain, ...more })
})

test("a result without a duration took 0 ms; the files that it changed are named", () => {
  const bare = { ...result("c1") } as Extract<EntryBody, { type: "message" }>
  const { durationMs: _, ...message } = bare.message as Extract<typeof bare.message, { role: "tool" }>
  const files = [{ path: "/a", change: "created", added: 1, removed: 0 }] as const
  const [without, with_] = project([
    { type: "message", message },
    { type: "message", message: { ...message, files } },
  ]).map((event) => (event.type === "tool_execution_end" ? [event.durationMs, event.files] : null))
  assert.deepEqual(
    [without, with_],
    [
      [0, undefined],
      [0, files],
    ],
  )
})

test("the size of the context after a compaction or a prune is in the end of the turn, if it is known", () => {
  const compacted = { type: "compaction", summary: "s", firstKeptEntryId: "e1", tokensBefore: 9 } as const
  const pruned = { type: "prune", upTo: null, chars: 1, tokensBefore: 9, tokensAfter: 3 } as const
  const events = (between: EntryBody) =>
    project([input("go"), user("go", "e1"), reply("a", ["c1"]), between, result("c1")])
  for (const [between, tokens] of [
    [compacted, 15],
    [{ ...compacted, tokensAfter: 7 }, 7],
    [pruned, 3],
  ] as const) {
    const end = events(between).findLast((event) => event.type === "turn_end")
    assert.equal(end?.contextTokens, tokens)
  }
  const of = (body: EntryBody) => project([body])[0]
  const event = { type: "compaction_end", status: "done", tokensBefore: 9, summary: "s", entry: "e1" }
  assert.deepEqual(of(compacted), event)
  assert.deepEqual(of({ ...compacted, tokensAfter: 0 }), { ...event, tokensAfter: 0 })
})

test("calls that a crash left open do not hold the first turn of the next run open", () => {
  const events = project([
    input("go"),
    user("go", "e1"),
    reply("a", ["c1"]),
    input("again"),
    user("again", "e4"),
    reply("b"),
    end,
  ])
  assert.deepEqual(types(events).slice(-3), ["message_end", "turn_end", "agent_end"])
  const turns = events.flatMap((event) => (event.type === "turn_start" ? [[event.run, event.turn]] : []))
  assert.deepEqual(turns, [
    ["e1", 1],
    ["e4", 1],
  ])
})

test("a discarded reply is no event; arguments of an unknown call name none", () => {
  const events = project(
    [
      { partial: { type: "start", draftId: "d1", model } },
      { partial: { type: "args", index: 0, delta: "{}" } },
      { partial: { type: "discard", draftId: "d1" } },
      { partial: { type: "progress", callId: "c1", delta: "x" } },
    ],
    true,
  )
  assert.deepEqual(events.slice(1), [
    { type: "message_update", id: "d1", kind: "tool_call", index: 0, delta: "{}" },
    { type: "tool_execution_update", toolCallId: "c1", delta: "x" },
  ])
})

test("a call that ended begins anew with a subtask of the same id", () => {
  const inside = (partial: Extract<PublishedStep, { partial: unknown }>["partial"]) => ({
    inside: "c1",
    step: { partial },
  })
  const text = { type: "text", index: 0, delta: "x" } as const
  const events = project(
    [inside({ type: "start", draftId: "d1", model }), inside(text), result("c1"), inside(text)],
    true,
  )
  assert.deepEqual(types(events), ["message_start", "message_update", "tool_execution_end"])
})
