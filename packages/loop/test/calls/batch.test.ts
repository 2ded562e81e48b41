import assert from "node:assert/strict"
import { test } from "node:test"
import { type Hook, type NewEntry, parseJson, type Step, type Tool, type ToolContext } from "@gong/spec"
import { run } from "@gong/loop"
import { texts, tool, world } from "../harness.ts"

/** Runs the calls of a reply up to the first step of this kind. */
async function upTo(found: (step: Step) => boolean, tools: readonly Tool[]) {
  const calls = tools.map(({ name }, at) => ({ id: String(at), name }))
  const w = world([{ calls }], tools)
  const steps = run(w.ports)
  for (;;) {
    const { value, done } = await steps.next()
    assert.equal(done, false)
    if (done === false && found(value)) return steps
  }
}

const isProgress = (step: Step): boolean => "partial" in step && step.partial.type === "progress"
const isChange = (step: Step): boolean => "entries" in step && step.entries.some(({ type }) => type === "change")
const left = { status: "interrupted", turns: 0 } as const

/** Resolves after the abort, and after `end`. */
async function slowToStop(context: ToolContext, end: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  context.signal.addEventListener("abort", () => resolve(), { once: true })
  await promise
  await end
}

test("an early return stops all tools of the batch with a reason, and waits for the last one to end", async () => {
  const { promise: end, resolve: letEnd } = Promise.withResolvers<void>()
  const log: string[] = []
  const slow = (name: string): Tool =>
    tool(
      name,
      async (_, context) => {
        context.onProgress(name)
        await slowToStop(context, end)
        log.push(`${name}: ${(context.signal.reason as Error).message}`)
        return "late"
      },
      { readOnly: true },
    )
  const steps = await upTo(isProgress, [slow("a"), slow("b")])
  const gone = steps.return(left).then(() => log.push("returned"))
  await new Promise(setImmediate)
  assert.deepEqual(log, [], "it waits while tools run")
  letEnd()
  await gone
  assert.deepEqual(log, ["a: The run was left", "b: The run was left", "returned"])
})

test("a change recorded after the run was left is refused, before and after the request, and is not made", async () => {
  const answers: string[] = []
  const change = { path: "f", before: null, after: "abc" }
  const record = (context: ToolContext): Promise<void> =>
    (context.record?.(change) ?? Promise.resolve()).then(
      () => void answers.push("recorded"),
      (error: Error) => void answers.push(error.message),
    )
  const early = tool("early", async (_, context) => (await record(context), "done"))
  const waiting = await upTo(isChange, [early])
  await waiting.return(left)
  const late = tool("late", async (_, context) => {
    context.onProgress("working")
    await slowToStop(context, Promise.resolve())
    await record(context)
    return "done"
  })
  const working = await upTo(isProgress, [late])
  await working.return(left)
  const refused = "The run was left before the change could be recorded"
  assert.deepEqual(answers, [refused, refused])
})

test("a tool that exceeded its grace period while its change was being written does not take effect", async () => {
  const answers: string[] = []
  const edit = tool("edit", async (_, { record }) => {
    const asked = record?.({ path: "f", before: null, after: "abc" }) ?? Promise.resolve()
    answers.push(await asked.then(() => "recorded", String))
    return "changed"
  })
  const w = world([{ calls: [{ id: "1", name: "edit" }] }, { text: "ok" }], [edit])
  const steps = run(w.ports)
  let reached = await steps.next()
  while (!reached.done && !isChange(reached.value)) reached = await steps.next()
  w.abort.abort()
  // Its grace period ends while the consumer still writes the change.
  await w.clock.advance(5_000)
  while (!reached.done) {
    if ("entries" in reached.value) w.entries.push(...reached.value.entries)
    reached = await steps.next()
  }
  await w.clock.advance(0)
  assert.deepEqual([reached.value.status, texts(w.results())], ["interrupted", ["Operation aborted"]])
  assert.deepEqual(answers, ["Error: The run was left before the change could be recorded"])
})

test("a start has arguments only if they differ from the model's", async () => {
  const starts = async (args: Readonly<Record<string, unknown>>, hook?: Readonly<Record<string, unknown>>) => {
    const replace: Hook = { name: "replace", beforeToolCall: async () => ({ answer: "ok", arguments: hook ?? {} }) }
    const look: Tool = { ...tool("look", () => "seen"), parameters: { type: "object" } }
    const w = world([{ calls: [{ id: "1", name: "look", args }] }, {}], [look], hook ? { hooksGiven: [replace] } : {})
    await w.go()
    const isStart = (entry: NewEntry) => entry.type === "tool_start"
    return w.entries.filter(isStart).map((entry) => ("arguments" in entry ? entry.arguments : "as written"))
  }
  const written = { path: "f", list: [1, { a: null }], none: null }
  const cases: readonly [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>> | "as written"][] = [
    [parseJson(JSON.stringify(written)) as Record<string, unknown>, "as written"],
    [
      { ...written, path: "g" },
      { ...written, path: "g" },
    ],
    [
      { ...written, list: [1, { a: 0 }] },
      { ...written, list: [1, { a: 0 }] },
    ],
    [
      { path: "f", list: [1, { a: null }] },
      { path: "f", list: [1, { a: null }] },
    ],
    [
      { ...written, more: 1 },
      { ...written, more: 1 },
    ],
    [
      { path: "f", list: [1, { a: null }], other: null },
      { path: "f", list: [1, { a: null }], other: null },
    ],
  ]
  assert.deepEqual(await starts(written), ["as written"])
  for (const [changed, expected] of cases) assert.deepEqual(await starts(written, changed), [expected])
})

test("the deferred start of a read is written before its progress", async () => {
  const look = (name: string) =>
    tool(name, async (_, { onProgress }) => (onProgress("half"), await new Promise(setImmediate), "seen"), {
      readOnly: true,
    })
  for (const names of [["a"], ["a", "b"]]) {
    const w = world([{ calls: names.map((name) => ({ id: name, name })) }, {}], names.map(look))
    await w.go()
    const order = w.steps.flatMap((step) => {
      if ("entries" in step) return step.entries.map(({ type }) => type)
      return "partial" in step ? [step.partial.type] : []
    })
    const [starts, pieces] = [names.map(() => "tool_start"), names.map(() => "progress")]
    const at = order.indexOf("tool_start")
    assert.deepEqual(order.slice(at, at + 2 * names.length), [...starts, ...pieces])
  }
})
