import { englishOf } from "@gong/spec"
import assert from "node:assert/strict"
import { createTape } from "../../src/index.ts"
import { user } from "../world.ts"
import { begun, idsOf, isStorage, made, say, type SessionsCase, textsOf } from "./under-test.ts"

const none = { id: "none-0001", path: null }

/** Listed, found, made, opened, followed. */
export const openCases: readonly SessionsCase[] = [
  {
    title: "sessions are listed newest first, of one workspace, and no more than are wanted",
    async run(given) {
      await made(given, { id: "work-0001" })
      await made(given, { id: "else-0002", workspace: "/elsewhere" })
      await made(given, { id: "work-0003" })
      const sessions = given.later()
      const { sessions: all, unreadable } = await sessions.list()
      assert.deepEqual([idsOf(all).toSorted(), unreadable], [["else-0002", "work-0001", "work-0003"], []])
      assert.ok(all.every(({ modified }, at) => at === 0 || modified <= (all[at - 1]?.modified ?? 0)))
      const here = await sessions.list({ workspace: "/w" })
      assert.deepEqual(idsOf(here.sessions).toSorted(), ["work-0001", "work-0003"])
      assert.equal(here.sessions[0]?.info.workspace, "/w")
      assert.equal((await sessions.list({ limit: 2 })).sessions.length, 2)
    },
  },
  {
    title: "without a session lists are empty and nothing is found",
    async run({ sessions }) {
      assert.deepEqual(await sessions.list(), { sessions: [], unreadable: [] })
      assert.deepEqual(await sessions.find("work"), { ok: false, matches: [], unreadable: [] })
    },
  },
  {
    title: "a session is found by its id, its path, a unique beginning or end, and its name",
    async run(given) {
      await made(given, { id: "0198-work-cafe", name: "login" })
      await made(given, { id: "0198-else-beef", name: "twin" })
      await made(given, { id: "0199-work-0001", name: "twin" })
      const sessions = given.later()
      const { path } = (await sessions.list()).sessions.find(({ id }) => id.endsWith("cafe")) ?? none
      for (const wanted of ["0198-work-cafe", "0198-w", "cafe", "login", ...(path === null ? [] : [path])]) {
        const found = await sessions.find(wanted)
        assert.equal(found.ok && found.session.id, "0198-work-cafe", wanted)
      }
      const several = await sessions.find("0198")
      assert.deepEqual(!several.ok && idsOf(several.matches).toSorted(), ["0198-else-beef", "0198-work-cafe"])
      const twins = await sessions.find("twin")
      assert.deepEqual(!twins.ok && idsOf(twins.matches).toSorted(), ["0198-else-beef", "0199-work-0001"])
      assert.deepEqual(await sessions.find("001"), { ok: false, matches: [], unreadable: [] })
    },
  },
  {
    title: "a name that was given after names were looked up is found",
    async run(given) {
      const tape = await begun(given, { id: "work-0001", name: "before" })
      assert.equal((await given.sessions.find("before")).ok, true)
      tape.append([{ type: "session_info", name: "after" }], { sync: true })
      assert.equal((await given.sessions.find("after")).ok, true)
      assert.equal((await given.sessions.find("before")).ok, false)
      tape.close()
    },
  },
  {
    title: "an id is made where none is given, is refused where it cannot be one, and belongs to one session",
    async run({ sessions }) {
      const place = { cwd: "/w/src", workspace: "/w" }
      const [one, two] = [await sessions.create(place), await sessions.create({ ...place, id: "own" })]
      assert.notEqual(one.id, two.id)
      assert.deepEqual([two.id, two.info.cwd, two.info.workspace], ["own", "/w/src", "/w"])
      one.close()
      two.close()
      await assert.rejects(sessions.create({ ...place, id: "own" }), isStorage)
      await assert.rejects(sessions.create({ ...place, id: "../own" }), isStorage)
    },
  },
  {
    title: "one process at a time writes to a session; the others are told which it is, and read",
    async run(given) {
      const tape = await begun(given, { id: "work-0001" })
      const other = given.other()
      const refused = await other.open(tape.store)
      assert.ok(!refused.ok)
      assert.match(englishOf(refused.reason), /^open in another gong/)
      assert.equal(refused.holder?.pid, given.pid)
      const reader = await other.read(tape.store)
      assert.deepEqual(textsOf(reader), ["hello"])
      assert.notEqual(reader.readOnly, null)
      reader.close()
      tape.close()
      const opened = await other.open(tape.store)
      assert.ok(opened.ok)
      opened.store.close()
    },
  },
  {
    title: "a session whose process died is opened, with all that had settled",
    async run(given) {
      const tape = await begun(given, { id: "work-0001", words: ["one", "two"] })
      const sessions = given.later()
      // An implementation without persistence lives on.
      if (sessions === given.sessions) tape.close()
      const opened = await sessions.open(tape.store)
      assert.ok(opened.ok)
      assert.deepEqual(textsOf(opened.store), ["one", "two"])
      await say(createTape(opened.store, given.ports), "three")
      assert.deepEqual(textsOf(opened.store), ["one", "two", "three"])
      opened.store.close()
    },
  },
  {
    title: "what comes on a session that another process writes is followed until it is closed",
    async run(given) {
      const tape = await begun(given, { id: "work-0001" })
      const followed = await given.other().follow(tape.store)
      assert.deepEqual(textsOf(followed.store), ["hello"])
      assert.deepEqual(await followed.next(), [])
      assert.equal((await followed.holder())?.pid, given.pid)
      const more = tape.append([user("more")], { sync: false })
      assert.deepEqual(await followed.next(), more)
      assert.deepEqual(await followed.next(), [])
      tape.close()
      assert.equal(await followed.holder(), null)
      followed.store.close()
    },
  },
  {
    title: "a session that does a task is in no list, is found, and belongs to the call that wanted it",
    async run(given) {
      const { sessions, ports } = given
      const parent = await begun(given, { id: "work-0001" })
      const of = { session: parent.store, call: "call-1" }
      const task = createTape(await sessions.create({ id: "task-0002", cwd: "/w", workspace: "/w", task: of }), ports)
      await say(task, "do it")
      task.close()
      parent.close()
      const later = given.later()
      assert.deepEqual(idsOf((await later.list()).sessions), ["work-0001"])
      const tasks = await later.tasksOf(parent.store)
      assert.deepEqual(idsOf(tasks), ["task-0002"])
      assert.deepEqual(tasks[0]?.info.parent, { id: "work-0001", call: "call-1" })
      const found = await later.find("task-0002")
      assert.ok(found.ok)
      const reader = await later.read(found.session)
      assert.deepEqual(textsOf(reader), ["do it"])
      reader.close()
      assert.deepEqual(await later.tasksOf(found.session), [])
      await later.catchUp(found.session)
      assert.equal((await later.listed({ milliseconds: 0 })).sessions.length, 0)
    },
  },
  {
    title: "a session that is not there fails at every verb",
    async run({ sessions }) {
      const { open, read, follow, fork, discard, remove, verify } = sessions
      for (const verb of [open, read, follow, fork, discard, remove, verify])
        await assert.rejects(verb(none), isStorage)
    },
  },
]
