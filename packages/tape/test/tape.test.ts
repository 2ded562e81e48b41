import assert from "node:assert/strict"
import { test } from "node:test"
import type { Entry } from "@gong/spec"
import { context, createTape, cost, type Fold, pending, runs } from "../src/index.ts"
import { openStore } from "../src/store/file.ts"
import { input, newTape, reopen, reply, testIds, testPorts, user } from "./world.ts"

const texts = (entries: readonly Entry[]): string[] =>
  entries.map((entry) => (entry.type === "message" ? JSON.stringify(entry.message.content) : entry.type))

/** Counts its steps, so that a test sees which entries were folded again. */
function counting(): { readonly fold: Fold<string[]>; steps: number } {
  const counter = {
    steps: 0,
    fold: {
      initial: () => [],
      step(state: string[], entry: Entry) {
        counter.steps += 1
        return [...state, entry.id]
      },
    },
  }
  return counter
}

test("entries get an id, the leaf as parent, the time of the clock, and are frozen", () => {
  const ports = testPorts()
  const tape = newTape(ports)
  ports.clock.advance(1500)
  const [first, second] = tape.append([user("a"), user("b")], { sync: true })
  assert.equal(first?.timestamp, "2025-01-01T00:00:01.500Z")
  assert.equal(second?.parentId, first?.id)
  assert.equal(tape.leaf, second?.id)
  assert.deepEqual(Object.keys(first ?? {}), ["id", "parentId", "type", "timestamp", "message"])
  assert.ok(Object.isFrozen(first) && first?.type === "message" && Object.isFrozen(first.message))
})

test("[SESSION-12] going on from an earlier entry starts a branch there and keeps the other", () => {
  const ports = testPorts()
  const tape = newTape(ports)
  const [, one] = tape.append([input("a"), user("one")], { sync: true })
  const [two] = tape.append([reply("two")], { sync: true })
  const summary = tape.navigate(one?.id ?? "", "tried two")
  assert.equal(summary.parentId, one?.id)
  assert.deepEqual(summary.type === "branch_summary" && summary.fromId, two?.id)
  const [three] = tape.append([reply("three")], { sync: true })
  assert.deepEqual(
    tape.entriesOfBranch().map((entry) => entry.type),
    ["anchor", "input", "message", "branch_summary", "message"],
  )
  assert.ok(tape.has(two?.id ?? ""))
  tape.close()
  const again = reopen({ ...ports, ids: testIds("b") })
  assert.equal(again.leaf, three?.id)
  assert.deepEqual(again.entriesOfBranch(), tape.entriesOfBranch())
  again.navigate(two?.id ?? "", "")
  assert.deepEqual(texts(again.entriesOfBranch()).slice(2, 4), texts([one as Entry, two as Entry]))
})

test("a followed fold is computed when it is first read, steps with each append, and anew after navigating", () => {
  const tape = newTape(testPorts())
  const counter = counting()
  const followed = tape.follow(counter.fold)
  const [a] = tape.append([user("a")], { sync: true })
  assert.equal(counter.steps, 0)
  assert.equal(followed.value.length, 2)
  tape.append([user("b")], { sync: true })
  assert.equal(counter.steps, 3)
  assert.equal(followed.value.length, 3)
  tape.navigate(a?.id ?? "", "")
  assert.deepEqual(
    followed.value,
    tape.entriesOfBranch().map((entry) => entry.id),
  )
})

test("a fold that is followed often is computed once, and an entry steps it once", () => {
  const tape = newTape(testPorts())
  tape.append([user("a"), user("b")], { sync: true })
  const counter = counting()
  for (let at = 0; at < 3; at++) assert.equal(tape.follow(counter.fold).value.length, 3)
  assert.equal(counter.steps, 3)
  tape.append([user("c")], { sync: true })
  assert.equal(counter.steps, 4)
  assert.equal(tape.follow(counter.fold).value.length, 4)
})

test("opening reads only the bodies that the context since the last compaction needs", () => {
  const ports = testPorts()
  const tape = newTape(ports)
  tape.append(
    [{ type: "model_change", provider: "acme", modelId: "m2" }, ...Array.from({ length: 50 }, () => user("old"))],
    {
      sync: true,
    },
  )
  const [kept] = tape.append([user("kept")], { sync: true })
  tape.handoff("compaction", {
    entries: [{ type: "compaction", summary: "50 olds", firstKeptEntryId: kept?.id ?? "", tokensBefore: 9 }],
  })
  tape.append([user("new")], { sync: true })
  tape.close()
  const store = openStore(ports, { path: "/sessions/s1" })
  let bodies = 0
  const again = createTape({ ...store, heads: store.heads, entry: (at) => (bodies++, store.entry(at)) }, ports)
  const { value } = again.follow(context)
  assert.deepEqual(value.model, { provider: "acme", id: "m2" })
  assert.equal(value.messages.length, 3)
  assert.ok(bodies <= 7, `${bodies} bodies`)
})

test("messages keep their identity through the folds", () => {
  const tape = newTape(testPorts())
  const followed = tape.follow(context)
  const [one] = tape.append([user("one")], { sync: true })
  const before = followed.value
  tape.append([reply("two")], { sync: true })
  const message = one?.type === "message" ? one.message : null
  assert.equal(followed.value.messages[0], message)
  assert.equal(followed.value.messages, before.messages, "the same array, grown")
  assert.equal(tape.follow(context).value.messages[0], message)
})

test("the cost counts left branches, pending inputs and runs do not", () => {
  const tape = newTape(testPorts())
  const [money, inputs, ran] = [tape.follow(cost), tape.follow(pending), tape.follow(runs)]
  const [root] = tape.append([user("a")], { sync: true })
  tape.append([reply("b"), input("later"), { type: "run_end", status: "done", turns: 1 }], { sync: true })
  assert.deepEqual([money.value.total.cost, inputs.value.size, ran.value.open], [0.5, 1, false])
  tape.navigate(root?.id ?? "", "")
  tape.append([reply("c")], { sync: true })
  assert.deepEqual([money.value.total.cost, inputs.value.size, ran.value.open], [1, 0, true])
})

test("one unknown cost makes the sum unknown, and known parts are counted", () => {
  const tape = newTape(testPorts())
  const unknown = reply("cut")
  if (unknown.type === "message" && unknown.message.role === "assistant")
    tape.append([reply("b"), { ...unknown, message: { ...unknown.message, cost: null } }, reply("c")], { sync: true })
  const { total, models } = tape.follow(cost).value
  for (const sum of [total, ...models.values()]) assert.deepEqual([sum.cost, sum.knownCost, sum.calls], [null, 1, 3])
})

test("an entry that cannot be serialized is refused, and the tape does not change", () => {
  const tape = newTape(testPorts())
  const circle: Record<string, unknown> = {}
  circle["self"] = circle
  assert.throws(() => tape.append([{ type: "custom", customType: "x", data: circle }], { sync: true }))
  assert.equal(tape.branch.length, 1)
  assert.equal(tape.stalled, null)
  const [next] = tape.append([user("a")], { sync: true })
  assert.equal(tape.leaf, next?.id)
})

test("navigating to a missing entry throws and changes nothing", () => {
  const tape = newTape(testPorts())
  const { leaf } = tape
  assert.throws(
    () => tape.navigate("000000000000", ""),
    /^Error: Internal error in Gong: entry 000000000000 is on the tape$/,
  )
  assert.equal(tape.leaf, leaf)
})
