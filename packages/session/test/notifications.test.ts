import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, phrase, englishOf, sentence } from "@gong/spec"
import type { Tape } from "@gong/tape"
import { inputQueue } from "../src/input/inbox.ts"
import { busy, maxQueued, noCommands, queueFull, queueUpdate, storageWarning, unwritten } from "../src/notifications.ts"

test("an error of the disk is one sentence with its consequence for the session", () => {
  const doing = phrase`write the session`
  const notification = storageWarning(
    failure("storage", sentence(phrase`Cannot ${doing}: ${phrase`the disk is full`}`)),
  )
  const rest = "the session continues in memory, and tools may not change anything until it can be written again"
  const text = `Cannot write the session: the disk is full; ${rest}`
  assert.ok("text" in notification && "phrase" in notification && notification.phrase)
  assert.deepEqual([notification.code, notification.level, notification.text], ["storage", "warn", text])
  assert.equal(englishOf(notification.phrase), text)
})

test("only the full stop at the end of a message is removed where it becomes a clause", () => {
  const notification = storageWarning(failure("storage", "Cannot write a.txt."))
  assert.ok("text" in notification)
  assert.match(notification.text, /^Cannot write a\.txt; the session continues/)
  const name = "a.txt"
  const own = storageWarning(failure("storage", phrase`The file v1.2 of ${name} is gone.`))
  assert.ok("text" in own)
  assert.match(own.text, /^The file v1\.2 of a\.txt is gone; the session continues/)
})

test("steps that the disk does not take are counted, and none where it takes them after all", async () => {
  const cause = new Error("ENOSPC")
  const full = failure("storage", "The disk is full.", { cause })
  const tape = (waiting: number, flushes: boolean, stalled: Tape["stalled"]) =>
    ({
      flush: () => flushes,
      settled: () => null,
      stalled,
      all: { length: 7 + waiting },
      store: { length: 7 },
    }) as unknown as Tape
  for (const [waiting, text] of [
    [1, "The disk is full; the last step of this session is not kept."],
    [2, "The disk is full; the last 2 steps of this session are not kept."],
  ] as const) {
    const why = await unwritten(tape(waiting, false, full))
    assert.deepEqual([why?.kind, why?.message, why?.cause], ["storage", text, cause])
  }
  assert.equal(await unwritten(tape(1, true, full)), null)
  assert.equal(await unwritten(tape(0, false, null)), null)
})

test("refusals of a session have a kind that programs know", () => {
  assert.deepEqual([busy().kind, busy().hint], ["denied", "use steer or follow_up"])
  assert.deepEqual([queueFull().kind, maxQueued], ["limit", 100])
  assert.match(queueFull().message, /^100 messages wait already/)
  assert.equal(noCommands().kind, "bad-request")
})

test("waiting messages are listed by kind, oldest first, with id and text only", () => {
  const queue = inputQueue(() => ({ steer: "all", followUp: "one" }))
  const head = { type: "input", parentId: null, timestamp: "2026-01-01T00:00:00.000Z", source: "user" } as const
  for (const [id, kind] of [
    ["1", "steer"],
    ["2", "follow_up"],
    ["3", "steer"],
    ["4", "prompt"],
  ] as const)
    queue.put({ ...head, id, kind, text: `text ${id}` })
  assert.deepEqual(queueUpdate(queue), {
    code: "queue",
    steer: [
      { id: "1", text: "text 1" },
      { id: "3", text: "text 3" },
    ],
    followUp: [{ id: "2", text: "text 2" }],
  })
})
