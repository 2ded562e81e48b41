import assert from "node:assert/strict"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import { FailureError, type Sessions } from "@gong/spec"
import { fileSessions, memorySessions } from "../../src/sessions/index.ts"
import { createSessions } from "../../src/sessions/create-sessions.ts"
import { readsHere } from "../../src/sessions/reads.ts"
import { type DiskCall, type DiskFault, memoryDisk } from "../../src/store/file.ts"
import { testClock, testIds, testPorts, user } from "../world.ts"
import { begun, idsOf, made, type SessionsUnderTest } from "./under-test.ts"

function underTest(sessions: Sessions): SessionsUnderTest {
  const ports = { clock: testClock(), ids: testIds("t") }
  return { sessions, ports, pid: process.pid, other: () => sessions, later: () => sessions }
}

function inHome(t: TestContext) {
  const home = mkdtempSync(join(tmpdir(), "gong-home-"))
  t.after(() => rmSync(home, { recursive: true }))
  const given = underTest(fileSessions({ clock: testClock(), ids: testIds(), home, syncMode: "at-once" }))
  return { home, given }
}

/** Over a disk that can start to refuse operations. */
function refusing() {
  let fault: (call: DiskCall) => DiskFault | null = () => null
  const disk = memoryDisk({ fault: (call) => fault(call) })
  const place = { ports: testPorts(disk), sessions: "/s", trash: "/t", index: ":memory:", spillFolder: null }
  const refuse = (name: DiskCall["name"], path: RegExp, code: string): void => {
    fault = (call) => (call.name === name && path.test(call.path) ? { code } : null)
  }
  return { given: underTest(createSessions(place, readsHere(place))), disk, refuse }
}

const bounds = { limit: 10, milliseconds: 1000 }

test("a home has sessions, trash and index, and a listed session has its path", async (t) => {
  const { home, given } = inHome(t)
  const { sessions } = given
  const tape = await begun(given, { id: "work-0001", words: ["needle"] })
  assert.equal(tape.store.path, `${home}/sessions/work-0001`)
  tape.close()
  const [listed] = (await sessions.listed()).sessions
  const [hit] = (await sessions.search("needle")).hits ?? []
  const [scanned] = (await sessions.scan("needle", bounds)).hits
  for (const one of [listed, hit, scanned]) assert.equal(one?.path, `${home}/sessions/work-0001`)
  assert.equal(existsSync(`${home}/index.db`), true)
  assert.deepEqual(await sessions.remove(tape.store), { ok: true, path: `${home}/trash/work-0001` })
})

test("the index is not opened to list, make, open, follow and fork sessions, nor to find one by its id", async (t) => {
  const { home, given } = inHome(t)
  const { sessions } = given
  await made(given, { id: "work-0001" })
  const found = await sessions.find("0001")
  assert.ok(found.ok)
  const opened = await sessions.open(found.session)
  const followed = await sessions.follow(found.session)
  await sessions.fork(found.session)
  await sessions.tasksOf(found.session)
  assert.equal((await sessions.list()).sessions.length, 2)
  for (const store of [opened.ok && opened.store, followed.store]) if (store) store.close()
  assert.equal(existsSync(`${home}/index.db`), false)
})

test("at idle one session is read into the index, and no other", async (t) => {
  const { given } = inHome(t)
  await made(given, { id: "work-0001" })
  const tape = await begun(given, { id: "work-0002" })
  await given.sessions.catchUp(tape.store)
  const { sessions, unread } = await given.sessions.listed({ milliseconds: 0 })
  assert.deepEqual([idsOf(sessions), unread], [["work-0002"], 1])
  tape.close()
})

test("sessions in memory have no path, and output files of commands are in the given folder", async () => {
  const given = underTest(memorySessions({ clock: testClock(), ids: testIds(), spillFolder: "/tmp/spill" }))
  const { sessions } = given
  const tape = await begun(given, { id: "work-0001", words: ["needle"] })
  assert.equal(await tape.store.artifacts.spillPath("out"), "/tmp/spill/out")
  await made(given, { id: "work-0003" })
  const other = await sessions.find("work-0003")
  const opened = other.ok && (await sessions.open(other.session))
  assert.ok(opened && opened.ok)
  assert.equal(await opened.store.artifacts.spillPath("out"), "/tmp/spill/out")
  opened.store.close()
  await sessions.remove(opened.store)
  const task = { session: tape.store, call: "call-1" }
  ;(await sessions.create({ id: "task-0002", cwd: "/w", workspace: "/w", task })).close()
  const found = await sessions.find("task-0002")
  assert.ok(found.ok)
  ;(await sessions.read(found.session)).close()
  tape.close()
  const fork = await sessions.fork(tape.store)
  await sessions.discard(fork)
  const rows = [
    tape.store,
    fork,
    found.session,
    ...(await sessions.list()).sessions,
    ...(await sessions.tasksOf(tape.store)),
    ...(await sessions.listed()).sessions,
    ...((await sessions.search("needle")).hits ?? []),
    ...(await sessions.scan("needle", bounds)).hits,
    await sessions.remove(tape.store),
  ]
  assert.deepEqual(
    rows.map((row) => "path" in row && row.path),
    Array.from({ length: 9 }, () => null),
  )
})

test("a phase that is gone from a session is gone from the index, with all that was in it", async () => {
  const { given, disk } = refusing()
  const { sessions } = given
  const tape = await begun(given, { id: "work-0001", words: ["needle"] })
  tape.handoff("next", { entries: [user("needle too")] })
  tape.close()
  assert.equal((await sessions.search("needle")).total, 2)
  disk.unlink("/s/work-0001/anchors/002_next/entries.jsonl")
  disk.rmdir("/s/work-0001/anchors/002_next")
  assert.equal((await sessions.search("needle")).total, 1)
})

test("an unreadable session hides no other, and every verb that skipped it reports it", async () => {
  const { given, refuse } = refusing()
  const { sessions } = given
  await made(given, { id: "work-0001", words: ["needle"] })
  await made(given, { id: "work-0002", words: ["needle"] })
  refuse("stat", /^\/s\/work-0001\//, "EACCES")
  const found = await sessions.find("work-0002")
  assert.equal(found.ok && found.session.id, "work-0002")
  const answers = [
    await sessions.list(),
    found,
    await sessions.listed(),
    await sessions.search("needle"),
    await sessions.scan("needle", bounds),
    await sessions.stats(),
    await sessions.rebuild(),
  ]
  for (const { unreadable } of answers) assert.deepEqual(unreadable, [{ path: "/s/work-0001", code: "EACCES" }])
})

test("a refusal of the disk is a failure of storage that names the path", async () => {
  const { given, refuse } = refusing()
  const { sessions } = given
  await made(given, { id: "work-0001" })
  const ref = { id: "work-0001", path: "/s/work-0001" }
  const message = async (work: Promise<unknown>): Promise<string> => {
    const error = await work.catch((thrown: unknown) => thrown)
    assert.ok(error instanceof FailureError && error.failure.kind === "storage")
    return error.message
  }
  refuse("list", /^\/s$/, "EACCES")
  assert.equal(await message(sessions.list()), "/s: permission denied (EACCES).")
  refuse("list", /^\/s$/, "EIO")
  assert.equal(await message(sessions.find("x")), "Cannot read the sessions in /s: the disk reports an error (EIO).")
  refuse("rename", /./, "EROFS")
  assert.equal(await message(sessions.remove(ref)), "cannot move /s/work-0001 to /t/work-0001 (EROFS).")
})

test("a session of the same id in the way of a removal or a restoration is named", async () => {
  const { given } = refusing()
  const { sessions } = given
  const ref = { id: "work-0001", path: "/s/work-0001" }
  await made(given, { id: "work-0001" })
  await sessions.remove(ref)
  await made(given, { id: "work-0001" })
  await assert.rejects(sessions.remove(ref), /^FailureError: \/t\/work-0001 is in the way; move it away first\.$/)
  await assert.rejects(sessions.restore("work-0001"), /^FailureError: \/s\/work-0001 is there already\.$/)
})
