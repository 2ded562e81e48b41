import assert from "node:assert/strict"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { DatabaseSync } from "node:sqlite"
import { type TestContext, test } from "node:test"
import { userText } from "@gong/spec"
import { updateIndex } from "../../src/compose/tapes/update-index.ts"
import { persistentSessions } from "../../src/compose/tapes/sessions.ts"
import { newTape, type OpenedTape } from "../../src/compose/tapes/tape.ts"
import type { TapeStorage } from "../../src/compose/tapes/storage.ts"
import { systemClock, systemIds } from "../../src/ports.ts"

function place(t: TestContext): TapeStorage {
  const home = mkdtempSync(`${tmpdir()}/gong-idle-`)
  t.after(() => rmSync(home, { recursive: true }))
  const clock = systemClock
  const ids = systemIds(clock)
  return {
    home,
    workspace: { host: "local", cwd: home, folder: home, git: false, repository: home, roots: [home], notes: [] },
    temp: home,
    clock,
    ids,
    sessions: persistentSessions({ clock, ids, home, syncMode: "at-once" }),
    reportUnreadable: () => undefined,
  }
}

async function session(t: TestContext, where: TapeStorage, id: string, kept = true): Promise<OpenedTape> {
  const opened = await newTape(where, kept, id)
  assert.ok(opened.ok)
  const { tape } = opened.value
  t.after(() => tape.close())
  tape.append([{ type: "message", message: userText("a word to be found") }], { sync: true })
  return opened.value
}

/** The content of the index without further reading. */
async function found({ sessions }: TapeStorage): Promise<readonly string[]> {
  const { hits } = await sessions.search("word", { milliseconds: 0 })
  return hits?.map((hit) => hit.session) ?? []
}

test("at idle the index reads the open session only", async (t) => {
  const where = place(t)
  await session(t, where, "other-0001")
  await updateIndex(await session(t, where, "mine-0002"))
  assert.deepEqual(await found(where), ["mine-0002"])
})

test("a session in memory has no index; a damaged, locked or read-only index does no harm", async (t) => {
  const where = place(t)
  await updateIndex(await session(t, where, "memory-0000", false))
  assert.deepEqual(readdirSync(where.home), [])
  const mine = await session(t, where, "mine-0001")
  writeFileSync(`${where.home}/index.db`, "garbage".repeat(1000))
  await updateIndex(mine)
  assert.deepEqual(await found(where), ["mine-0001"])
  const writer = new DatabaseSync(`${where.home}/index.db`)
  writer.exec("BEGIN IMMEDIATE")
  await updateIndex(mine)
  writer.close()
  for (const end of ["", "-wal", "-shm"]) rmSync(`${where.home}/index.db${end}`, { force: true })
  mkdirSync(`${where.home}/index.db`)
  await updateIndex(mine)
  rmSync(`${where.home}/sessions/mine-0001`, { recursive: true })
  await updateIndex(mine)
})
