import assert from "node:assert/strict"
import { test } from "node:test"
import type { AppendEntry } from "@gong/tape"
import { idsIn, openChanges } from "../../src/changes/open-changes.ts"
import { reply } from "../compaction/messages.ts"
import { place, start } from "../world.ts"

async function folded(...bodies: readonly AppendEntry[]) {
  const { tape } = await start(place())
  return { ...tape.follow(openChanges), tape, ids: tape.append(bodies, { sync: false }).map(({ id }) => id) }
}

const change = (path: string, callId = "c1", more: object = {}): AppendEntry => ({
  type: "change",
  callId,
  path,
  before: null,
  after: null,
  ...more,
})
const started = (callId: string, name: string, more: object = {}): AppendEntry => ({
  type: "tool_start",
  callId,
  name,
  title: "",
  ...more,
})
const said = (...calls: readonly (readonly [id: string, name: string])[]): AppendEntry => ({
  type: "message",
  message: reply(
    "",
    calls.map(([id, name]) => ({ id, name, args: { of: id } })),
  ),
})
const custom = (customType: string, data: unknown): AppendEntry => ({ type: "custom", customType, data })

/** Path, call, and number of started calls of each open change. */
function rows(value: ReturnType<typeof openChanges.initial>) {
  return [...value.byPath].map(([path, changes]) => [
    path,
    ...changes.map(({ call, begun }) => [call?.name ?? null, call?.arguments ?? null, begun]),
  ])
}

test("an open change has its call, with the arguments that it ran with, and the calls that had started before", async () => {
  const { tape } = await folded(
    said(["c1", "edit"], ["c2", "write"]),
    started("c1", "edit"),
    change("/a"),
    started("c2", "write", { arguments: { other: true } }),
    change("/b", "c2"),
    change("/a", "c2"),
    said(["c3", "edit"]),
    started("c3", "bash"),
    change("/c", "c1"),
  )
  const { value } = tape.follow(openChanges)
  assert.deepEqual(rows(value), [
    ["/a", ["edit", { of: "c1" }, 1], ["write", { other: true }, 2]],
    ["/b", ["write", { other: true }, 2]],
    ["/c", [null, null, 3]],
  ])
  assert.deepEqual([value.begun, value.cut], [["edit", "write", "bash"], null])
})

test("imported changes and those of undo and redo are not the session's; the last reason of an incomplete scan counts", async () => {
  const { tape } = await folded(
    change("/a", "undo"),
    change("/b", "redo"),
    change("/c", "c1", { imported: true }),
    change("/d"),
    custom("gong.sweep-cut", "too many files"),
    custom("gong.sweep-cut", "no time"),
    custom("other", "x"),
  )
  const { value } = tape.follow(openChanges)
  assert.deepEqual([[...value.byPath.keys()], value.cut], [["/d"], "no time"])
})

test("undone changes are closed, and a redo opens them again before later ones", async () => {
  const { tape, ids } = await folded(change("/a", "c1"), change("/a", "c2"), change("/b", "c3"))
  const [first = "", second = "", third = ""] = ids
  const open = () =>
    [...tape.follow(openChanges).value.byPath].map(([path, changes]) => [path, ...changes.map(({ entry }) => entry.id)])
  const append = (body: AppendEntry) => void tape.append([body], { sync: false })
  append(custom("gong.undo", { undone: [first] }))
  assert.deepEqual(open(), [
    ["/a", second],
    ["/b", third],
  ])
  append(custom("gong.undo", { undone: [third, "unknown"] }))
  assert.deepEqual(open(), [["/a", second]])
  append(custom("gong.redo", { redone: [first, "unknown"] }))
  assert.deepEqual(open(), [["/a", first, second]])
  append(custom("gong.redo", { redone: [first] }))
  assert.deepEqual(open(), [["/a", first, second]])
  append(custom("gong.undo", { redone: [first] }))
  append(custom("gong.redo", { undone: [third] }))
  append(custom("other", { undone: [first] }))
  assert.deepEqual(open(), [["/a", first, second]])
})

test("ids are read from the data of an undo or a redo, whatever an imported session has there", () => {
  assert.deepEqual(idsIn({ undone: ["a", 1, "b", null] }, "undone"), ["a", "b"])
  for (const data of [null, "x", [], { undone: "a" }, { redone: ["a"] }]) assert.deepEqual(idsIn(data, "undone"), [])
})
