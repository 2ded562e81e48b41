import assert from "node:assert/strict"
import { test } from "node:test"
import { type Entry, FailureError } from "@gong/spec"
import { settle } from "@gong/testing/sim/clock"
import { refusesChanges, settledOn } from "../src/settled.ts"
import { place, start, tool } from "./world.ts"

/** A thread pool in which the test decides when a sync ends. */
function slowPool() {
  const waiting: (() => void)[] = []
  return {
    pool: (): Promise<void> => new Promise((resolve) => waiting.push(resolve)),
    /** Completes pending syncs one after the other until `enough` is true, and lets the effects of each settle. */
    async end(enough: () => boolean): Promise<void> {
      for (let round = 0; round < 100 && !enough(); round++) {
        for (const done of waiting.splice(0, 1)) done()
        await settle()
      }
      assert.ok(enough())
    },
  }
}

const script = [{ calls: [{ name: "act", arguments: {} }] }, { text: "done" }]

function isStart({ type }: Entry): boolean {
  return type === "tool_start"
}

test("with a slow disk nothing is shown, no tool acts and no run ends before the required entries are durable", async () => {
  const { pool, end } = slowPool()
  const where = place({ pool })
  let acted = 0
  const act = tool("act", () => `${(acted += 1)}`)
  const { session, tape, entries } = await start(where, { script, tools: () => [act], syncMode: "thread-pool" })
  let over = false
  const run = session.prompt("go").finally(() => (over = true))
  await settle()
  assert.deepEqual(entries(), [], "the prompt is written, and not acknowledged")
  assert.notEqual(tape.settled(), null)
  await end(() => tape.entriesOfBranch().some(isStart))
  assert.deepEqual([acted, entries().some(isStart)], [0, false], "its start is written, and not durable")
  await end(() => tape.entriesOfBranch().at(-1)?.type === "run_end")
  assert.equal(acted, 1)
  assert.deepEqual([over, entries().at(-1)?.type === "run_end"], [false, false], "its end is written, and not durable")
  await end(() => over)
  assert.equal((await run).status, "done")
  assert.equal(entries().at(-1)?.type, "run_end")
})

test("a steer is acknowledged when it is durable", async () => {
  const { pool, end } = slowPool()
  const { session, tape } = await start(place({ pool }), { syncMode: "thread-pool" })
  let id: string | null = null
  const sent = session.steer("this way").then((given) => (id = given))
  await settle()
  assert.equal(tape.entriesOfBranch().at(-1)?.type, "input")
  assert.equal(id, null)
  await end(() => id !== null)
  assert.equal(await sent, tape.entriesOfBranch().at(-1)?.id)
})

test("a prompt that is still being synced is not dequeued: its run has begun", async () => {
  const { pool, end } = slowPool()
  const { session, tape } = await start(place({ pool }), { script: [{ text: "hello" }], syncMode: "thread-pool" })
  let over = false
  const run = session.prompt("go").finally(() => (over = true))
  await settle()
  const prompt = tape.entriesOfBranch().at(-1)
  assert.equal(prompt?.type === "input" && prompt.kind, "prompt")
  const taken: unknown[] = []
  const takes = [null, prompt?.id ?? ""].map(async (id) => taken.push(await session.dequeue(id)))
  await end(() => over)
  await Promise.all(takes)
  assert.deepEqual(taken, [[], []])
  const { status, turns } = await run
  assert.deepEqual([status, turns], ["done", 1])
})

test("a failing sync ends the run with a reason; no tool acts, and nothing after it is acknowledged or written", async () => {
  let broken = false
  const where = place({ fault: ({ name }) => (broken && name === "syncInPool" ? { code: "EIO" } : null) })
  let acted = 0
  const act = tool("act", () => `${(acted += 1)}`)
  const { session, tape, entries } = await start(where, { script, tools: () => [act], syncMode: "thread-pool" })
  session.subscribe((step) => {
    if ("entries" in step) broken ||= step.entries.some(({ type }) => type === "message")
  })
  const end = await session.prompt("go")
  assert.deepEqual([end.status, end.failure?.kind], ["failed", "storage"])
  assert.match(end.failure?.message ?? "", /^Cannot make the session durable: the disk reports an error \(EIO\)\.$/)
  assert.equal(acted, 0)
  assert.equal(entries().some(isStart), false)
  broken = false
  const length = tape.all.length
  for (const send of [session.prompt, session.steer, session.followUp]) {
    await assert.rejects(send("more"), (error) => error instanceof FailureError && error.failure.kind === "storage")
  }
  assert.equal(tape.all.length, length)
})

for (const { title, fails } of [
  { title: "steps that waited for room count as kept when they are durable, not when they are written", fails: false },
  { title: "steps that waited for room are not kept when their sync fails, and the failure is reported", fails: true },
]) {
  test(title, async () => {
    const { pool, end } = slowPool()
    let disk: "full" | "failing" | null = null
    const where = place({
      pool,
      fault({ name }) {
        if (disk === "full" && name === "write") return { code: "ENOSPC" }
        return disk === "failing" && name === "syncInPool" ? { code: "EIO" } : null
      },
    })
    const { session, tape } = await start(where, { script: [{ text: "done" }], syncMode: "thread-pool" })
    session.subscribe((step) => {
      if ("entries" in step && step.entries.some(({ type }) => type === "input")) disk = "full"
    })
    let over = false
    const run = session.prompt("go").finally(() => (over = true))
    await end(() => over)
    assert.equal((await run).status, "done")
    assert.notEqual(tape.stalled, null)
    disk = fails ? "failing" : null
    let kept = false
    const asked = session.unwritten().finally(() => (kept = true))
    await settle()
    assert.deepEqual([tape.stalled, kept], [null, false], "the steps are written, and not durable")
    await end(() => kept)
    assert.equal((await asked)?.kind ?? null, fails ? "storage" : null)
  })
}

test("nothing is changed while a sync of what waited for room is under way", async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const tape = { stalled: null, settled: () => promise, flush: () => true }
  let answered = false
  const refused = Promise.resolve(refusesChanges(tape, settledOn(tape))).finally(() => (answered = true))
  await settle()
  assert.equal(answered, false)
  resolve()
  assert.equal(await refused, null)
})
