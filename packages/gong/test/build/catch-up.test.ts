import assert from "node:assert/strict"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { DatabaseSync } from "node:sqlite"
import { type TestContext, test } from "node:test"
import { userText } from "@gong/spec"
import { catchUpSession } from "../../src/build/catch-up.ts"
import { homeIndex } from "../../src/build/index.ts"
import { newTape, type OpenedTape, type TapePlace } from "../../src/build/tape.ts"
import { systemClock, systemIds } from "../../src/ports.ts"

function place(t: TestContext): TapePlace {
  const home = mkdtempSync(`${tmpdir()}/gong-idle-`)
  t.after(() => rmSync(home, { recursive: true }))
  return {
    home,
    workspace: { cwd: home, folder: home, git: false, repository: home, roots: [home], notes: [] },
    temp: home,
    clock: systemClock,
    ids: systemIds(systemClock),
  }
}

function session(t: TestContext, where: TapePlace, id: string): OpenedTape {
  const opened = newTape(where, {}, id)
  assert.ok(opened.ok)
  const { tape } = opened.value
  t.after(() => tape.close())
  tape.append([{ type: "message", message: userText("a word to be found") }], { sync: true })
  return opened.value
}

/** What the index holds without reading on. */
function found(t: TestContext, where: TapePlace): readonly string[] {
  const index = homeIndex(where)
  t.after(() => index.close())
  return index.search("word")?.hits.map((hit) => hit.session) ?? []
}

test("at idle the index reads this session, while it is open, and no other", async (t) => {
  const where = place(t)
  session(t, where, "other-0001")
  const { store } = session(t, where, "mine-0002")
  await catchUpSession(where, store.path)
  assert.deepEqual(found(t, where), ["mine-0002"])
})

test("a session in memory has no index; one that is damaged, held, or not to be written does no harm", async (t) => {
  const where = place(t)
  await catchUpSession(where, null)
  assert.deepEqual(readdirSync(where.home), [])
  const { store } = session(t, where, "mine-0001")
  writeFileSync(`${where.home}/index.db`, "garbage".repeat(1000))
  await catchUpSession(where, store.path)
  assert.deepEqual(found(t, where), ["mine-0001"])
  const writer = new DatabaseSync(`${where.home}/index.db`)
  writer.exec("BEGIN IMMEDIATE")
  await catchUpSession(where, store.path)
  writer.close()
  for (const end of ["", "-wal", "-shm"]) rmSync(`${where.home}/index.db${end}`, { force: true })
  mkdirSync(`${where.home}/index.db`)
  await catchUpSession(where, store.path)
  await catchUpSession(where, `${where.home}/sessions/gone`)
})
