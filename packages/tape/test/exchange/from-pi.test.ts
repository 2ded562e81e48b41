import assert from "node:assert/strict"
import { test } from "node:test"
import { fromPi } from "../../src/exchange/index.ts"
import { migratePi, versionOf } from "../../src/exchange/migrate-pi.ts"
import { testIds } from "../world.ts"

const head = { type: "session", version: 3, id: "s", timestamp: "2024-05-01T10:00:00.000Z", cwd: "/p" }
const custom = (more: object) => ({ type: "custom", customType: "x", data: 1, ...more })
const now = Date.UTC(2025, 0, 1)

function read(...lines: readonly (object | string)[]) {
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n")
  return fromPi(text, testIds("z"), now)
}

test("lines are counted with the blank ones, a mark of the byte order is none, and problems stand in their order", () => {
  const { entries, problems } = read(
    "\uFEFF",
    { ...head, version: 4 },
    " \r",
    custom({}),
    "x",
    custom({ id: "a" }),
    "[]",
  )
  assert.equal(entries.length, 1)
  assert.deepEqual(problems, [
    { line: 1, reason: "version 4 is newer than 3" },
    { line: 4, reason: "an entry without an id" },
    { line: 5, reason: "not JSON" },
    { line: 7, reason: "not an object" },
  ])
  assert.deepEqual(read(head).problems, [])
  const [kept] = read(head, custom({ id: "a", data: "x\uFEFF" })).entries
  assert.equal(kept?.type === "custom" && kept.data, "x\uFEFF")
  assert.throws(() => read(`x\uFEFF${JSON.stringify(head)}`), /no session of Pi/)
  assert.throws(() => read({ ...head, id: 7 }), /no session of Pi/)
  assert.throws(() => read({ ...head, type: "custom" }), /no session of Pi/)
})

test("the start of a session: its folder, its workspace and time, as far as the file has them", () => {
  for (const [more, cwd, workspace, created] of [
    [{}, "/p", "/p", head.timestamp],
    [{ cwd: "" }, "/", "/", head.timestamp],
    [{ cwd: 7 }, "/", "/", head.timestamp],
    [{ gong: { workspace: "/w" } }, "/p", "/w", head.timestamp],
    [{ gong: { workspace: 7 } }, "/p", "/p", head.timestamp],
    [{ gong: 7 }, "/p", "/p", head.timestamp],
    [{ timestamp: "yesterday" }, "/p", "/p", "2025-01-01T00:00:00.000Z"],
  ] as const) {
    const found = read({ ...head, ...more })
    assert.deepEqual([found.id, found.cwd, found.workspace, found.created], ["s", cwd, workspace, created])
  }
})

test("a time that fits the head of a line stays; other times are rewritten, and invalid ones are taken from the entry above", () => {
  const long = `2024-05-01T${"1".repeat(20)}Z`
  const times = ["2024-05-01T10:00:01Z", 0, long, `2024-05-01T${"1".repeat(21)}Z`, "2024-05-02", null, true, {}, "x"]
  const { entries } = read(
    head,
    custom({ id: "a" }),
    ...times.map((timestamp, at) => custom({ id: `b${at}`, timestamp })),
  )
  const second = "2024-05-02T00:00:00.000Z"
  assert.deepEqual(
    entries.map(({ timestamp }) => timestamp),
    [head.timestamp, times[0], "1970-01-01T00:00:00.000Z", long, long, second, second, second, second, second],
  )
  const odd = ["x2024-05-01T10:00:01Z", "2024-05-01T10:00:01Zx", "2024-05-01T10:00:01Z\n"]
  for (const timestamp of odd) {
    const [entry] = read(head, custom({ id: "a", timestamp })).entries
    assert.match(entry?.timestamp ?? "", /^2024-05-01T10:00:0[01]\.000Z$/, timestamp)
  }
})

test("an id of our form stays, another gets one, and parents follow", () => {
  const [own, long] = ["abcdefghijk1", "abcdefghijk12"]
  const { entries, problems } = read(
    head,
    custom({ id: own }),
    custom({ id: long, parentId: own }),
    custom({ id: `x ${own}`, parentId: long }),
    custom({ id: "ABCDEFGHIJK1", parentId: own }),
    custom({ id: "root", parentId: "s" }),
    custom({ id: "lost", parentId: "nowhere" }),
  )
  const [z0, z1, z2, z3, z4] = [0, 1, 2, 3, 4].map((at) => `z0000000000${at}`)
  assert.deepEqual(
    entries.map(({ id, parentId }) => [id, parentId]),
    [
      [own, null],
      [z0, own],
      [z1, z0],
      [z2, own],
      [z3, null],
      [z4, z3],
    ],
  )
  assert.deepEqual(problems, [{ line: 7, reason: "its parent is not there; it follows the entry above it" }])
})

test("a record that becomes no entry leaves its id to others", () => {
  const { entries, problems } = read(head, custom({ id: "a", customType: 7 }), custom({ id: "a" }), custom({ id: "a" }))
  assert.equal(entries.length, 1)
  assert.deepEqual(problems, [
    { line: 2, reason: "custom without a customType" },
    { line: 4, reason: "a second entry with id a" },
  ])
})

test("the version is a number in the header; version 1 has none", () => {
  assert.deepEqual([versionOf([]), versionOf([{ version: "3" }]), versionOf([{ version: 2 }])], [1, 1, 2])
})

test("of the second version only messages of hooks change, of the first one only what has no id yet", () => {
  const ids = () => "n"
  const second = { type: "session", version: 2 }
  const others = [
    { type: "message", message: { role: "user" } },
    { type: "message", message: null },
    { type: "message" },
    { type: "custom", message: { role: "hookMessage" } },
  ]
  assert.deepEqual(migratePi([second, ...others], ids), [{ ...second, version: 3 }, ...others])
  const hook = { type: "message", message: { role: "hookMessage", content: "x" } }
  const own = { type: "message", message: { role: "custom", content: "x" } }
  assert.deepEqual(migratePi([second, hook], ids), [{ ...second, version: 3 }, own])
  const third = [{ ...second, version: 3 }, hook]
  assert.equal(migratePi(third, ids), third)
  let made = 0
  const first = migratePi(
    [
      { type: "session" },
      { type: "custom", firstKeptEntryIndex: 0 },
      { type: "compaction", firstKeptEntryIndex: 1 },
      { type: "compaction", firstKeptEntryIndex: 0 },
      { type: "compaction", firstKeptEntryIndex: 9 },
    ],
    () => `n${++made}`,
  )
  assert.deepEqual(first, [
    { type: "session", version: 3 },
    { type: "custom", firstKeptEntryIndex: 0, id: "n1", parentId: null },
    { type: "compaction", firstKeptEntryId: "n1", id: "n2", parentId: "n1" },
    { type: "compaction", id: "n3", parentId: "n2" },
    { type: "compaction", id: "n4", parentId: "n3" },
  ])
})
