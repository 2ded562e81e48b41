import { inEnglish } from "@gong/testing/in-english"
import assert from "node:assert/strict"
import { test } from "node:test"
import { type Hook, type HookEvent, type HookEventName, type Notification, textOf } from "@gong/spec"
import { hookRunner } from "@gong/loop"
import { manualClock } from "@gong/testing/sim/clock"
import { allowAll, texts, tool, world, type World } from "../harness.ts"

const never = new Promise<never>(() => undefined)

function notificationsOf(w: World): readonly string[] {
  return w.steps.flatMap((step) =>
    "notification" in step && "text" in step.notification ? [step.notification.text] : [],
  )
}

function codes(notifications: readonly Notification[]): readonly string[] {
  return notifications.map((notification) => notification.code)
}

test("[HOOK-2.1] [HOOK-5.2] a gate given at the start is called, and with its ok the tool runs", async () => {
  const seen: unknown[] = []
  const hook: Hook = { name: "a", beforeToolCall: async (call) => (seen.push(call), { answer: "ok" }) }
  const w = world(
    [{ calls: [{ id: "1", name: "bash", args: { path: "x" } }] }, { text: "done" }],
    [tool("bash", () => "ran")],
    {
      hooksGiven: [hook],
    },
  )
  await w.go()
  assert.deepEqual(texts(w.results()), ["ran"])
  assert.deepEqual(seen, [{ id: "1", tool: "bash", arguments: { path: "x" } }])
})

test("[HOOK-S.27] a hook that blocks the first of two calls skips only that one; both have a result", async () => {
  const hook: Hook = {
    name: "a",
    beforeToolCall: async ({ id }) => (id === "1" ? { answer: "block", reason: "not this one." } : { answer: "ok" }),
  }
  const calls = [
    { id: "1", name: "bash" },
    { id: "2", name: "bash" },
  ]
  const w = world([{ calls }, { text: "done" }], [tool("bash", () => "ran")], { hooksGiven: [hook] })
  await w.go()
  assert.deepEqual(texts(w.results()), ["Refused: not this one. Nothing was run.", "ran"])
})

test("[HOOK-4.1] [HOOK-4.2] [HOOK-S.23] a pipe that throws is reported with its stack, and the next one runs", async () => {
  const events: HookEvent[] = []
  const hooks: readonly Hook[] = [
    { name: "a", onToolResult: async () => Promise.reject(new Error("oops")) },
    { name: "b", onToolResult: async (_, value) => ({ ...value, content: [{ type: "text", text: "by b" }] }) },
    { name: "c", watch: async (event) => void events.push(event) },
  ]
  const w = world([{ calls: [{ id: "1", name: "bash" }] }, { text: "done" }], [tool("bash", () => "ran")], {
    hooksGiven: hooks,
  })
  await w.go()
  assert.deepEqual(texts(w.results()), ["by b"])
  assert.deepEqual(notificationsOf(w), ["hook a, onToolResult: oops"])
  const errors = events.filter((event) => event.event === "hook.error")
  assert.deepEqual(
    errors.map(({ hook, callback, error }) => [hook, callback, error]),
    [["a", "onToolResult", "oops"]],
  )
  assert.match(errors[0]?.stacktrace ?? "", /Error: oops\n\s+at .*hooks\.test\.ts/)
})

test("[HOOK-4.3] [HOOK-S.12] a pipe that takes 10 s, or waits for the run itself, is skipped after 5 s and the run continues", async () => {
  let ended: Promise<unknown> = never
  const hooks: readonly Hook[] = [
    { name: "slow", onToolResult: async (_, value) => (await w.clock.sleep(10_000), { ...value, content: [] }) },
    { name: "waits for idle", onToolResult: async (_, value) => (await ended, value) },
  ]
  const w = world([{ calls: [{ id: "1", name: "bash" }] }, { text: "done" }], [tool("bash", () => "ran")], {
    hooksGiven: hooks,
  })
  const run = w.go()
  ended = run
  for (let left = 0; left < 2; left++) await w.clock.advance(5_000)
  assert.equal((await run).status, "done")
  assert.deepEqual(texts(w.results()), ["ran"])
  assert.deepEqual(notificationsOf(w), [
    "hook slow, onToolResult: no answer after 5000 ms; skipped",
    "hook waits for idle, onToolResult: no answer after 5000 ms; skipped",
  ])
})

test("[HOOK-S.28] the time limit of a gate excludes the user's time for its question; without a user the call is refused", async () => {
  const hook: Hook = {
    name: "careful",
    beforeToolCall: async () => ({ answer: "ask", reason: "a hook wants to know" }),
  }
  const asking = (interactive: boolean): World => {
    const w = world([{ calls: [{ id: "1", name: "bash" }] }, { text: "done" }], [tool("bash", () => "ran")], {
      hooksGiven: [hook],
      policy: allowAll,
      confirm: interactive
        ? () => ({ answer: w.clock.sleep(3_600_000).then(() => ({ choice: "once" as const, by: "user" as const })) })
        : null,
    })
    return w
  }
  const there = asking(true)
  const run = there.go()
  await there.clock.advance(3_600_000)
  await run
  assert.deepEqual(texts(there.results()), ["ran"])
  const nobody = asking(false)
  await nobody.go()
  assert.deepEqual(texts(nobody.results()), [
    "Refused: a hook wants to know; no user is present to allow it. Nothing was run.",
  ])
})

test("no hook loosens policy: it does not see a denied call, and cannot skip a question", async () => {
  let shown = 0
  const hook: Hook = { name: "yes", beforeToolCall: async () => ((shown += 1), { answer: "ok" }) }
  const verdict = (verdict: "deny" | "ask") =>
    world([{ calls: [{ id: "1", name: "bash" }] }, { text: "done" }], [tool("bash", () => "ran")], {
      hooksGiven: [hook],
      policy: {
        decide: async () =>
          verdict === "ask" ? { verdict, reason: "why" } : { verdict, reason: "why", toModel: "no" },
        remember: async () => undefined,
      },
    })
  const denied = verdict("deny")
  await denied.go()
  assert.deepEqual([texts(denied.results()), shown], [["no"], 0])
  const asked = verdict("ask")
  await asked.go()
  assert.deepEqual([asked.results()[0]?.status, shown], ["refused", 1])
})

test("a gate's note for the model follows the result; its text for the user is a notification", async () => {
  const hook: Hook = { name: "a", beforeToolCall: async () => ({ answer: "ok", note: "mind the gap", tell: "seen" }) }
  const w = world([{ calls: [{ id: "1", name: "bash" }] }, { text: "done" }], [tool("bash", () => "ran")], {
    hooksGiven: [hook],
  })
  await w.go()
  assert.deepEqual(
    w.results()[0]?.content.map((block) => (block.type === "text" ? block.text : "")),
    ["ran", "mind the gap"],
  )
  assert.deepEqual(notificationsOf(w), ["hook a: seen"])
})

test("a stop request of a hook skips the remaining calls with a result, and ends the run with its reason", async () => {
  const hook: Hook = { name: "a", onToolResult: async (_, value) => ({ ...value, stop: "enough." }) }
  const calls = [
    { id: "1", name: "bash" },
    { id: "2", name: "bash" },
  ]
  const w = world([{ calls }, { text: "never" }], [tool("bash", () => "ran")], { hooksGiven: [hook] })
  const end = await w.go()
  assert.deepEqual(
    [end.status, end.failure?.kind, end.failure?.message],
    ["failed", "denied", "A hook ended the run: enough."],
  )
  assert.deepEqual(
    w.results().map(({ status }) => status),
    ["ok", "skipped"],
  )
})

test("input that arrives during the stop gates is answered by the same run", async () => {
  let asked = 0
  const hook: Hook = {
    name: "slow",
    async beforeStop() {
      asked += 1
      if (asked === 1) w.put("steer", "one more thing")
      return { answer: "ok" }
    },
  }
  const w: World = world([{ text: "done" }, { text: "that too" }], [], { hooksGiven: [hook] })
  const end = await w.go()
  assert.deepEqual([end.status, end.turns, asked], ["done", 2, 2])
  assert.equal(textOf(w.asked[1]?.at(-1) ?? { content: [] }), "one more thing")
})

test("input that arrives while a hook ends the run does not hide the reason", async () => {
  const hook: Hook = {
    name: "strict",
    async beforeStop() {
      w.put("follow_up", "and then")
      return { answer: "ok", stop: "enough for today" }
    },
  }
  const w: World = world([{ text: "done" }], [], { hooksGiven: [hook] })
  const end = await w.go()
  assert.deepEqual([end.status, end.failure?.kind], ["failed", "denied"])
  assert.match(end.failure?.message ?? "", /enough for today/)
})

test("a follow-up that arrives while a hook blocks the end waits until the hook's message is answered", async () => {
  let asked = 0
  const hook: Hook = {
    name: "tests",
    async beforeStop() {
      asked += 1
      if (asked > 1) return { answer: "ok" }
      w.put("follow_up", "and then")
      return { answer: "block", reason: "run the tests" }
    },
  }
  const w: World = world([{ text: "one" }, { text: "two" }, { text: "three" }], [], { hooksGiven: [hook] })
  assert.equal((await w.go()).turns, 3)
  const last = w.asked.map((messages) => textOf(messages.at(-1) ?? { content: [] }))
  assert.deepEqual(last, ["go", "run the tests", "and then"])
})

test("a hook that blocks the end and also stops the run, or whose run is aborted, does not continue it", async () => {
  for (const stop of ["enough", undefined]) {
    const hook: Hook = {
      name: "both",
      async beforeStop() {
        if (stop === undefined) w.abort.abort()
        return { answer: "block", reason: "go on", ...(stop && { stop }) }
      },
    }
    const w: World = world([{ text: "one" }], [], { hooksGiven: [hook] })
    assert.equal((await w.go()).status, "done")
    assert.equal(w.asked.length, 1)
    assert.equal(w.entries.filter(({ type }) => type === "custom_message").length, 0)
  }
})

test("beforeStop continues the run with its reason, a limited number of times", async () => {
  const again: boolean[] = []
  const once: Hook = {
    name: "tests",
    beforeStop: async (stop) => (
      again.push(stop.again),
      stop.again ? { answer: "ok" } : { answer: "block", reason: "run the tests" }
    ),
  }
  const w = world([{ text: "done" }, { text: "really done" }], [], { hooksGiven: [once] })
  assert.equal((await w.go()).status, "done")
  assert.deepEqual(again, [false, true])
  assert.match(JSON.stringify(w.asked[1]), /run the tests/)

  const always: Hook = { name: "mule", beforeStop: async () => ({ answer: "block", reason: "no" }) }
  const held = world([], [], { hooksGiven: [always] })
  assert.equal((await held.go()).status, "done")
  assert.equal(held.asked.length, 9)
  assert.match(notificationsOf(held)[0] ?? "", /8 times/)
})

test("[HOOK-S.02] [HOOK-S.05] callbacks are optional; cancel refuses the operation", async () => {
  const seen: unknown[] = []
  const runner = hookRunner(
    [
      { name: "nothing" },
      { name: "a", beforeSessionOp: async (op, meta) => (seen.push(op, meta), { answer: "cancel" }) },
      { name: "b", beforeSessionOp: async () => (seen.push("b"), { answer: "ok" }) },
    ],
    { clock: manualClock(), sessionId: "s" },
  )
  assert.deepEqual(inEnglish(await runner.beforeSessionOp("compact", { trigger: "auto" })), {
    answer: "block",
    reason: "cancelled by a hook.",
  })
  assert.deepEqual(seen, ["compact", { trigger: "auto" }])
  assert.deepEqual(await runner.onInput({ text: "x", images: [] }), { text: "x", images: [] })
  assert.deepEqual(await runner.beforeToolCall({ id: "1", tool: "bash", arguments: {} }), {
    answer: "ok",
    arguments: {},
    ask: null,
    notes: [],
  })
})

test("[HOOK-P.3] [HOOK-S.10] onInput: passthrough keeps the text, and each transform gets the previous output", async () => {
  const seen: string[] = []
  const runner = hookRunner(
    [
      { name: "a", onInput: async (text) => (seen.push(text), { answer: "passthrough" }) },
      { name: "b", onInput: async (text) => (seen.push(text), { answer: "transform", text: `${text}1` }) },
      { name: "c", onInput: async (text) => (seen.push(text), { answer: "transform", text: `${text}2` }) },
    ],
    { clock: manualClock(), sessionId: "s" },
  )
  assert.deepEqual(await runner.onInput({ text: "x", images: [] }), { text: "x12", images: [] })
  assert.deepEqual(seen, ["x", "x", "x1"])
})

test("a stopped run abandons its hooks at once: pipes keep their value, gates block, and the hook's signal aborts", async () => {
  const stop = new AbortController()
  let notified = 0
  const hang = async (context: { signal: AbortSignal }) => {
    context.signal.addEventListener("abort", () => (notified += 1))
    return never
  }
  const runner = hookRunner(
    [
      {
        name: "a",
        beforeToolCall: (_, context) => hang(context),
        onToolResult: (_call, _result, context) => hang(context),
      },
    ],
    { clock: manualClock(), sessionId: "s" },
  )
  runner.beginRun(stop.signal)
  const call = { id: "1", tool: "bash", arguments: {} }
  const gated = runner.beforeToolCall(call)
  stop.abort()
  assert.deepEqual(inEnglish(await gated), { answer: "block", reason: "the run was stopped." })
  const result = { content: [], details: null, isError: false }
  assert.equal(await runner.onToolResult(call, result), result)
  assert.equal(notified, 2)
  assert.deepEqual(runner.takeNotifications(), [])
})

test("[HOOK-S.25] a watcher that fails, hangs or falls behind is reported and delays nothing", async () => {
  const clock = manualClock()
  const runner = hookRunner([{ name: "w", watch: () => never }], { clock, sessionId: "s" })
  for (let turn = 0; turn < 101; turn++) runner.emit("turn.start", () => ({ turn_index: turn }))
  assert.deepEqual(codes(runner.takeNotifications()), ["hook-error"])
  await Promise.all([clock.advance(5_000), runner.settled()])
  assert.equal(runner.takeNotifications().length, 100)
  const failing = hookRunner([{ name: "f", watch: async () => Promise.reject(new Error("oops")) }], {
    clock,
    sessionId: "s",
  })
  failing.emit("turn.start", () => ({ turn_index: 0 }))
  await failing.settled()
  assert.deepEqual(
    failing.takeNotifications().map((notification) => "text" in notification && notification.text),
    ["hook f, watch: oops"],
  )
})

test("two watchers that always fail do not report to each other endlessly", async () => {
  const clock = manualClock()
  const notified: string[] = []
  const failing = (name: string): Hook => ({
    name,
    async watch({ event }) {
      notified.push(`${name}: ${event}`)
      assert.ok(notified.length < 100, "without end")
      throw new Error("oops")
    },
  })
  const runner = hookRunner([failing("a"), failing("b")], { clock, sessionId: "s" })
  runner.emit("turn.start", () => ({ turn_index: 0 }))
  await runner.settled()
  assert.deepEqual(notified, ["a: turn.start", "b: turn.start", "b: hook.error", "a: hook.error"])
  assert.equal(runner.takeNotifications().length, 4)
})

test("events are created only for subscribers", () => {
  const made: HookEventName[] = []
  const notified: HookEvent[] = []
  const runner = hookRunner([], {
    clock: manualClock(),
    sessionId: "s",
    telemetry: { wants: (name) => name === "turn.end", receive: (event) => void notified.push(event) },
  })
  runner.emit("turn.start", () => (made.push("turn.start"), { turn_index: 0 }))
  runner.emit("turn.end", () => (made.push("turn.end"), { turn_index: 0, duration_ms: 1, tool_calls: [] }))
  assert.deepEqual(made, ["turn.end"])
  assert.deepEqual(notified, [{ event: "turn.end", session_id: "s", turn_index: 0, duration_ms: 1, tool_calls: [] }])
})
