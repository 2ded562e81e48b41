import assert from "node:assert/strict"
import { test } from "node:test"
import { input, user } from "../world.ts"
import { linesOf, memoryHome, sessions } from "./memory.ts"

test("every write to a tape is noticed, and nothing is read twice", (t) => {
  const home = memoryHome(t)
  const tape = home.make("a")
  const index = home.index()
  const steps = (): unknown => index.list().sessions[0]?.entries
  assert.ok(index.catchUp().bytes > 0)
  assert.deepEqual([index.catchUp().bytes, steps()], [0, 1])
  tape.append([user("a")], { sync: false })
  assert.ok(index.catchUp().bytes > 0, "a line in the same millisecond")
  assert.deepEqual([index.catchUp().bytes, steps()], [0, 2])
  tape.close()
  home.edit(linesOf("a"), (text) => text.replace("session-start", "session_start"))
  assert.deepEqual([index.catchUp().bytes, steps()], [0, 2], "neither its size nor its time is another")
  home.clock.advance(1)
  home.edit(linesOf("a"), (text) => text.replace('"text":"a"', '"text":"b"'))
  index.catchUp()
  assert.equal(steps(), 0)
})

test("a tape of another day in the same folder is read again, and a removed one is forgotten", (t) => {
  const home = memoryHome(t)
  home.make("a").append([user("needle")], { sync: false })
  const index = home.index()
  index.catchUp()
  home.clock.advance(1)
  home.edit(`${sessions}/a/tape.json`, (text) => text.replace("2025-01-01T00:00:00.000Z", "2024-01-01T00:00:00.000Z"))
  home.edit(linesOf("a"), (text) => `${text}x\n`)
  index.catchUp()
  const [one] = index.list().sessions
  assert.deepEqual([one?.created, one?.entries, one?.damaged], ["2024-01-01T00:00:00.000Z", 2, 1])
  home.clock.advance(1)
  home.edit(`${sessions}/a/tape.json`, () => "{}")
  home.edit(linesOf("a"), (text) => `${text}y\n`)
  assert.equal(index.catchUp().bytes, 0)
  assert.deepEqual([index.list().total, index.search("needle")?.total], [0, 0])
})

test("hidden folders and those without phases are no tapes", (t) => {
  const home = memoryHome(t)
  home.make("x").close()
  home.disk.rename(`${sessions}/x`, `${sessions}/.tmp-x`)
  home.disk.mkdir(`${sessions}/none`)
  home.edit(`${sessions}/file`, () => "x")
  home.make("a")
  const index = home.index()
  assert.deepEqual([index.catchUp().outdated, index.list().sessions.map(({ id }) => id)], [[], ["a"]])
  let looks = 0
  const stat = (path: string) => {
    looks += path.includes("/none/") ? 1 : 0
    return home.disk.stat(path)
  }
  const again = home.index({ ...home.disk, stat })
  again.catchUp()
  assert.equal(looks, 1, "no more is looked at than its phases")
})

test("an unreadable tape is skipped and reported, and its rows are removed", (t) => {
  const home = memoryHome(t)
  for (const id of ["a", "b"]) home.make(id).append([user("needle")], { sync: false })
  let refused = ""
  const open: typeof home.disk.open = (path, mode) => {
    if (refused !== "" && path.includes(refused)) throw Object.assign(new Error("no"), { code: "EIO" })
    return home.disk.open(path, mode)
  }
  const index = home.index({ ...home.disk, open })
  index.catchUp()
  assert.deepEqual([index.search("needle")?.total, home.told], [2, []])
  home.clock.advance(1)
  home.edit(linesOf("a"), (text) => `${text}x\n`)
  refused = "/a/"
  index.catchUp()
  assert.deepEqual(home.told, [[{ path: `${sessions}/a`, code: "EIO" }]])
  assert.deepEqual([index.search("needle")?.total, index.list().total], [1, 1])
  refused = ""
  index.catchUp()
  assert.equal(index.search("needle")?.total, 2)
})

test("the time limit stops the update after a tape; the most recent tape is read first, and the rest is reported", (t) => {
  const home = memoryHome(t)
  for (const id of ["a", "b", "c"]) {
    home.make(id)
    home.clock.advance(1)
  }
  for (const [milliseconds, read] of [
    [0, []],
    [1, ["c"]],
    [2, ["c", "b"]],
    [3, ["c", "b", "a"]],
  ] as const) {
    let now = 0
    const index = home.index(home.disk, () => now++)
    const { outdated } = index.catchUp(milliseconds + 1)
    assert.deepEqual(
      [index.list().sessions.map(({ id }) => id), outdated.map(({ folder }) => folder)],
      [read, ["c", "b", "a"].slice(read.length)],
      String(milliseconds),
    )
  }
})

test("the first hundred damaged lines are reported, all are counted", (t) => {
  const home = memoryHome(t)
  for (const id of ["a", "b"]) {
    home.make(id).close()
    home.edit(linesOf(id), (text) => text + "x\n".repeat(60))
  }
  const index = home.index()
  assert.equal(index.catchUp().damage.length, 100)
  assert.deepEqual(index.stats().damaged, 120)
  home.edit(linesOf("a"), (text) => text + "x\n".repeat(160))
  assert.equal(home.index().catchUpTape("a", 1e6).damage.length, 100)
})

test("one tape alone is read when that is as many bytes as may be, and not when it is one more", (t) => {
  const home = memoryHome(t)
  home.make("a").append([input("needle")], { sync: false })
  home.make("b").append([input("needle")], { sync: false })
  const size = home.disk.stat(linesOf("a"))?.size ?? 0
  const index = home.index()
  assert.deepEqual(index.catchUpTape("a", size - 1), {
    bytes: 0,
    damage: [],
    outdated: [{ folder: "a", path: `${sessions}/a` }],
  })
  const { bytes, outdated } = index.catchUpTape("a", size)
  assert.deepEqual([bytes, outdated, index.search("needle")?.total], [size - 1, [], 1])
})
