import assert from "node:assert/strict"
import { begun, idsOf, made, say, type SessionsCase, type SessionsUnderTest } from "./under-test.ts"

async function three(given: SessionsUnderTest): Promise<void> {
  await made(given, { id: "work-0001", name: "the first", words: ["a needle in hay", "another needle"] })
  await made(given, { id: "else-0002", workspace: "/elsewhere", words: ["one needle elsewhere"] })
  await made(given, { id: "work-0003", words: ["nothing to see"] })
}

/** Listed with facts, searched, counted, made anew. */
export const indexCases: readonly SessionsCase[] = [
  {
    title: "a list says name, title, workspace and counts of each session, and how many there are",
    async run(given) {
      await three(given)
      const sessions = given.later()
      const { sessions: rows, ...counts } = await sessions.listed({ workspace: "/w" })
      assert.deepEqual(counts, { total: 2, everywhere: 3, unread: 0, unreadable: [] })
      const first = rows.find(({ id }) => id === "work-0001")
      const { name, title, workspace, model, prompts, replies, cost, from, damaged } = first ?? {}
      assert.deepEqual([name, title, workspace, model], ["the first", "a needle in hay", "/w", null])
      assert.deepEqual([prompts, replies, cost, from, damaged], [0, 0, 0, null, 0])
      const all = await sessions.listed({ limit: 2 })
      assert.deepEqual([all.sessions.length, all.total], [2, 3])
    },
  },
  {
    title: "without time for reading, what is new is counted and in no list; with time it is read",
    async run(given) {
      const { sessions } = given
      await made(given, { id: "work-0001" })
      const none = await sessions.listed({ milliseconds: 0 })
      assert.deepEqual([none.sessions.length, none.unread], [0, 1])
      assert.deepEqual(idsOf((await sessions.listed()).sessions), ["work-0001"])
    },
  },
  {
    title: "a search finds entries by their words, of one workspace or of all",
    async run(given) {
      await three(given)
      const sessions = given.later()
      const here = await sessions.search("needle", { workspace: "/w" })
      assert.deepEqual(
        here.hits?.map(({ session }) => session),
        ["work-0001", "work-0001"],
      )
      assert.deepEqual([here.total, here.more, here.unread], [2, false, 0])
      const [hit] = here.hits ?? []
      assert.equal(hit?.title, "the first")
      const [from, to] = hit?.snippet.marks[0] ?? [0, 0]
      assert.equal(hit?.snippet.text.slice(from, to), "needle")
      assert.equal(hit?.entry.type, "message")
      assert.equal((await sessions.search("needle")).total, 3)
      assert.equal((await sessions.search("needle", { limit: 1 })).hits?.length, 1)
      assert.deepEqual((await sessions.search("nowhere")).hits, [])
      assert.equal((await sessions.search("!?")).hits, null)
    },
  },
  {
    title: "a scan finds characters inside words, and says what it read",
    async run(given) {
      await three(given)
      const sessions = given.later()
      const bounds = { limit: 10, milliseconds: 60_000 }
      const all = await sessions.scan("eedl", bounds)
      assert.deepEqual(all.hits.map(({ session }) => session).toSorted(), ["else-0002", "work-0001", "work-0001"])
      assert.deepEqual([all.sessions, all.read, all.more, all.unreadable], [3, 3, false, []])
      assert.ok(all.bytes > 0)
      const here = await sessions.scan("eedl", { ...bounds, workspace: "/w" })
      assert.deepEqual([here.hits.length, here.sessions], [2, 2])
      const one = await sessions.scan("eedl", { ...bounds, limit: 1 })
      assert.deepEqual([one.hits.length, one.more], [1, true])
    },
  },
  {
    title: "what is written is found by the next search, and what was removed is not",
    async run(given) {
      const tape = await begun(given, { id: "work-0001", words: ["before"] })
      assert.equal((await given.other().search("before")).total, 1)
      await say(tape, "after")
      assert.equal((await given.other().search("after")).total, 1)
      tape.close()
      await given.sessions.remove(tape.store)
      assert.equal((await given.other().search("after")).total, 0)
    },
  },
  {
    title: "sums over all sessions; made anew they are the same",
    async run(given) {
      await three(given)
      const sessions = given.later()
      const before = await sessions.stats()
      assert.deepEqual([before.sessions, before.workspaces, before.unread], [3, 2, 0])
      const { sessions: read, bytes, damage } = await sessions.rebuild()
      assert.deepEqual([read, damage], [3, []])
      assert.ok(bytes > 0)
      assert.deepEqual(await sessions.stats(), before)
    },
  },
]
