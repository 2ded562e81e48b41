import { inEnglish } from "@gong/testing/in-english"
import assert from "node:assert/strict"
import { test } from "node:test"
import type { GateAnswer, Hook, HookContext, Notification } from "@gong/spec"
import { hookRunner } from "@gong/loop"
import { manualClock } from "@gong/testing/sim/clock"

const call = { id: "c", tool: "bash", arguments: { a: 1 } }
const result = { content: [], details: null, isError: false }
const never = new Promise<never>(() => undefined)

function runnerOf(...hooks: readonly Hook[]) {
  const clock = manualClock()
  return { clock, runner: hookRunner(hooks, { clock, sessionId: "s" }) }
}

const textsOf = (notifications: readonly Notification[]) =>
  notifications.map((notification) => ("text" in notification ? notification.text : notification.code))
const gate = (answer: unknown, name = "g"): Hook => ({ name, beforeToolCall: async () => answer as GateAnswer })

test("a watcher continues when the run is stopped, since it also receives the end", async () => {
  const stop = new AbortController()
  const { promise: end, resolve: letEnd } = Promise.withResolvers<void>()
  const seen: boolean[] = []
  const watch = async (_: unknown, { signal }: HookContext): Promise<void> => {
    await end
    seen.push(signal.aborted)
  }
  const { runner } = runnerOf({ name: "w", watch })
  runner.beginRun(stop.signal)
  runner.emit("turn.start", () => ({ turn_index: 0 }))
  stop.abort()
  await new Promise(setImmediate)
  letEnd()
  await runner.settled()
  assert.deepEqual(seen, [false])
})

test("a hook's own time limit applies, to the millisecond, and its signal aborts then", async () => {
  const late: Hook = { name: "slow", timeMs: 70, beforeToolCall: () => never, onToolResult: () => never }
  const { runner, clock } = runnerOf(late)
  let gated: unknown = "open"
  void runner.beforeToolCall(call).then((answer) => (gated = answer), assert.fail)
  await clock.advance(69)
  assert.equal(gated, "open")
  await clock.advance(1)
  assert.deepEqual(inEnglish(gated), { answer: "block", reason: 'the gate "slow" gave no answer in time.' })
  const piped = runner.onToolResult(call, result)
  await clock.advance(70)
  assert.equal(await piped, result)
  assert.deepEqual(textsOf(runner.takeNotifications()), [
    "hook slow, beforeToolCall: no answer after 70 ms; blocked",
    "hook slow, onToolResult: no answer after 70 ms; skipped",
  ])
  assert.deepEqual([runner.takeNotifications(), clock.waiting], [[], 0])
})

test("a signal requested after the answer was abandoned is already aborted", async () => {
  const signals: boolean[] = []
  let kept: HookContext | undefined
  const { runner } = runnerOf({
    name: "g",
    async beforeToolCall(_, context) {
      kept = context
      signals.push(context.signal.aborted)
      return { answer: "ok" }
    },
  })
  await runner.beforeToolCall(call)
  signals.push(kept?.signal.aborted ?? false)
  let unasked: HookContext | undefined
  const other = runnerOf({ name: "g", beforeToolCall: async (_, context) => ((unasked = context), { answer: "ok" }) })
  await other.runner.beforeToolCall(call)
  signals.push(unasked?.signal.aborted ?? false)
  assert.deepEqual(signals, [false, true, true])
})

test("any value that a hook throws is reported, and no timer is left behind", async () => {
  for (const [thrown, text] of [
    ["oops", "oops"],
    [undefined, "undefined"],
    [null, "null"],
  ] as const) {
    const { promise, reject } = Promise.withResolvers<never>()
    const { runner, clock } = runnerOf(
      { name: "bad", onToolResult: () => (reject(thrown), promise) },
      gate({ answer: "ok" }),
    )
    assert.equal(await runner.onToolResult(call, result), result)
    await runner.beforeToolCall(call)
    assert.deepEqual([textsOf(runner.takeNotifications()), clock.waiting], [[`hook bad, onToolResult: ${text}`], 0])
  }
})

test("a hook gets its own copy of the conversation", async () => {
  const { runner } = runnerOf({
    name: "mutator",
    onContext: async (messages) => {
      ;(messages as unknown[]).length = 0
      return undefined
    },
  })
  const messages = [{ role: "user", content: [{ type: "text", text: "hello" }] }] as const
  assert.equal(await runner.onContext(messages), messages)
  assert.equal(messages.length, 1)
})

test("gates: the first block and the first question count; arguments are passed on, and notes keep their order", async () => {
  const answered = async (...answers: readonly unknown[]) => {
    const { runner } = runnerOf(...answers.map((answer) => gate(answer)))
    return runner.beforeToolCall(call)
  }
  const ok = { answer: "ok", arguments: call.arguments, ask: null, notes: [] }
  assert.deepEqual(await answered(), ok)
  assert.deepEqual(await answered({ answer: "ok" }, { answer: "ok" }), ok)
  assert.deepEqual(await answered({ answer: "block", reason: "first" }, { answer: "block", reason: "second" }), {
    answer: "block",
    reason: "first",
  })
  assert.deepEqual(inEnglish(await answered({ answer: "cancel" })), { answer: "block", reason: "cancelled by a hook." })
  assert.deepEqual(await answered({ answer: "cancel", reason: "why" }), { answer: "block", reason: "why" })
  const changed = { b: 2 }
  assert.deepEqual(
    await answered(
      { answer: "ok", note: "one" },
      { answer: "ask", reason: "first", arguments: changed },
      { answer: "ask", reason: "second" },
      { answer: "ok", note: "two" },
    ),
    { answer: "ok", arguments: changed, ask: "first", notes: ["one", "two"] },
  )
})

test("a gate sees the arguments of the previous one; an invalid answer passes and is reported", async () => {
  const seen: unknown[] = []
  const look: Hook = {
    name: "look",
    beforeToolCall: async (asked) => {
      seen.push(asked)
      return { answer: "ok" }
    },
  }
  const { runner } = runnerOf(gate({ answer: "ok", arguments: { b: 2 } }), gate({ answer: "maybe" }), gate(null), look)
  const gated = await runner.beforeToolCall(call)
  assert.equal(gated.answer, "ok")
  assert.deepEqual(seen, [{ ...call, arguments: { b: 2 } }])
  assert.deepEqual(textsOf(runner.takeNotifications()), [
    'hook g, beforeToolCall: unknown answer {"answer":"maybe"}; passed',
    "hook g, beforeToolCall: unknown answer null; passed",
  ])
})

test("a hook's text for the user is a notification; the first stop request counts, until the next run", async () => {
  const { runner } = runnerOf(
    gate({ answer: "ok", tell: "look" }, "a"),
    gate({ answer: "ok", stop: "enough" }, "b"),
    gate({ answer: "ok", stop: "too late" }, "c"),
  )
  assert.equal(runner.stopping(), null)
  await runner.beforeToolCall(call)
  assert.equal(runner.stopping(), "enough")
  assert.deepEqual(textsOf(runner.takeNotifications()), ["hook a: look"])
  runner.beginRun(new AbortController().signal)
  assert.equal(runner.stopping(), null)
})

test("handled input reaches no other hook; changed text keeps its images unless the hook gives others", async () => {
  const seen: string[] = []
  const image = { type: "image", mimeType: "image/png", data: "" } as const
  const onInput = (name: string, answer: object): Hook => ({
    name,
    onInput: async (text) => (seen.push(`${name}: ${text}`), answer as never),
  })
  const input = { text: "go", images: [image] }
  const changing = runnerOf(
    onInput("a", { answer: "transform", text: "one" }),
    onInput("b", { answer: "passthrough" }),
    onInput("c", { answer: "transform", text: "two", images: [] }),
  )
  assert.deepEqual(await changing.runner.onInput(input), { text: "two", images: [] })
  assert.deepEqual(await runnerOf(onInput("d", { answer: "transform", text: "x" })).runner.onInput(input), {
    text: "x",
    images: [image],
  })
  const taken = runnerOf(onInput("e", { answer: "handled", failure: "not here" }), onInput("f", { answer: "handled" }))
  assert.equal(await taken.runner.onInput(input), null)
  assert.equal(taken.runner.stopping(), "not here")
  assert.deepEqual(seen, ["a: go", "b: one", "c: one", "d: go", "e: go"])
  const quiet = runnerOf(onInput("g", { answer: "handled" }))
  await quiet.runner.onInput(input)
  assert.equal(quiet.runner.stopping(), null)
})

test("before a run: prompt and system prompt pass from hook to hook, messages are added with their hook's name, and a stop ends it", async () => {
  const before = (name: string, answer: object): Hook => ({ name, onBeforeAgent: async () => answer })
  const message = (text: string) => ({ role: "user", content: [{ type: "text", text }] }) as const
  const start = { prompt: "p", system: "s", added: [] }
  const { runner } = runnerOf(
    before("a", { prompt: "p2", messages: [message("one")] }),
    before("b", { system: "s2", messages: [message("two")], stop: "enough", tell: "why" }),
    before("c", { prompt: "never" }),
  )
  assert.deepEqual(await runner.onBeforeAgent(start), {
    prompt: "p2",
    system: "s2",
    added: [
      { hook: "a", message: message("one") },
      { hook: "b", message: message("two") },
    ],
  })
  assert.deepEqual([runner.stopping(), textsOf(runner.takeNotifications())], ["enough", ["hook b: why"]])
})

test("each watcher receives each event, but not its own failure", async () => {
  const notified: string[] = []
  const watch = (name: string, fail: boolean): Hook => ({
    name,
    async watch(event) {
      notified.push(`${name} ${event.event}${event.event === "hook.error" ? ` ${event.hook}` : ""}`)
      if (fail && event.event === "turn.start") throw new Error("oops")
    },
  })
  const { runner } = runnerOf(watch("a", true), watch("b", false))
  runner.emit("turn.start", () => ({ turn_index: 1 }))
  await runner.settled()
  assert.deepEqual(notified, ["a turn.start", "b turn.start", "b hook.error a"])
})
