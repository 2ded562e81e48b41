import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf } from "@gong/spec"
import { maxAnswer, type CallTarget, type FromWorker, type ToWorker } from "../../src/protocol.ts"
import { callsOf } from "../../src/worker/calls.ts"
import type { ExtensionFunction } from "../../src/worker/registrar.ts"

type Call = Extract<ToWorker, { kind: "call" }>

/** Calls of one function, all that they tell, and the extensions within which they ran. */
function calling(work: ExtensionFunction | null) {
  const notified: FromWorker[] = []
  const withins: number[] = []
  const calls = callsOf({
    send: (message) => void notified.push(message),
    functionOf: () => work,
    runAs: ({ extension }, run) => (withins.push(extension), run()),
    problem: (extension, error) => ({ message: `${extension}: ${(error as Error).message}`, stack: "" }) as never,
  })
  const begin = (id: number, more: Partial<Call> = {}) => {
    const target: CallTarget = { kind: "tool", key: "t" }
    calls.begin({ kind: "call", id, extension: 7, target, args: [], ...more } as Call)
  }
  return { notified, withins, calls, begin, turn: () => new Promise((resolve) => setImmediate(resolve)) }
}

test("a call has one answer as JSON; a value without JSON form becomes null", async () => {
  for (const [value, json] of [
    [{ a: [1] }, '{"a":[1]}'],
    ["text", '"text"'],
    [undefined, "null"],
    [() => 1, "null"],
    [null, "null"],
  ] as const) {
    const { notified, withins, begin, turn } = calling(async () => value)
    begin(3)
    await turn()
    assert.deepEqual([notified, withins], [[{ kind: "answer", id: 3, json }], [7]])
  }
})

test("an answer has at most 8,000,000 characters", async () => {
  for (const [length, kind] of [
    [maxAnswer - 2, "answer"],
    [maxAnswer - 1, "threw"],
  ] as const) {
    const { notified, begin, turn } = calling(() => "x".repeat(length))
    begin(1)
    await turn()
    assert.equal(notified[0]?.kind, kind)
  }
})

test("errors of a function, and answers that cannot be serialized, are reported with the extension", async () => {
  const circle: Record<string, unknown> = {}
  circle["self"] = circle
  for (const [work, text] of [
    [() => Promise.reject(new Error("boom")), /^7: boom$/],
    [() => circle, /^7: its answer cannot be written as JSON: /],
    [null, /^7: it has no such function any more$/],
  ] as const) {
    const { notified, begin, turn } = calling(work)
    begin(5)
    await turn()
    const [threw, ...more] = notified
    assert.ok(threw?.kind === "threw" && threw.id === 5 && more.length === 0)
    assert.match(englishOf(threw.problem.message), text)
  }
})

test("a function receives its arguments, the call id, and whether a user is available", async () => {
  const given: unknown[] = []
  const { begin, turn } = calling((args, { callId, interactive }) => void given.push([args, callId, interactive]))
  begin(1)
  begin(2, { args: ["a", 1], callId: "c", interactive: true })
  await turn()
  assert.deepEqual(given, [
    [[], "", false],
    [["a", 1], "c", true],
  ])
})

test("progress is sent as text while the call runs", async () => {
  const { notified, begin, turn } = calling((_, { progress }) => progress(7 as never))
  begin(4)
  await turn()
  assert.deepEqual(notified, [
    { kind: "progress", id: 4, delta: "7" },
    { kind: "answer", id: 4, json: "null" },
  ])
})

test("each question waits for its own reply", async () => {
  const answers: unknown[] = []
  const { notified, calls, begin, turn } = calling(async (_, { choose, confirm, line }) => {
    answers.push(
      ...(await Promise.all([choose("which", ["a", 2] as never), confirm("sure"), confirm("really"), line("name")])),
    )
    return null
  })
  begin(9)
  await turn()
  assert.deepEqual(
    notified.map((one) => (one.kind === "ask" ? [one.id, one.call, one.question, one.args] : [])),
    [
      [1, 9, "choose", ["which", ["a", "2"]]],
      [2, 9, "confirm", ["sure"]],
      [3, 9, "confirm", ["really"]],
      [4, 9, "line", ["name"]],
    ],
  )
  calls.reply(2, true)
  calls.reply(3, "yes")
  calls.reply(4, "n")
  calls.reply(99, "nobody asked this")
  await turn()
  assert.deepEqual(answers, [])
  calls.reply(1, 1)
  calls.reply(1, 0)
  await turn()
  assert.deepEqual(answers, [1, true, false, "n"])
  assert.equal(notified.at(-1)?.kind, "answer")
})

test("a stop aborts its call until the call has ended", async () => {
  const signals: AbortSignal[] = []
  const ends: (() => void)[] = []
  const { notified, calls, begin, turn } = calling((_, { signal }) => {
    signals.push(signal)
    return new Promise<void>((resolve) => ends.push(resolve))
  })
  begin(1)
  begin(2)
  await turn()
  calls.stop(2)
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [false, true],
  )
  ends[0]?.()
  await turn()
  calls.stop(1)
  calls.stop(3)
  assert.equal(signals[0]?.aborted, false)
  assert.deepEqual(notified, [{ kind: "answer", id: 1, json: "null" }])
})

test("chunks of a stream are sent one by one, and the answer only marks the end", async () => {
  const { notified, begin, turn } = calling(function* () {
    yield { text: "a" }
    yield undefined
  })
  begin(6, { target: { kind: "provider", key: "p" } })
  await turn()
  assert.deepEqual(notified, [
    { kind: "chunk", id: 6, json: '{"text":"a"}' },
    { kind: "chunk", id: 6, json: "null" },
    { kind: "answer", id: 6, json: "null" },
  ])
})

test("a stream with too many unconsumed chunks is paused until enough are consumed", async () => {
  const big = "x".repeat(1_000_000)
  const { notified, calls, begin, turn } = calling(function* () {
    for (let count = 0; count < 50; count++) yield big
  })
  begin(1, { target: { kind: "provider", key: "p" } })
  await turn()
  const ahead = notified.length
  assert.ok(ahead > 0 && ahead < 50, String(ahead))
  calls.taken(2, 50_000_000)
  await turn()
  assert.equal(notified.length, ahead, "another stream was read")
  calls.taken(1, 50_000_000)
  await turn()
  assert.ok(notified.length > ahead)
})
