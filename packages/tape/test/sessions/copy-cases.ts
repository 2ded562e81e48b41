import assert from "node:assert/strict"
import type { Entry } from "@gong/spec"
import { createTape } from "../../src/index.ts"
import { begun, idsOf, isStorage, made, say, type SessionsCase, type SessionsUnderTest } from "./under-test.ts"

async function textsIn({ later }: SessionsUnderTest, id: string): Promise<readonly string[]> {
  const sessions = later()
  const found = await sessions.find(id)
  assert.ok(found.ok, id)
  const store = await sessions.read(found.session)
  const { branch } = createTape(store, { clock: noClock, ids: noIds })
  const places = Array.from({ length: branch.length }, (_, at) => branch.entry(at))
  store.close()
  return places.flatMap((entry) => (entry.type === "message" ? wordsOf(entry) : []))
}

function wordsOf({ message }: Extract<Entry, { type: "message" }>): readonly string[] {
  return message.content.flatMap((block) => (block.type === "text" ? [block.text] : []))
}

const never = (): never => {
  throw new Error("nothing is written here")
}
const noIds = { entry: never, tape: never }
const noClock = { now: never, sleep: never, timer: never }

const imported = (id: string) => ({
  id,
  cwd: "/old",
  workspace: "/old",
  created: "2024-01-01T00:00:00.000Z",
  entries: [
    { id: "imported0001", parentId: null, type: "message", timestamp: "2024-01-01T00:00:00.000Z", message: hello },
  ] satisfies Entry[],
})

const hello = { role: "user" as const, content: [{ type: "text" as const, text: "from elsewhere" }] }

/** Copied, imported, removed, restored, checked. */
export const copyCases: readonly SessionsCase[] = [
  {
    title: "a fork goes on from where the session stands, and each of them by itself; also of one that is open",
    async run(given) {
      const tape = await begun(given, { id: "work-0001", words: ["one"] })
      const fork = await given.other().fork(tape.store, { place: { cwd: "/x", workspace: "/x" } })
      assert.equal(fork.info.from?.id, "work-0001")
      assert.deepEqual([fork.info.cwd, fork.info.workspace], ["/x", "/x"])
      const opened = await given.other().open(fork)
      assert.ok(opened.ok)
      const copy = createTape(opened.store, given.ports)
      await say(copy, "of the fork")
      await say(tape, "of the session")
      copy.close()
      tape.close()
      assert.deepEqual(await textsIn(given, fork.id), ["one", "of the fork"])
      assert.deepEqual(await textsIn(given, "work-0001"), ["one", "of the session"])
    },
  },
  {
    title: "a fork goes on at an entry; its place is that of the session where no other is given",
    async run(given) {
      const tape = await begun(given, { id: "work-0001", words: ["one", "two"] })
      tape.close()
      const at = tape.store.heads().find(({ type }) => type === "message")
      const fork = await given.sessions.fork(tape.store, { entry: at?.id ?? "" })
      assert.deepEqual([fork.info.workspace, fork.info.from?.entry], ["/w", at?.id])
      assert.deepEqual(await textsIn(given, fork.id), ["one"])
      await assert.rejects(given.sessions.fork(tape.store, { entry: "nothing00000" }), isStorage)
    },
  },
  {
    title: "a session names its host, so does a fork of it; its workspace is not the folder of that name here",
    async run(given) {
      await made(given, { id: "here-0001", words: ["needle"] })
      const tape = await begun(given, { id: "else-0002", host: "box", words: ["needle"] })
      const fork = await given.other().fork(tape.store, { place: { cwd: "/x", workspace: "/x" } })
      tape.close()
      const sessions = given.later()
      const { sessions: all } = await sessions.list()
      const hosts = Object.fromEntries(all.map(({ id, info }) => [id, info.host]))
      assert.deepEqual(hosts, { "here-0001": undefined, "else-0002": "box", [fork.id]: "box" })
      for (const [workspace, id] of [
        ["/w", "here-0001"],
        ["box:/w", "else-0002"],
        ["box:/x", fork.id],
      ] as const) {
        assert.deepEqual(idsOf((await sessions.list({ workspace })).sessions), [id])
        const { sessions: rows } = await sessions.listed({ workspace })
        assert.deepEqual([idsOf(rows), rows[0]?.workspace], [[id], workspace])
        const { hits } = await sessions.search("needle", { workspace })
        assert.deepEqual(
          hits?.map(({ session }) => session),
          [id],
        )
        const scanned = await sessions.scan("needle", { workspace, limit: 9, milliseconds: 1000 })
        assert.deepEqual(
          scanned.hits.map(({ session }) => session),
          [id],
        )
      }
    },
  },
  {
    title: "a fork is discarded, unless it is open; a session that is none is not",
    async run(given) {
      const tape = await begun(given, { id: "work-0001" })
      tape.close()
      const fork = await given.sessions.fork(tape.store)
      const opened = await given.sessions.open(fork)
      assert.ok(opened.ok)
      await assert.rejects(given.other().discard(fork), isStorage)
      opened.store.close()
      await given.other().discard(fork)
      await assert.rejects(given.other().discard(tape.store), isStorage)
      assert.deepEqual(idsOf((await given.later().list()).sessions), ["work-0001"])
    },
  },
  {
    title: "a session that is removed is in no list and not found, until it is restored",
    async run(given) {
      await made(given, { id: "work-0001" })
      await made(given, { id: "work-0002" })
      const found = await given.sessions.find("work-0001")
      assert.ok(found.ok)
      assert.equal((await given.sessions.remove(found.session)).ok, true)
      const later = given.later()
      assert.deepEqual(idsOf((await later.list()).sessions), ["work-0002"])
      assert.equal((await later.find("work-0001")).ok, false)
      assert.deepEqual(idsOf((await later.listed()).sessions), ["work-0002"])
      const unknown = await later.restore("work-0002")
      assert.deepEqual(!unknown.ok && idsOf(unknown.removed), ["work-0001"])
      const back = await later.restore("0001")
      assert.equal(back.ok && back.session.id, "work-0001")
      assert.deepEqual(await textsIn(given, "work-0001"), ["hello"])
      assert.deepEqual(await later.restore("0001"), { ok: false, removed: [] })
    },
  },
  {
    title: "a session that is open is not removed, and the refusal says who has it",
    async run(given) {
      const tape = await begun(given, { id: "work-0001" })
      const removal = await given.other().remove(tape.store)
      assert.equal(!removal.ok && removal.holder?.pid, given.pid)
      assert.deepEqual(idsOf((await given.sessions.list()).sessions), ["work-0001"])
      tape.close()
    },
  },
  {
    title: "of two sessions of one id, one removed and one kept, neither takes the place of the other",
    async run(given) {
      const { sessions } = given
      await made(given, { id: "work-0001", words: ["first"] })
      const first = await sessions.find("work-0001")
      assert.ok(first.ok)
      assert.equal((await sessions.remove(first.session)).ok, true)
      await made(given, { id: "work-0001", words: ["second"] })
      await assert.rejects(sessions.restore("work-0001"), isStorage)
      await assert.rejects(sessions.remove(first.session), isStorage)
      assert.deepEqual(await textsIn(given, "work-0001"), ["second"])
    },
  },
  {
    title: "an imported session keeps its id where it is free, and gets a new one where it is not",
    async run(given) {
      const first = await given.sessions.import(imported("pi-0001"))
      assert.deepEqual([first.id, first.info.created], ["pi-0001", "2024-01-01T00:00:00.000Z"])
      const again = await given.sessions.import(imported("pi-0001"))
      const odd = await given.sessions.import(imported("no/id"))
      assert.equal(new Set(["pi-0001", "no/id", again.id, odd.id]).size, 4)
      for (const { id } of [first, again, odd]) assert.deepEqual(await textsIn(given, id), ["from elsewhere"])
    },
  },
  {
    title: "a session is checked line by line, also while it is open",
    async run(given) {
      const tape = await begun(given, { id: "work-0001", words: ["one", "two"] })
      const { id, files, problems, artifacts } = await given.other().verify(tape.store)
      assert.equal(id, "work-0001")
      assert.equal(
        files.reduce((sum, { valid }) => sum + valid, 0),
        tape.store.length,
      )
      assert.deepEqual([problems, artifacts], [[], { checked: 0, damaged: [], missing: [] }])
      tape.close()
    },
  },
]
