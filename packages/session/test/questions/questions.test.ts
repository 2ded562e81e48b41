import assert from "node:assert/strict"
import { getEventListeners } from "node:events"
import { test } from "node:test"
import type {
  Decision,
  LeveledPolicy,
  PermissionChoice,
  PermissionRequestNotification,
  PublishedStep,
} from "@gong/spec"
import { manualClock } from "@gong/testing/sim/clock"
import { createQuestions } from "../../src/questions/questions.ts"
import type { Session } from "../../src/session.ts"
import { place, type Running, start } from "../world.ts"

const call = { calls: [{ name: "bash", arguments: { command: "make" } }] }

/** A policy that asks about everything except at level `full`, and records the answers. */
function asking(more: Partial<Extract<Decision, { verdict: "ask" }>> = {}) {
  const remembered: string[] = []
  let level: LeveledPolicy["level"] = "ask"
  const policy: LeveledPolicy = {
    get level() {
      return level
    },
    setLevel: (next) => void (level = next),
    async decide() {
      if (level === "plan") return { verdict: "deny", reason: "plan", toModel: "Refused." }
      return level === "full" ? { verdict: "allow" } : { verdict: "ask", reason: "level ask", ...more }
    },
    remember: async (_, choice, wider) => void remembered.push(wider === true ? `${choice} wider` : choice),
  }
  return { policy, remembered }
}

function whenAsked(session: Session, act: (request: PermissionRequestNotification) => void): void {
  session.subscribe((step: PublishedStep) => {
    if ("notification" in step && step.notification.code === "permission_request") act(step.notification)
  })
}

function ends(steps: readonly PublishedStep[]): readonly string[] {
  return steps.flatMap((step) =>
    "notification" in step && step.notification.code === "permission_end"
      ? [`${step.notification.choice} by ${step.notification.by}`]
      : [],
  )
}

function outcome({ tape }: Running): string {
  const result = tape
    .entriesOfBranch()
    .flatMap((entry) => (entry.type === "message" && entry.message.role === "tool" ? [entry.message] : []))[0]
  const [block] = result?.content ?? []
  return `${result?.status}: ${block?.type === "text" ? block.text : ""}`
}

test("a question is answered through the session API, also by a subscriber while it is published", async () => {
  for (const choice of ["once", "session"] as const satisfies readonly PermissionChoice[]) {
    const { policy, remembered } = asking()
    const running = await start(place(), { script: [call, { text: "ok" }], policy, interactive: true })
    const { session } = running
    const seen: unknown[] = []
    whenAsked(session, (request) => {
      seen.push([request.id, request.choices, request.expiresAt, session.questions.map(({ id }) => id)])
      assert.equal(session.reply(request.id, { choice }), "taken")
    })
    assert.equal((await session.prompt("go")).status, "done")
    const [[id, choices, expiresAt, open] = []] = seen as [string, unknown, unknown, unknown][]
    assert.deepEqual([choices, expiresAt, open], [["once", "session", "no"], undefined, [id]])
    assert.deepEqual([remembered, ends(running.steps)], [[choice], [`${choice} by user`]])
    assert.deepEqual(session.questions, [])
    assert.equal(session.reply(id ?? "", { choice }), "unknown")
  }
})

test("always is offered, and taken, only where there is a rule to keep", async () => {
  for (const rule of ["bash(make)", undefined]) {
    const { policy, remembered } = asking(rule === undefined ? {} : { rules: { suggestedRule: rule, rulesFile: "/f" } })
    const { session } = await start(place(), { script: [call, { text: "ok" }], policy, interactive: true })
    whenAsked(session, ({ id, choices }) => {
      assert.equal(choices.includes("always"), rule !== undefined)
      assert.equal(session.reply(id, { choice: "always" }), rule === undefined ? "not-offered" : "taken")
      session.reply(id, { choice: "no" })
    })
    await session.prompt("go")
    assert.deepEqual(remembered, rule === undefined ? [] : ["always"])
  }
})

test("the wider rule is offered beside the narrow one, for this session and for always", async () => {
  const rules = { widerRule: "bash(make *)", rulesFile: "/f" }
  for (const [given, answer, outcome] of [
    [rules, { choice: "always", wider: true }, "taken"],
    [rules, { choice: "session", wider: true }, "taken"],
    [rules, { choice: "always" }, "not-offered"],
    [rules, { choice: "once", wider: true }, "not-offered"],
    [{ suggestedRule: "bash(make)", rulesFile: "/f" }, { choice: "always", wider: true }, "not-offered"],
  ] as const) {
    const { policy, remembered } = asking({ rules: given })
    const { session } = await start(place(), { script: [call, { text: "ok" }], policy, interactive: true })
    whenAsked(session, (request) => {
      assert.deepEqual([request.widerRule, request.rulesFile], [(given as typeof rules).widerRule, "/f"])
      assert.equal(session.reply(request.id, answer), outcome)
      session.reply(request.id, { choice: "no" })
    })
    await session.prompt("go")
    assert.deepEqual(remembered, outcome === "taken" ? [`${answer.choice} wider`] : [])
  }
})

test("a question carries that a yes would leave the sandbox", async () => {
  const { policy } = asking({ unsandboxed: true })
  const { session } = await start(place(), { script: [call, { text: "ok" }], policy, interactive: true })
  const printed: unknown[] = []
  whenAsked(session, ({ id, unsandboxed }) => {
    printed.push(unsandboxed)
    session.reply(id, { choice: "no" })
  })
  await session.prompt("go")
  assert.deepEqual(printed, [true])
})

test("a refusal reaches the model with the person's text", async () => {
  const running = await start(place(), { script: [call, { text: "ok" }], policy: asking().policy, interactive: true })
  whenAsked(running.session, ({ id }) => running.session.reply(id, { choice: "no", message: "use npm" }))
  await running.session.prompt("go")
  assert.match(outcome(running), /^refused: Refused: the user said no to "make"\. .* The user said: use npm$/)
})

test("a question may wait a day, and closes when the run is stopped: nothing ran, and nothing counts as refused", async () => {
  const where = place()
  const running = await start(where, { script: [call, { text: "never" }], policy: asking().policy, interactive: true })
  const { session, steps } = running
  const run = session.prompt("go")
  await where.clock.advance(86_400_000)
  assert.equal(session.questions.length, 1)
  session.abort()
  assert.equal((await run).status, "interrupted")
  assert.match(outcome(running), /^aborted: Not run/)
  assert.deepEqual(ends(steps), ["no by user"])
  assert.deepEqual(session.questions, [])
})

test("with a time limit, a question shows its deadline, and counts as refused after it", async () => {
  const where = place()
  const options = { policy: asking().policy, interactive: true, answerTime: 60_000 }
  const running = await start(where, { script: [call, { text: "ok" }], ...options })
  const at: (string | undefined)[] = []
  whenAsked(running.session, ({ expiresAt }) => at.push(expiresAt))
  const begun = where.clock.now()
  const run = running.session.prompt("go")
  await where.clock.advance(59_000)
  assert.equal(running.session.questions[0]?.expiresAt, at[0])
  await where.clock.advance(2_000)
  assert.equal((await run).status, "done")
  assert.deepEqual(at, [new Date(begun + 60_000).toISOString()])
  assert.deepEqual(ends(running.steps), ["no by timeout"])
  assert.match(outcome(running), /^refused: .*the question was not answered in time/)
})

test("a change of the level decides the questions that are open", async () => {
  for (const [level, ended, result] of [
    ["full", ["once by mode"], /^(?:ok|error): /],
    ["plan", ["no by mode"], /^refused: .*level/],
  ] as const) {
    const { policy } = asking()
    const running = await start(place(), { script: [call, { text: "ok" }], policy, interactive: true })
    whenAsked(running.session, () => void running.session.setPermission(level))
    await running.session.prompt("go")
    assert.deepEqual(ends(running.steps), ended)
    assert.match(outcome(running), result)
  }
})

test("a change of the level is reported once to all subscribers, an equal level is not", async () => {
  const { policy } = asking()
  const { session } = await start(place(), { script: [], policy, interactive: true })
  const seen = [0, 1].map(() => {
    const levels: string[] = []
    session.subscribe((step) => {
      if ("notification" in step && step.notification.code === "permission_level") levels.push(step.notification.level)
    })
    return levels
  })
  for (const level of ["plan", "plan", "auto"] as const) await session.setPermission(level)
  assert.deepEqual(seen, [
    ["plan", "auto"],
    ["plan", "auto"],
  ])
})

test("permission for programs is asked where the policy does not decide, and remembered", async () => {
  const wish = { tool: "network", arguments: { host: "a.example.com", port: 443 }, title: "a.example.com" }
  const { policy, remembered } = asking({ rules: { suggestedRule: "network(a.example.com)", rulesFile: "/f" } })
  const running = await start(place(), { script: [], policy, interactive: true })
  const { session } = running
  const { signal } = new AbortController()
  for (const choice of ["once", "session", "always", "no"] as const) {
    const stop = session.subscribe((step) => {
      if (!("notification" in step) || step.notification.code !== "permission_request") return
      assert.deepEqual([step.notification.title, step.notification.toolCallId], ["a.example.com", undefined])
      assert.equal(session.reply(step.notification.id, { choice }), "taken")
    })
    assert.equal(await session.permit?.(wish, signal), choice !== "no")
    stop()
  }
  assert.deepEqual(remembered, ["once", "session", "always"])
  const stopping = new AbortController()
  const open = session.permit?.(wish, stopping.signal)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(session.questions.length, 1)
  stopping.abort()
  assert.deepEqual([await open, session.questions], [false, []])
  const alone = await start(place(), { script: [], policy })
  assert.equal(alone.session.permit, null)
})

const request = {
  id: "p-1",
  toolCallId: "1",
  tool: "bash",
  args: {},
  title: "make",
  reason: "r",
  choices: ["once", "no"],
} as const

test("a closed question leaves no listener and no timer; a question with an aborted signal is a no at once", async () => {
  const clock = manualClock()
  const questions = createQuestions({ clock, answerTime: () => 1_000 })
  const { signal } = new AbortController()
  const { answer, expiresAt } = questions.ask(request, signal)
  assert.equal(expiresAt, new Date(clock.now() + 1_000).toISOString())
  assert.equal(getEventListeners(signal, "abort").length, 1)
  assert.equal(questions.reply("p-1", { choice: "always" }), "not-offered")
  assert.equal(questions.reply("p-1", { choice: "once" }), "taken")
  assert.deepEqual(await answer, { choice: "once", by: "user" })
  assert.deepEqual([getEventListeners(signal, "abort").length, clock.waiting, questions.open], [0, 0, []])
  assert.equal(questions.reply("p-1", { choice: "once" }), "unknown")
  const late = questions.ask(request, AbortSignal.abort())
  assert.deepEqual([await late.answer, clock.waiting, questions.open], [{ choice: "no", by: "user" }, 0, []])
})
