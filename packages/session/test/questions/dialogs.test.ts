import assert from "node:assert/strict"
import { getEventListeners } from "node:events"
import { test } from "node:test"
import type { DialogRequest, Notification } from "@gong/spec"
import { manualClock, settle } from "@gong/testing/sim/clock"
import { createDialogs, type Dialogs } from "../../src/questions/dialogs.ts"

const { signal } = new AbortController()

function request(id: string, freeText = false): DialogRequest {
  return { id, toolCallId: id, question: "?", choices: [{ label: "A" }, { label: "B" }], freeText }
}

function open(answerTime: number | null = null) {
  const clock = manualClock()
  const printed: string[] = []
  const dialogs: Dialogs = createDialogs({ clock, answerTime: () => answerTime }, (notification: Notification) => {
    if (notification.code === "ui_request")
      printed.push(`${notification.id} asked${notification.expiresAt === undefined ? "" : ", for a time"}`)
    if (notification.code === "ui_end") printed.push(`${notification.id} ended by ${notification.by}`)
  })
  return { clock, printed, dialogs }
}

test("an answer that was offered is taken, once; anything else leaves the dialog open", async () => {
  const { dialogs, printed } = open()
  const asked = dialogs.ask(request("u1"), signal)
  await settle()
  assert.deepEqual(
    dialogs.open.map(({ id }) => id),
    ["u1"],
  )
  assert.equal(dialogs.reply("u2", { choice: "A" }), "unknown")
  assert.equal(dialogs.reply("u1", { choice: "C" }), "not-offered")
  assert.equal(dialogs.reply("u1", { text: "mine" }), "not-offered")
  assert.equal(dialogs.reply("u1", { choice: "B" }), "taken")
  assert.deepEqual(await asked, { choice: "B", by: "user" })
  assert.deepEqual([dialogs.reply("u1", { choice: "A" }), dialogs.open], ["unknown", []])
  assert.deepEqual(printed, ["u1 asked", "u1 ended by user"])
})

test("words of one's own where they are wanted, and no answer at all", async () => {
  const { dialogs } = open()
  for (const [id, answer] of [
    ["u1", { text: "mine" }],
    ["u2", {}],
  ] as const) {
    const asked = dialogs.ask(request(id, true), signal)
    await settle()
    assert.equal(dialogs.reply(id, answer), "taken")
    assert.deepEqual(await asked, { ...answer, by: "user" })
  }
})

test("one dialog at a time; an abort closes open and waiting ones, a timeout one without an answer", async () => {
  const { dialogs, printed } = open()
  const stop = new AbortController()
  const both = [dialogs.ask(request("u1"), stop.signal), dialogs.ask(request("u2"), stop.signal)]
  await settle()
  assert.deepEqual(
    dialogs.open.map(({ id }) => id),
    ["u1"],
  )
  stop.abort()
  assert.deepEqual(await Promise.all(both), [{ by: "stop" }, { by: "stop" }])
  assert.deepEqual(printed, ["u1 asked", "u1 ended by stop"])

  const timed = open(5000)
  const late = timed.dialogs.ask(request("u1"), signal)
  await settle()
  assert.deepEqual(timed.printed, ["u1 asked, for a time"])
  await timed.clock.advance(5000)
  assert.deepEqual(await late, { by: "timeout" })
  assert.deepEqual(timed.dialogs.open, [])
})

test("a dialog leaves no listener and no timer at its end, and one aborted before it is shown is not shown", async () => {
  const { dialogs, clock, printed } = open(1_000)
  const stop = new AbortController()
  const asked = dialogs.ask(request("u1"), stop.signal)
  await settle()
  assert.equal(dialogs.open[0]?.expiresAt, new Date(clock.now() + 1_000).toISOString())
  assert.equal(dialogs.reply("u1", { choice: "A" }), "taken")
  await asked
  assert.deepEqual([getEventListeners(stop.signal, "abort").length, clock.waiting], [0, 0])
  assert.deepEqual(await dialogs.ask(request("u2"), AbortSignal.abort()), { by: "stop" })
  assert.deepEqual([clock.waiting, printed], [0, ["u1 asked, for a time", "u1 ended by user"]])
})

test("a dialog expires at a time only where answers have a time limit", async () => {
  for (const [answerTime, expected] of [
    [5_000, "u1 asked, for a time"],
    [null, "u1 asked"],
  ] as const) {
    const { dialogs, printed } = open(answerTime)
    const asked = dialogs.ask(request("u1"), signal)
    await settle()
    assert.deepEqual(printed, [expected])
    assert.equal(dialogs.reply("u1", { choice: "A" }), "taken")
    await asked
  }
})
