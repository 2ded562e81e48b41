import assert from "node:assert/strict"
import { test } from "node:test"
import { type AppendEntry, type Fold, removedCallIds, labels, todos, transcript, unfinished } from "../../src/index.ts"
import { input, newTape, reply, result, start, testPorts, user } from "../world.ts"

/** A fold that is followed from an empty tape on, so that it steps over every entry. */
function followed<S>(fold: Fold<S>, ...bodies: readonly AppendEntry[]): S {
  const tape = newTape(testPorts())
  const { value } = tape.follow(fold)
  assert.notEqual(value, undefined)
  const now = tape.follow(fold)
  assert.notEqual(now.value, undefined)
  tape.append(bodies, { sync: false })
  return now.value
}

const compaction = { type: "compaction", summary: "so far", firstKeptEntryId: "x", tokensBefore: 9 } as const

test("transcript: compactions and branches that were left have rows with their words", () => {
  const { rows } = followed(transcript, compaction, { type: "branch_summary", fromId: "b", summary: "tried" })
  const [first, second] = rows.map(({ id: _, ...row }) => row)
  assert.deepEqual(first, { kind: "compaction", summary: "so far", tokensBefore: 9 })
  assert.deepEqual(second, { kind: "branch", fromId: "b", summary: "tried" })
})

test("transcript: an input and a call are used up by the first that names them", () => {
  const tape = newTape(testPorts())
  const [asked] = tape.append([{ ...input("go"), kind: "steer" }], { sync: false })
  tape.append([user("go", asked?.id), user("again", asked?.id)], { sync: false })
  tape.append([reply("r", ["c1"]), start("c1"), result("c1"), result("c1"), start("c1")], { sync: false })
  const { rows } = tape.follow(transcript).value
  assert.deepEqual(
    rows.map((row) => (row.kind === "user" ? row.input : row.kind === "tool" ? row.start !== null : row.kind)),
    ["steer", "prompt", "assistant", true, false],
  )
})

test("unfinished: only a start is one, of a call that is open, and only a result ends a call", () => {
  const change = { type: "change", callId: "c1", path: "/a", before: null, after: "00" } as const
  const calls = followed(unfinished, reply("a", ["c1"]), change, start("lost"), user("steer"))
  assert.deepEqual(
    [...calls.values()].map(({ call, start }) => [call.id, start]),
    [["c1", null]],
  )
  assert.equal(followed(unfinished, reply("a", ["c1"]), start("c1")).get("c1")?.start?.callId, "c1")
})

test("calls that compactions took out are gone, and only those", () => {
  const more: AppendEntry = { type: "custom", customType: "x", data: 1 }
  const other = { ...more, callIds: ["c9"] } as AppendEntry
  const gone = followed(removedCallIds, compaction, { ...compaction, callIds: ["c1"] }, other, {
    ...compaction,
    callIds: ["c2"],
  })
  assert.deepEqual([...gone], ["c1", "c2"])
})

test("the list of things to do outlives everything but a result that has one and went well", () => {
  const list = (content: string) => ({ todos: [{ content, status: "pending" }] })
  const failed = result("c2", list("second"))
  const error = { ...failed, message: { ...failed.message, status: "error", isError: true } } as AppendEntry
  const value = followed(todos, result("c1", list("first")), error, result("c3", { todos: 7 }), user("a"), start("c4"))
  assert.deepEqual(value, [{ content: "first", status: "pending" }])
})

test("folds over the whole tape keep their value on another branch", () => {
  const tape = newTape(testPorts())
  const [first] = tape.append([user("a")], { sync: false })
  tape.append([{ type: "label", targetId: first?.id ?? "", label: "here" }], { sync: false })
  const [all, branch] = [tape.follow(labels), tape.follow(transcript)]
  const before = [all.value, branch.value]
  tape.navigate(first?.id ?? "", "")
  assert.deepEqual([all.value === before[0], branch.value === before[1]], [true, false])
  assert.equal(all.value.size, 1)
})
