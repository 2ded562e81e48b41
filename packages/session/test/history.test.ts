import assert from "node:assert/strict"
import { test } from "node:test"
import { FailureError, type PublishedStep } from "@gong/spec"
import { compactTape, type Tape } from "@gong/tape"
import { place, start } from "./world.ts"

const write = { calls: [{ name: "write", arguments: { path: "a.txt", content: "mine\n" } }] }

async function changed() {
  const where = place({ files: { "/work/a.txt": "alpha\n" } })
  const { session, tape } = await start(where, { writeGuard: false, script: [write, { text: "done" }] })
  await session.prompt("change it")
  return { session, tape, where }
}

test("undo and redo are published to subscribers, entry by entry as on the tape", async () => {
  const { session, tape } = await changed()
  const steps: PublishedStep[] = []
  session.subscribe((step) => steps.push(step))
  const before = tape.all.length
  assert.deepEqual((await session.undo()).restored, ["/work/a.txt"])
  assert.deepEqual((await session.redo()).restored, ["/work/a.txt"])
  const published = steps.flatMap((step) => ("entries" in step ? step.entries : []))
  const written = Array.from({ length: tape.all.length - before }, (_, at) => tape.all.entry(before + at))
  assert.deepEqual(
    written.map((entry) => (entry.type === "custom" ? entry.customType : entry.type)),
    ["change", "gong.undo", "change", "gong.redo"],
  )
  assert.deepEqual(published, written)
})

test("the undo of a compaction is published: followers are on the same branch", async () => {
  const { session, tape } = await changed()
  assert.equal(session.undoCompaction(), null)
  const [kept] = tape.entriesOfBranch()
  compactTape(tape, { summary: "short", firstKeptEntryId: kept?.id ?? "", tokensBefore: 10 })
  const leaves: (string | undefined)[] = []
  session.subscribe((step) => leaves.push("entries" in step ? step.entries.at(-1)?.id : undefined))
  assert.notEqual(session.undoCompaction(), null)
  assert.deepEqual(leaves, [session.history.leaf])
})

test("undo and redo are refused during a run", async () => {
  const where = place()
  const { session } = await start(where, { script: [{ text: "slow" }] })
  const run = session.prompt("go on")
  for (const taking of [() => session.undo(), () => session.redo(), async () => session.undoCompaction()])
    await assert.rejects(taking, (error) => error instanceof FailureError && error.failure.kind === "denied")
  assert.deepEqual(await session.diff(), [], "a comparison changes nothing")
  await run
})

test("a frontend cannot write to a session's history, not even past its type", async () => {
  const { session, tape } = await changed()
  const before = tape.all.length
  const writers = ["append", "beginSync", "handoff", "navigate", "flush", "close"] satisfies (keyof Tape)[]
  const past = session.history as Partial<Tape>
  assert.deepEqual(
    writers.filter((name) => past[name] !== undefined),
    [],
  )
  const { all, store } = past
  assert.deepEqual(Object.keys(all ?? {}).toSorted(), ["entry", "head", "kind", "length"])
  assert.deepEqual([Object.keys(store ?? {}), Object.keys(store?.artifacts ?? {})], [["info", "artifacts"], ["get"]])
  assert.deepEqual([session.history.all.length, session.history.leaf], [before, tape.leaf])
})
