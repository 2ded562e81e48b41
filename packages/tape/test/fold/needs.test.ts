import assert from "node:assert/strict"
import { test } from "node:test"
import type { Entry, EntryBody } from "@gong/spec"
import {
  branchOf,
  cost,
  filesChanged,
  filesSeen,
  type Fold,
  foldBranch,
  removedCallIds,
  labels,
  pending,
  runs,
  sessionName,
  todos,
  unfinished,
} from "../../src/index.ts"
import { input, reply, result, start, usage, user } from "../world.ts"

const change = { type: "change", callId: "c1", path: "/a", before: null, after: "00" } as const
const bodies: readonly EntryBody[] = [
  result("c0"),
  user("a"),
  reply("b", ["c1"]),
  start("c1"),
  change,
  result("c1"),
  input("go"),
  { type: "input_drop", inputId: "x", reason: "no" },
  { type: "model_call", purpose: "summary", usage, cost: 1 },
  { type: "model_change", provider: "acme", modelId: "m2" },
  { type: "label", targetId: "x", label: "here" },
  { type: "session_info", name: "first" },
  { type: "compaction", summary: "s", firstKeptEntryId: "x", tokensBefore: 1 },
  { type: "run_end", status: "done", turns: 1 },
  { type: "session_info", name: "second" },
]
const entries = bodies.map(
  (body, at) => ({ id: `a${at}`, parentId: null, timestamp: "2025-01-01T00:00:00.000Z", ...body }) as Entry,
)
/** The kinds as the store knows them: with the role of a message. */
const branch = {
  ...branchOf(entries),
  kind: (at: number) => {
    const { type, message } = entries[at] as { type: Entry["type"]; message?: { role: "user" } }
    return message === undefined ? { type } : { type, role: message.role }
  },
}

const needed: readonly (readonly [name: string, fold: Fold<unknown>, places: readonly number[]])[] = [
  ["cost", cost, [2, 8, 9]],
  ["filesChanged", filesChanged, [0, 4, 5]],
  ["filesSeen", filesSeen, [0, 5, 6]],
  ["removedCallIds", removedCallIds, [12]],
  ["labels", labels, [10]],
  ["pending", pending, [6, 7]],
  ["runs", runs, [1, 13]],
  ["sessionName", sessionName, [14]],
  ["todos", todos, [0, 5]],
  ["unfinished", unfinished, [2, 3, 5]],
]

for (const [name, { needs }, places] of needed)
  test(`only bodies that count are read: ${name}`, () => {
    assert.deepEqual([...(needs?.(branch) ?? [])], places)
  })

test("where no reply is, and no name, all that may count is read from the first entry on", () => {
  const first = branchOf(entries.slice(0, 2))
  assert.deepEqual([...(unfinished.needs?.(first) ?? [])], [0, 1])
  assert.deepEqual([...(sessionName.needs?.(first) ?? [])], [])
})

test("a role that the head of a line does not show may be any", () => {
  const unknown = { ...branch, kind: (at: number) => ({ type: branch.kind(at).type }) }
  assert.deepEqual([...(todos.needs?.(unknown) ?? [])], [0, 1, 2, 5])
})

test("a branch over entries has those and no others", () => {
  assert.equal(foldBranch(sessionName, branchOf(entries)), "second")
  assert.equal(branchOf(entries).entry(14), entries[14])
  assert.throws(() => branchOf(entries).entry(15), /no entry 15 on the branch/)
})
