import assert from "node:assert/strict"
import { test } from "node:test"
import {
  type AssistantMessage,
  failure,
  noUsage,
  type PartialUpdate,
  type Provider,
  type PublishedStep,
  type Reply,
  type Step,
} from "@gong/spec"
import { manualClock } from "@gong/testing/sim/clock"
import { requestOnce } from "../../src/runs/request-once.ts"
import { reply } from "../compaction/messages.ts"

const model = { provider: "p", id: "m", api: "x" }
const start: PartialUpdate = { type: "start", draftId: "d", model }
const text: PartialUpdate = { type: "text", index: 0, delta: "a" }
const done: Reply = { ok: true, message: reply("a") }
const why = failure("network", "gone", { cause: new Error("x") })

/** One request whose stream has these partials and this end; `wanted`: whether someone shows partials. */
async function asked(partials: readonly PartialUpdate[], end: Reply, wanted = true) {
  const published: PublishedStep[] = []
  let closed = false
  const given: unknown[] = []
  const provider = {
    model: { ...model, contextWindow: 1, maxOutput: 1 },
    async *stream(request: unknown) {
      given.push(request)
      try {
        yield* partials
        return end
      } finally {
        closed = true
      }
    },
  } as unknown as Provider
  const request = { system: "s", tools: [], sessionId: "i", messages: [], call: { purpose: "turn" } } as const
  const output = {
    publish: (step: PublishedStep) => void published.push(step),
    partialsWanted: () => wanted,
    emit: () => undefined,
  }
  const { signal } = new AbortController()
  const attempt = { selection: { provider, thinking: "low" }, request, draftId: "d" } as const
  const steps: Step[] = []
  const stream = requestOnce(attempt, output, manualClock(), signal)
  for (;;) {
    const { value, done: isOver } = await stream.next()
    if (isOver) return { ...value, steps, published, given: given[0], closed }
    steps.push(value)
  }
}

test("a request yields its start and publishes what streams; nothing of it if no one shows partials", async () => {
  const shown = await asked([start, text], done)
  assert.deepEqual([shown.steps, shown.published], [[{ partial: start }], [{ partial: text }]])
  assert.deepEqual([shown.reply, shown.closed], [done, true])
  const hidden = await asked([start, text], done, false)
  assert.deepEqual([hidden.steps, hidden.published, hidden.hadOutput], [[], [], true])
  assert.deepEqual(
    { ...(shown.given as object), signal: null, partialsWanted: null },
    {
      system: "s",
      tools: [],
      sessionId: "i",
      messages: [],
      thinking: "low",
      draftId: "d",
      signal: null,
      partialsWanted: null,
    },
  )
})

test("text and calls are output, reasoning is none", async () => {
  const thinking: PartialUpdate = { type: "thinking", index: 0, delta: "hm" }
  for (const [partials, expected] of [
    [[], false],
    [[start], false],
    [[start, thinking], false],
    [[start, text, thinking], true],
    [[start, { type: "call", index: 0, id: "c", name: "n" }], true],
    [[start, { type: "args", index: 0, delta: "{" }], true],
  ] as const)
    assert.equal((await asked(partials, done)).hadOutput, expected)
})

test("a failed request is written with its cost: 0 without a reply, that of the reply otherwise", async () => {
  const { cause: _, ...shown } = why
  const partial = (more: Partial<AssistantMessage>) => ({ ...reply("a"), ...more })
  const usage = { ...noUsage, input: 5 }
  for (const [given, expected] of [
    [null, { usage: noUsage, cost: 0 }],
    [partial({ usage, cost: 2 }), { usage, cost: 2 }],
    [partial({ usage, cost: null }), { usage, cost: null }],
    [partial({ usage, cost: 0, costCny: 0 }), { usage, cost: 0, costCny: 0 }],
  ] as const) {
    const { steps, reply: ended } = await asked([], { ok: false, failure: why, partial: given })
    assert.deepEqual(steps, [{ entries: [{ type: "model_call", purpose: "turn", ...expected, failure: shown }] }])
    assert.equal(ended.ok, false)
  }
})

test("a silent model is reported every 15 s, until its first piece", async () => {
  const clock = manualClock()
  const { promise, resolve } = Promise.withResolvers<void>()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const published: PublishedStep[] = []
  const provider = {
    model: { ...model, contextWindow: 1, maxOutput: 1 },
    async *stream() {
      yield start
      await promise
      yield text
      await ended
      return done
    },
  } as unknown as Provider
  const request = { system: "", tools: [], messages: [], call: { purpose: "turn" } } as const
  const output = { publish: (step: PublishedStep) => void published.push(step), partialsWanted: () => true }
  const attempt = { selection: { provider, thinking: "off" }, request, draftId: "d" } as never
  const stream = requestOnce(attempt, { ...output, emit: () => undefined }, clock, new AbortController().signal)
  await stream.next()
  const rest = stream.next()
  await clock.advance(14_999)
  assert.equal(published.length, 0)
  await clock.advance(1)
  await clock.advance(15_000)
  const texts = () =>
    published.map((step) => ("notification" in step && "text" in step.notification ? step.notification.text : "piece"))
  assert.deepEqual(texts(), ["waiting for p ... 15 s", "waiting for p ... 30 s"])
  resolve()
  await clock.advance(60_000)
  assert.deepEqual(texts().slice(2), ["piece"])
  end()
  assert.equal((await rest).done, true)
})
