import assert from "node:assert/strict"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { DatabaseSync } from "node:sqlite"
import { type TestContext, test } from "node:test"
import { nameTape } from "@gong/tape"
import { persistentSessions } from "../../src/compose/tapes/sessions.ts"
import { newTape } from "../../src/compose/tapes/tape.ts"
import { findSession } from "../../src/compose/tapes/find-session.ts"
import type { TapeStorage } from "../../src/compose/tapes/storage.ts"
import { systemClock, systemIds } from "../../src/ports.ts"

function place(t: TestContext): TapeStorage {
  const home = mkdtempSync(`${tmpdir()}/gong-named-`)
  t.after(() => rmSync(home, { recursive: true }))
  const workspace = { host: "local", cwd: home, folder: home, git: false, repository: home, roots: [home], notes: [] }
  const clock = systemClock
  const ids = systemIds(clock)
  const sessions = persistentSessions({ clock, ids, home, syncMode: "at-once" })
  return { home, workspace, temp: home, clock, ids, sessions, reportUnreadable: () => undefined }
}

async function make(where: TapeStorage, id: string, name: string): Promise<void> {
  const opened = await newTape(where, true, id)
  assert.ok(opened.ok)
  nameTape(opened.value.tape, name)
  opened.value.tape.close()
}

async function idOf(where: TapeStorage, wanted: string): Promise<string | null> {
  const found = await findSession(where, wanted)
  return found.ok ? found.value.id : null
}

test("a session is found by its newest name, also without an index", async (t) => {
  const where = place(t)
  await make(where, "work-0001", "first")
  await make(where, "work-0002", "second")
  assert.deepEqual([await idOf(where, "first"), await idOf(where, "second")], ["work-0001", "work-0002"])
  assert.equal(await idOf(where, "third"), null)
  const lines = async (wanted: string) => {
    const found = await findSession(where, wanted)
    return found.ok ? [] : found.error.lines
  }
  assert.deepEqual(await lines("third"), ['gong: there is no session "third". gong sessions lists them.'])
  const [several = ""] = await lines("work")
  assert.match(several, /^gong: "work" matches 2 sessions: work-000[12], work-000[12]\. Give more of the id\.$/)
})

test("names come from the index without opening sessions", async (t) => {
  const where = place(t)
  await make(where, "work-0001", "first")
  await idOf(where, "first")
  const db = new DatabaseSync(`${where.home}/index.db`)
  db.exec("UPDATE sessions SET name = 'only the index says so'")
  db.close()
  assert.equal(await idOf(where, "only the index says so"), "work-0001")
})

test("an id is resolved without the index", async (t) => {
  const where = place(t)
  await make(where, "work-0001", "first")
  assert.equal(await idOf(where, "0001"), "work-0001")
  assert.throws(() => new DatabaseSync(`${where.home}/index.db`, { readOnly: true }))
})
