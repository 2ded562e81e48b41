import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, type FailureKind, type PublishedStep, textOf } from "@gong/spec"
import { scriptedProvider, type ScriptedTurn } from "@gong/llm/scripted"
import { place, start, type StartOptions } from "../world.ts"

const fails = (kind: FailureKind): ScriptedTurn => ({ failure: failure(kind, `${kind} happened`) })

/** Retries happen first, and have their own tests. */
const retry = { count: 0, baseMs: 1000, random: () => 0 }

/** A session whose models are named after their scripts: `a` is chosen, the others are fallbacks in order. */
async function models(scripts: Readonly<Record<string, readonly ScriptedTurn[]>>, options: StartOptions = {}) {
  const where = place()
  const opened: string[] = []
  const [first, ...others] = Object.entries(scripts).map(([id, script]) => ({
    id,
    provider: scriptedProvider(script, { clock: where.clock, model: { id } }),
  }))
  const fallbacks = others.map(({ id, provider }) => ({
    thinking: "low" as const,
    open: async () => (opened.push(id), provider),
  }))
  const provider = first?.provider ?? scriptedProvider([], where)
  const running = await start(where, { retry, ...options, provider, thinking: "high", fallbacks })
  const run = async (text: string) => {
    const going = running.session.prompt(text)
    await where.clock.advance(300_000)
    return going
  }
  return { ...running, opened, run, first: provider }
}

const printed = (steps: readonly PublishedStep[]) =>
  steps.flatMap((step) =>
    "notification" in step && step.notification.code === "model-choice" ? [step.notification] : [],
  )

test("a run continues with the fallback that answers; the next run begins with the selected model", async () => {
  const { session, entries, steps, opened, run } = await models({
    a: [fails("overloaded"), { text: "a again" }],
    b: [{ calls: [{ name: "ls" }] }, { text: "b is done" }],
  })
  assert.equal((await run("go")).status, "done")
  const changes = entries().flatMap((entry) => (entry.type === "model_change" ? [[entry.modelId, entry.reason]] : []))
  assert.deepEqual(changes, [
    ["a", undefined],
    ["b", "fallback"],
    ["a", undefined],
  ])
  const levels = entries().flatMap((entry) => (entry.type === "thinking_level_change" ? [entry.thinkingLevel] : []))
  assert.deepEqual(levels, ["high", "low", "high"])
  assert.deepEqual(opened, ["b"])
  assert.deepEqual(
    printed(steps).map((notification) => "text" in notification && notification.text),
    ["scripted/a cannot be asked (overloaded happened); going on with scripted/b"],
  )
  assert.equal(session.selection.provider.model.id, "a")
  assert.equal((await run("once more")).status, "done")
  const last = entries().findLast((entry) => entry.type === "message")
  assert.ok(last?.type === "message" && textOf(last.message) === "a again")
})

test("a failure that would be the same everywhere is the run's; so is that of the last model", async () => {
  for (const kind of ["context-overflow", "model-refused", "aborted"] as const) {
    const { run, opened } = await models({ a: [fails(kind)], b: [{ text: "never" }] })
    assert.notEqual((await run("go")).status, "done")
    assert.deepEqual(opened, [], kind)
  }
  const { run, opened } = await models({ a: [fails("auth")], b: [fails("quota")], c: [fails("bad-request")] })
  const end = await run("go")
  assert.deepEqual([end.status, end.failure?.kind], ["failed", "bad-request"])
  assert.deepEqual(opened, ["b", "c"])
})

test("half a reply of the first model is dropped: only the second's is stored", async () => {
  const cut = { text: "half of", ...fails("bad-reply") }
  const { entries, steps, run } = await models({ a: [cut], b: [{ text: "whole" }] })
  assert.equal((await run("go")).status, "done")
  const replies = entries().flatMap((entry) =>
    entry.type === "message" && entry.message.role === "assistant" ? [textOf(entry.message)] : [],
  )
  assert.deepEqual(replies, ["whole"])
  assert.ok(steps.some((step) => "partial" in step && step.partial.type === "discard"))
})
