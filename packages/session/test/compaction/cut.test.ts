import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { estimateTokens, type Message, toolCallsOf } from "@gong/spec"
import { findCut, withoutOrphans } from "../../src/compaction/cut.ts"
import { reply, result, talk, user, words } from "./messages.ts"

const isUser = (messages: readonly Message[]) => (at: number) => messages[at]?.role === "user"

function cut(messages: readonly Message[], keep: number, windowSize?: number) {
  return findCut(messages, { keep, isStart: isUser(messages), ...(windowSize === undefined ? {} : { windowSize }) })
}

test("[COMPACT-S.06] from the newest message back until the budget is passed", () => {
  const messages = talk(40, 1000)
  const found = cut(messages, 20_000)
  assert.equal(found?.splitTurn, null)
  const kept = messages.slice(found?.from)
  assert.ok(estimateTokens(kept) > 20_000 && estimateTokens(kept) < 23_000, `${estimateTokens(kept)}`)
  assert.equal(cut(messages.slice(0, 10), 20_000), null, "what fits into the budget is not cut")
  const ten = estimateTokens(messages.slice(30))
  assert.equal(cut(messages, ten - 1)?.from, 30, "the tenth passes it")
  assert.equal(cut(messages, ten)?.from, 28, "ten just fit: it is the turn before that passes it")
})

test("[BDD-COMPACT-015] [COMPACT-S.07] a cut at a result moves to the user's message before it", () => {
  const messages = [
    user("old"),
    reply("old answer"),
    user("read them"),
    reply("", [{ id: "c1", name: "read" }]),
    result("c1", words(600)),
    reply("", [{ id: "c2", name: "read" }]),
    result("c2", words(600)),
  ]
  assert.deepEqual(cut(messages, 1000), { from: 2, splitTurn: null })
})

test("[COMPACT-S.07] [COMPACT-S.12] a turn of more than twice the budget is cut at one of its replies, with the results of that", () => {
  const rounds = Array.from({ length: 10 }, (_, at) => [
    reply("", [{ id: `c${at}`, name: "read" }]),
    result(`c${at}`, words(500)),
  ]).flat()
  const messages = [user("first"), reply("yes"), user("go"), ...rounds]
  const found = cut(messages, 1000)
  assert.equal(found?.splitTurn, 2)
  assert.equal(messages[found?.from ?? 0]?.role, "assistant")
  const kept = estimateTokens(messages.slice(found?.from))
  assert.ok(kept > 1000 && kept <= 2000, `${kept}`)
})

test("a reply whose results alone are too many tokens is kept whole when nothing comes after it, and left when something does", () => {
  const huge = [user("go"), reply("a"), reply("", [{ id: "c1", name: "read" }]), result("c1", words(9000))]
  assert.deepEqual(cut(huge, 1000), { from: 2, splitTurn: 0 })
  assert.deepEqual(cut([...huge, reply("so")], 1000), { from: 4, splitTurn: 0 })
  assert.deepEqual(cut([...huge, user("and now")], 1000), { from: 4, splitTurn: null })
  assert.equal(cut(huge.slice(0, 1), 0), null, "the only message stays")
})

test("a turn that begins with the second message is kept whole, within twice the budget", () => {
  const turn = [user("go"), reply("a"), user(words(600))]
  assert.deepEqual(cut([reply("summary"), ...turn.slice(2)], 500), { from: 1, splitTurn: null })
  const size = estimateTokens(turn.slice(0, 1)) + estimateTokens([reply(words(600))])
  const long = [reply("summary"), user("go"), reply(words(600))]
  assert.deepEqual(cut(long, Math.ceil(size / 2)), { from: 1, splitTurn: null })
  assert.deepEqual(cut(long, Math.ceil(size / 2) - 1), { from: 2, splitTurn: 1 })
})

test("[BDD-COMPACT-016] a result whose call is gone is removed", () => {
  const kept = [result("gone", "x"), user("u"), reply("", [{ id: "c1", name: "read" }]), result("c1", "y")]
  assert.deepEqual(withoutOrphans(kept), kept.slice(1))
})

const block = fc.oneof(
  fc.nat(3000).map((size) => (id: number) => [user(`${id}${words(size)}`)]),
  fc.nat(500).map((size) => (id: number) => [reply(`${id}${words(size)}`)]),
  fc.array(fc.nat(4000), { minLength: 1, maxLength: 4 }).map((sizes) => (id: number) => [
    reply(
      "",
      sizes.map((_, at) => ({ id: `c${id}.${at}`, name: "read" })),
    ),
    ...sizes.map((size, at) => result(`c${id}.${at}`, words(size))),
  ]),
)

test("[COMPACT-S.12] [BDD-COMPACT-016] whatever the conversation, both parts are whole: no result without its call, no call without its result", () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 20 }), fc.integer({ min: 1, max: 8000 }), (blocks, keep) => {
      const messages = blocks.flatMap((make, at) => make(at))
      const found = cut(messages, keep)
      if (found === null) return
      assert.ok(found.from > 0 && found.from < messages.length)
      for (const part of [messages.slice(0, found.from), messages.slice(found.from)]) {
        assert.deepEqual(withoutOrphans(part), part)
        const answered = new Set(part.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : [])))
        const called = part.flatMap((message) => (message.role === "assistant" ? toolCallsOf(message) : []))
        assert.ok(called.every(({ id }) => answered.has(id)))
      }
      assert.notEqual(messages[found.from]?.role, "tool")
    }),
    { seed: 20250101, numRuns: 500 },
  )
})
