import assert from "node:assert/strict"
import { test } from "node:test"
import {
  failure,
  type FailureKind,
  foldPartial,
  type LiveReply,
  type Notification,
  type PublishedStep,
  textOf,
} from "@gong/spec"
import type { ScriptedStep, ScriptedTurn } from "@gong/llm/scripted"
import { settle } from "@gong/testing/sim/clock"
import { nextTry } from "../../src/runs/retry.ts"
import { gate, place, type Place, type Running, start, type StartOptions, tool } from "../world.ts"

const fails = (kind: FailureKind, more: Parameters<typeof failure>[2] = {}): ScriptedTurn => ({
  failure: failure(kind, `${kind} happened`, more),
})
const slowDown = fails("rate-limit", { status: 429 })

interface Told extends Running {
  readonly where: Place
  /** Seconds from the first request to each. */
  readonly times: readonly number[]
}

/** The script's turns, and when each was asked for. */
async function reported(script: readonly ScriptedTurn[], options: StartOptions = {}): Promise<Told> {
  const where = place()
  const began = where.clock.now()
  const times: number[] = []
  const timed = script.map((turn): ScriptedStep => () => {
    times.push((where.clock.now() - began) / 1000)
    return turn
  })
  return { ...(await start(where, { ...options, script: timed })), where, times }
}

/** Far beyond any wait in these scripts. */
const aWhile = 300_000

async function ended({ session, where }: Told) {
  const run = session.prompt("go")
  await where.clock.advance(aWhile)
  return run
}

function retriesIn(steps: readonly PublishedStep[]) {
  const of = <C extends Notification["code"]>(code: C) =>
    steps.flatMap((step) => ("notification" in step && step.notification.code === code ? [step.notification] : []))
  const starts = of("retry_start").flatMap((notification) =>
    notification.code === "retry_start"
      ? [[notification.attempt, notification.of, notification.delayMs, notification.failure.kind]]
      : [],
  )
  const ends = of("retry_end").flatMap((notification) =>
    notification.code === "retry_end" ? [[notification.attempt, notification.ok]] : [],
  )
  return { starts, ends }
}

const typesIn = ({ entries }: Running) => entries().map(({ type }) => type)

test("[AGENT-S.19] [AGENT-4.3] [PROVIDER-09] [BDD-AGENT-033] [BDD-AGENT-034] a 429 is retried after 1, 2 and 4 s, without a compaction, and the run continues", async () => {
  const running = await reported([slowDown, slowDown, slowDown, { text: "well" }])
  assert.equal((await ended(running)).status, "done")
  assert.deepEqual(running.times, [0, 1, 3, 7])
  assert.deepEqual(
    running.asked.map((messages) => messages.map(textOf)),
    Array.from({ length: 4 }, () => ["go"]),
  )
  assert.deepEqual(retriesIn(running.steps), {
    starts: [
      [1, 3, 1000, "rate-limit"],
      [2, 3, 2000, "rate-limit"],
      [3, 3, 4000, "rate-limit"],
    ],
    ends: [
      [1, false],
      [2, false],
      [3, true],
    ],
  })
  const types = typesIn(running)
  assert.equal(types.filter((type) => type === "model_call").length, 3, "every try that failed is on the tape")
  assert.ok(!types.includes("compaction"))
})

for (const kind of ["rate-limit", "overloaded", "network", "stalled"] as const) {
  test(`[BDD-AGENT-035] [AGENT-S.37] ${kind}, again and again: three retries, then the error`, async () => {
    const running = await reported(Array.from({ length: 5 }, () => fails(kind)))
    const end = await ended(running)
    assert.deepEqual([end.status, end.failure?.kind, end.failure?.message], ["failed", kind, `${kind} happened`])
    assert.deepEqual(running.times, [0, 1, 3, 7])
    assert.equal(typesIn(running).filter((type) => type === "model_call").length, 4)
    assert.deepEqual(retriesIn(running.steps).ends.at(-1), [3, false])
  })
}

test("what will not be better a second later is asked once", async () => {
  for (const kind of ["auth", "quota", "denied", "model-refused", "bad-request", "context-overflow"] as const) {
    const running = await reported([fails(kind), { text: "too late" }])
    assert.deepEqual([(await ended(running)).failure?.kind, running.times.length], [kind, 1])
    assert.deepEqual(retriesIn(running.steps).starts, [])
  }
})

test("[AGENT-S.19] more retries wait at most 8 s; no retries are none", async () => {
  const retry = { count: 6, baseMs: 1000, random: () => 0 }
  const more = await reported([...Array.from({ length: 6 }, () => slowDown), { text: "well" }], { retry })
  assert.equal((await ended(more)).status, "done")
  assert.deepEqual(more.times, [0, 1, 3, 7, 15, 23, 31])
  const none = await reported([slowDown, { text: "too late" }], { retry: { ...retry, count: 0 } })
  assert.deepEqual([(await ended(none)).failure?.kind, none.times.length], ["rate-limit", 1])
})

test("chance makes a wait longer, by less than a quarter, and never shorter", () => {
  const tried = { failure: failure("network", "gone"), retries: 0, hadOutput: false, hadOutputBefore: false }
  const delay = (random: number) => nextTry(tried, { count: 3, baseMs: 1000, random: () => random })
  assert.deepEqual(delay(0), { again: true, delayMs: 1000, of: 3 })
  assert.deepEqual(delay(0.5), { again: true, delayMs: 1125, of: 3 })
  assert.deepEqual(nextTry(tried, { count: 3, baseMs: 0, random: () => 0.5 }), { again: true, delayMs: 0, of: 3 })
})

test("a wait that is asked for is waited to the millisecond; the hint names seconds up to 120, then minutes", () => {
  const asked = (retryAfterMs: number) => {
    const tried = {
      failure: failure("rate-limit", "slow down", { retryAfterMs }),
      retries: 0,
      hadOutput: false,
      hadOutputBefore: false,
    }
    const next = nextTry(tried, { count: 3, baseMs: 1000, random: () => 0 })
    return next.again ? next.delayMs : / in (.+), /.exec(next.failure.hint ?? "")?.[1]
  }
  assert.deepEqual([999, 1_001, 60_000, 60_001, 120_000, 120_001, 180_000, 180_001].map(asked), [
    1_000,
    1_001,
    60_000,
    "61 s",
    "120 s",
    "3 min",
    "3 min",
    "4 min",
  ])
})

test("Retry-After is respected up to 60 s; a longer one is not retried, and the hint names it", async () => {
  const after = (seconds: number) => fails("rate-limit", { retryAfterMs: seconds * 1000 })
  const running = await reported([after(60), after(0), { text: "well" }])
  assert.equal((await ended(running)).status, "done")
  assert.deepEqual(running.times, [0, 60, 62], "a Retry-After of nothing does not shorten the wait")
  const long = await reported([after(61), { text: "too late" }])
  const { failure: why } = await ended(long)
  assert.equal(long.times.length, 1)
  assert.equal(why?.hint, "It wants to be asked again in 61 s, which is longer than Gong waits by itself.")
  const { failure: longer } = await ended(await reported([after(3601)]))
  assert.match(longer?.hint ?? "", / in 61 min, /)
})

test("half a reply is dropped and requested once more; its shown part is discarded", async () => {
  const running = await reported([{ text: "half of i", ...fails("stalled") }, { text: "all of it" }])
  const shown: string[] = []
  let live: LiveReply | null = null
  running.session.subscribe((step) => {
    if ("partial" in step) live = foldPartial(live, step.partial)
    if ("notification" in step && step.notification.code === "retry_start") shown.push(`${live === null}`)
  })
  assert.equal((await ended(running)).status, "done")
  assert.deepEqual(shown, ["true"], "the draft is gone when the retry is told")
  assert.deepEqual(retriesIn(running.steps).starts, [[1, 1, 1000, "stalled"]])
  const printed = running
    .entries()
    .flatMap((entry) => (entry.type === "message" && entry.message.role === "assistant" ? [textOf(entry.message)] : []))
  assert.deepEqual(printed, ["all of it"])
  const starts = running.steps.flatMap((step) =>
    "partial" in step && step.partial.type === "start" ? [step.partial.draftId] : [],
  )
  const dropped = running.steps.flatMap((step) =>
    "notification" in step && step.notification.code === "retry_start" ? [step.notification.draftId] : [],
  )
  assert.deepEqual(dropped, starts.slice(0, 1))
})

test("half a reply for the second time ends the run, and the last half is kept", async () => {
  const half = (text: string) => ({ text, ...fails("network") })
  const running = await reported([slowDown, half("one ha"), half("two ha"), { text: "too late" }])
  const end = await ended(running)
  assert.deepEqual([end.failure?.kind, running.times.length], ["network", 3])
  const last = running.entries().findLast((entry) => entry.type === "message")
  assert.deepEqual([last?.message.role, textOf(last?.message ?? { content: [] })], ["assistant", "two ha"])
})

test("[AGENT-4.7] a run whose request was retried is over when its tools are, and not before", async () => {
  const hold = gate()
  const slow = tool("slow", async () => {
    await hold.opened
    return "done"
  })
  const calls = [{ name: "slow" }]
  const running = await reported([slowDown, { calls }, slowDown, { text: "end" }], { tools: () => [slow] })
  let over = false
  const run = running.session.prompt("go").then((end) => {
    over = true
    return end
  })
  await running.where.clock.advance(10_000)
  assert.deepEqual([over, running.session.running, typesIn(running).includes("run_end")], [false, true, false])
  assert.deepEqual(retriesIn(running.steps).ends, [[1, true]])
  hold.open()
  await settle()
  await running.where.clock.advance(10_000)
  assert.deepEqual([over, (await run).status], [true, "done"])
  assert.deepEqual(retriesIn(running.steps).ends, [
    [1, true],
    [1, true],
  ])
  assert.equal(typesIn(running).filter((type) => type === "tool_start").length, 1)
})

test("a run that is stopped while it waits for a retry ends at once, and leaves no timer", async () => {
  const running = await reported([slowDown, { text: "too late" }])
  const run = running.session.prompt("go")
  await running.where.clock.advance(500)
  const waiting = running.where.clock.waiting
  running.session.abort()
  assert.equal((await run).status, "interrupted")
  assert.equal(running.where.clock.waiting, waiting - 1)
  await running.where.clock.advance(aWhile)
  assert.equal(running.times.length, 1)
  assert.deepEqual(retriesIn(running.steps).ends, [[1, false]])
})

test("a steer that comes while a retry is waited for is answered in the next turn", async () => {
  const running = await reported([slowDown, { text: "first" }, { text: "second" }])
  const run = running.session.prompt("go")
  await running.where.clock.advance(500)
  await running.session.steer("and this")
  await running.where.clock.advance(aWhile)
  assert.equal((await run).status, "done")
  assert.deepEqual(running.asked.at(-1)?.map(textOf), ["go", "first", "and this"])
})
