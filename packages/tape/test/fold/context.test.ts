import assert from "node:assert/strict"
import { test } from "node:test"
import { skillText, textOf } from "@gong/spec"
import { type AppendEntry, context, messageIds, type Tape } from "../../src/index.ts"
import { input, newTape, reply, result, testPorts, user } from "../world.ts"

const prune = (upTo: string | null, more: object = {}): AppendEntry => ({
  type: "prune",
  upTo,
  chars: 0,
  tokensBefore: 2,
  tokensAfter: 1,
  ...more,
})

/** Appends one entry; returns its id. */
function add(tape: Tape, body: AppendEntry): string {
  return tape.append([body], { sync: false })[0]?.id ?? ""
}

/** A result that a prune shortens. */
function long(callId: string): AppendEntry {
  const body = result(callId)
  return { ...body, message: { ...body.message, content: [{ type: "text", text: "x".repeat(500) }] } } as AppendEntry
}

function compact(tape: Tape, firstKeptEntryId: string, summary = "s"): string {
  const body: AppendEntry = { type: "compaction", summary, firstKeptEntryId, tokensBefore: 9 }
  return tape.handoff("compaction", { entries: [body] })[1]?.id ?? ""
}

test("messages are one array while it grows; a prune and a compaction make another, from whose end replies count anew", () => {
  const tape = newTape(testPorts())
  add(tape, user("a"))
  const followed = tape.follow(context)
  const { messages } = followed.value
  assert.equal(followed.value.countedFrom, 0)
  add(tape, reply("b"))
  assert.deepEqual([followed.value.messages === messages, followed.value.countedFrom], [true, 0])
  add(tape, prune(null))
  assert.deepEqual([followed.value.messages === messages, followed.value.countedFrom], [false, 2])
  const kept = add(tape, user("c"))
  compact(tape, kept)
  add(tape, reply("d"))
  assert.deepEqual([followed.value.messages.length, followed.value.countedFrom], [3, 2])
})

test("each message has the id of its entry, also where the kept part begins with an entry of another type", () => {
  const tape = newTape(testPorts())
  add(tape, user("old"))
  const followed = tape.follow(context)
  for (const round of ["first", "second"]) {
    const kept = add(tape, input(round))
    const ids = [add(tape, user(round)), add(tape, reply(round))]
    ids.unshift(compact(tape, kept))
    ids.push(add(tape, user("after")))
    assert.deepEqual(messageIds(followed.value), ids, round)
    assert.deepEqual(messageIds(tape.follow(context).value), ids, `${round}, read at once`)
  }
})

test("a prune shortens results up to its entry and none after it, with and without an earlier compaction", () => {
  for (const compacted of [false, true]) {
    const tape = newTape(testPorts())
    if (compacted) compact(tape, add(tape, user("first")))
    add(tape, reply("r", ["c1", "c2"]))
    const upTo = add(tape, long("c1"))
    add(tape, long("c2"))
    add(tape, prune(upTo))
    const lengths = tape
      .follow(context)
      .value.messages.slice(-2)
      .map((message) => textOf(message).length > 300)
    assert.deepEqual(lengths, [false, true])
  }
})

test("a prune of missing entries changes no message, not even a summary that looks like a skill", () => {
  const tape = newTape(testPorts())
  compact(tape, add(tape, user("first")), skillText("release", "/s/SKILL.md", ["body"]))
  add(tape, long("c1"))
  const followed = tape.follow(context)
  const { messages } = followed.value
  for (const more of [{}, { whole: ["notthere0000"] }, { skills: [{ id: "notthere0000", line: "[gone]" }] }])
    for (const upTo of [null, "notthere0000"]) add(tape, prune(upTo, more))
  assert.deepEqual(
    followed.value.messages.map((message, at) => message === messages[at]),
    [true, true, true],
  )
})
