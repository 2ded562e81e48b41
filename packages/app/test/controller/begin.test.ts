import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf, failure, FailureError, phrase, type RunEnd } from "@gong/spec"
import type { Answer } from "../../src/controller/answer.ts"
import type { ControllerState } from "../../src/controller/api.ts"
import type { PromptData } from "../../src/controller/data.ts"
import { begin } from "../../src/controller/handlers/begin.ts"

type Step = Parameters<Parameters<ControllerState["current"]["session"]["subscribe"]>[0]>[0]

interface Client {
  readonly answers: unknown[]
  readonly ended: {
    readonly run: string
    readonly turns: number
    readonly status: string
    readonly durationMs: number
    readonly exit: number
  }[]
  readonly happened: string[]
  /** Resolves when the next command may be read. */
  readonly next: Promise<void>
  publish(step: object): void
  /** Ends the prompt, and waits for the work in the background. */
  end(result: RunEnd | Error): Promise<void>
}

/** A client whose prompt runs until `end`. */
function client(working: string | null = null): Client {
  const listeners = new Set<(step: Step) => void>()
  const { promise: prompt, resolve, reject } = Promise.withResolvers<RunEnd>()
  const happened: string[] = []
  const answers: unknown[] = []
  const ended: Client["ended"] = []
  let background: Promise<void> = Promise.resolve()
  let now = 1_000
  const session = {
    id: "s",
    subscribe: (listener: (step: Step) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    unwritten: async () => null,
  }
  const state = {
    current: { session },
    services: { clock: { now: () => (now += 500) } },
    working,
    prompt: () => prompt,
    exitOf: ({ status }: RunEnd) => (status === "done" ? 0 : 7),
    ended: (result: never) => void ended.push(result),
    idle: () => void happened.push(`idle, ${listeners.size} listeners`),
    inBackground: (work: () => Promise<void>) => void (background = work()),
  } as unknown as ControllerState
  const plain = (answer: Answer<PromptData>): unknown =>
    answer.ok ? answer.data : `${answer.error.code}: ${englishOf(answer.error.message)}`
  const next = begin(state, { text: "go", images: [], seen: [] }, (answer) => void answers.push(plain(answer))).then(
    () => void happened.push("next"),
  )
  return {
    answers,
    ended,
    happened,
    next,
    publish: (step) => listeners.forEach((listener) => listener(step as Step)),
    async end(result) {
      if (result instanceof Error) reject(result)
      else resolve(result)
      await background
      await next
    },
  }
}

const input = (kind: string, id = "e1") => ({ entries: [{ type: "input", kind, id, timestamp: "" }] })
const done: RunEnd = { status: "done", turns: 1 }

test("a prompt is answered once when its input is stored, and the result follows at its end", async () => {
  const { answers, ended, happened, next, publish, end } = client()
  publish({ notification: { code: "model" } })
  publish(input("steer", "other"))
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([answers, happened], [[], []])
  publish(input("prompt"))
  await next
  assert.deepEqual([answers, happened], [[{ run: "e1", disposition: "started" }], ["next"]])
  await end(done)
  assert.equal(answers.length, 1)
  assert.deepEqual(
    ended.map(({ run, status, durationMs, exit }) => [run, status, durationMs, exit]),
    [["e1", "done", 500, 0]],
  )
  assert.deepEqual(happened, ["next", "idle, 0 listeners"])
})

test("a prompt behind other work is queued", async () => {
  const { answers, publish, end } = client("compaction")
  publish(input("prompt"))
  await end(done)
  assert.deepEqual(answers, [{ run: "e1", disposition: "queued" }])
})

test("the next command may be read while a question of an extension is open", async () => {
  const { answers, happened, next, publish, end } = client()
  publish({ notification: { code: "ui_request" } })
  await next
  assert.deepEqual([answers, happened], [[], ["next"]])
  await end(done)
  assert.deepEqual(answers, [{ run: null, disposition: "handled" }])
})

test("a prompt without a run is handled, or refused with its failure", async () => {
  const handled = client()
  await handled.end(done)
  assert.deepEqual([handled.answers, handled.ended], [[{ run: null, disposition: "handled" }], []])
  const refused = client()
  await refused.end({ status: "failed", turns: 0, failure: failure("denied", phrase`No.`) })
  assert.deepEqual([refused.answers, refused.ended], [["busy: No."], []])
  const rejected = client()
  await rejected.end(new FailureError(failure("bad-request", phrase`Wrong.`)))
  assert.deepEqual([rejected.answers, rejected.ended], [["bad_arguments: Wrong."], []])
  assert.deepEqual(rejected.happened, ["idle, 0 listeners", "next"])
})

test("an error after the start ends the run as failed", async () => {
  const { answers, ended, publish, end } = client()
  publish(input("prompt"))
  await end(new Error("broken"))
  assert.equal(answers.length, 1)
  assert.deepEqual(
    ended.map(({ run, status, exit, turns }) => [run, status, exit, turns]),
    [["e1", "failed", 7, 0]],
  )
})
