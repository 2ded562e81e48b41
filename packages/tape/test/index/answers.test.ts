import assert from "node:assert/strict"
import { test } from "node:test"
import { input, reply, user } from "../world.ts"
import { linesOf, memoryHome, sessions } from "./memory.ts"

test("a search returns twenty hits, at most three per session, or as many as requested, with the total", (t) => {
  const home = memoryHome(t)
  for (let at = 0; at < 7; at++) {
    const tape = home.make(`s${at}`)
    for (let n = 0; n < 4; n++) tape.append([user("needle")], { sync: false })
  }
  const index = home.index()
  index.catchUp()
  const ask = (options?: object) => {
    const found = index.search("needle", options)
    return [found?.hits.length, found?.total, found?.more]
  }
  assert.deepEqual(ask(), [20, 28, false])
  assert.deepEqual(ask({ limit: 1 }), [1, 28, false])
  assert.deepEqual(ask({ limit: 100 }), [21, 28, false])
  assert.deepEqual(ask({ limit: 100, ofSession: 4 }), [28, 28, false])
  assert.deepEqual(ask({ limit: 100, ofSession: 1 }), [7, 28, false])
  assert.deepEqual(index.search("needle")?.hits[0]?.inSession, 4)
  assert.deepEqual(index.search("-"), null)
})

test("of equals the newer entry comes first, then by session, phase and line", (t) => {
  const home = memoryHome(t)
  const [a, b] = [home.make("a"), home.make("b")]
  const add = (tape: typeof a) => tape.append([user("needle")], { sync: false })[0]?.id
  const ids = [add(b), add(a), add(a)]
  a.handoff("next")
  ids.push(add(a))
  home.clock.advance(1)
  ids.push(add(b))
  const index = home.index()
  index.catchUp()
  assert.deepEqual(
    index.search("needle", { ofSession: 9 })?.hits.map(({ entry }) => ids.indexOf(entry.id)),
    [4, 3, 2, 1, 0],
  )
})

test("of a thousand and more the newest thousand are looked at", (t) => {
  const home = memoryHome(t)
  const tape = home.make("a")
  tape.append(
    Array.from({ length: 999 }, () => user("needle")),
    { sync: false },
  )
  const index = home.index()
  index.catchUp()
  const ask = (question: string) => {
    const found = index.search(question, { limit: 1 })
    return [found?.total, found?.more, found?.hits[0]?.entry.id === tape.leaf]
  }
  assert.deepEqual(ask("needle"), [999, false, true])
  tape.append([user("needle")], { sync: false })
  tape.append([user("needles")], { sync: false })
  index.catchUp()
  assert.deepEqual(ask("needle"), [1000, true, false], "the word as it is stands in enough of them")
  assert.deepEqual(ask("needl"), [1000, true, true])
})

test("a hit has the name of its session, otherwise its title, and the given fields", (t) => {
  const home = memoryHome(t)
  const tape = home.make("a", { workspace: "/v" })
  tape.append(
    [
      input("asked\nmore"),
      {
        type: "custom_message",
        customType: "x",
        content: [{ type: "text", text: "said" }],
        display: true,
        details: [1],
      },
    ],
    { sync: false },
  )
  const index = home.index()
  index.catchUp()
  const hits = (question: string) =>
    index
      .search(question)
      ?.hits.map(({ session, path, workspace, title, metadata }) => [session, path, workspace, title, metadata])
  assert.deepEqual(hits("said"), [["a", `${sessions}/a`, "/v", "asked", [1]]])
  assert.deepEqual(hits("asked"), [["a", `${sessions}/a`, "/v", "asked", null]])
  tape.append([{ type: "session_info", name: "named" }], { sync: false })
  index.catchUp()
  assert.equal(hits("said")?.[0]?.[3], "named")
  assert.deepEqual(index.search("said", { workspace: "/w" })?.total, 0)
  assert.deepEqual(index.search("said", { workspace: "/v" })?.total, 1)
})

test("a list has what each session was made from, the last that was written to first", (t) => {
  const home = memoryHome(t)
  for (const [id, more] of [
    ["a", {}],
    ["b", { from: { id: "a", entry: "a00000000000" }, workspace: "/v" }],
    ["c", { cwd: "/c" }],
  ] as const) {
    home.make(id, more).append([reply("x", [], id === "c" ? null : 0.5)], { sync: false })
    if (id !== "b") home.clock.advance(10)
  }
  const index = home.index()
  index.catchUp()
  const { sessions: listed, ...counts } = index.list()
  assert.deepEqual(
    listed.map(({ id, from, cwd, workspace }) => [id, from, cwd, workspace]),
    [
      ["c", null, "/c", "/w"],
      ["b", { id: "a", entry: "a00000000000" }, "/w", "/v"],
      ["a", null, "/w", "/w"],
    ],
  )
  assert.deepEqual(counts, { total: 3, everywhere: 3 })
  const one = index.list({ workspace: "/v", limit: 5 })
  assert.deepEqual([one.sessions.map(({ id }) => id), one.total, one.everywhere], [["b"], 1, 3])
  assert.deepEqual(index.list({ limit: 0 }).sessions, [])
  const { models, ...sums } = index.stats()
  const bytes = listed.reduce((sum, session) => sum + session.bytes, 0)
  const counted = { sessions: 3, workspaces: 2, entries: 6, prompts: 0, replies: 3, calls: 0, bytes }
  assert.deepEqual(sums, { ...counted, cost: 1, costCny: 0, unpriced: 1, damaged: 0 })
  assert.deepEqual(models, [{ model: "acme/m1", sessions: 3, cost: 1, costCny: 0, unpriced: 1 }])
})

test("nothing is known of no sessions", (t) => {
  const index = memoryHome(t).index()
  index.catchUp()
  assert.deepEqual(index.list(), { sessions: [], total: 0, everywhere: 0 })
  const { models, ...sums } = index.stats()
  assert.deepEqual([models, new Set(Object.values(sums))], [[], new Set([0])])
  assert.equal(index.inMemory, true)
})

test("a line that has changed is not returned; its session is read again first", (t) => {
  const home = memoryHome(t)
  const tape = home.make("a")
  const [first] = tape.append([user("needle one"), user("needle two")], { sync: false })
  tape.close()
  const index = home.index()
  index.catchUp()
  home.edit(linesOf("a"), (text) => text.split("\n").toSpliced(1, 1).join("\n"))
  const found = index.search("needle")
  assert.deepEqual([found?.hits.length, found?.stale], [1, []])
  assert.notEqual(found?.hits[0]?.entry.id, first?.id)
})
