import assert from "node:assert/strict"
import { existsSync, linkSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { DatabaseSync } from "node:sqlite"
import { test, type TestContext } from "node:test"
import { failure, FailureError } from "@gong/spec"
import { ForeignIndex } from "../../src/index/columns.ts"
import { openIndexFile } from "../../src/index/database.ts"

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(`${tmpdir()}/gong-database-`)
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

function opened(t: TestContext, file: string, patience = 0) {
  const index = openIndexFile(file, patience)
  t.after(() => index.close())
  return index
}

type Index = ReturnType<typeof openIndexFile>

/** Work that fails with this, so many times. */
function failing(thrown: unknown, times = 1) {
  let left = times
  return (db: DatabaseSync): number => {
    if (left-- > 0) throw thrown
    return Number(db.prepare("SELECT count(*) AS n FROM sessions").get()?.["n"])
  }
}

const sqlite = (errcode: unknown): Error => Object.assign(new Error("what SQLite says"), { errcode })
const keep = (db: DatabaseSync): void =>
  db.exec("INSERT INTO files(session, file_path, indexed_bytes, size, modified, tail) VALUES (1, 'a', 1, 1, 1, x'00')")
const files = (index: Index): unknown => index.use((db) => db.prepare("SELECT count(*) AS n FROM files").get()?.["n"])
const stateOf = (index: Index) => [index.timesRemade, index.inMemory, files(index)]

/** The plain codes, and one with additional flags in its higher bits. */
const broken = [1, 2, 11, 17, 20, 24, 26, 11 + 256].map(sqlite)
const outOfRange = Object.assign(new RangeError("too large"), { code: "ERR_OUT_OF_RANGE" })

test("a damaged or foreign file is created anew, and the operation is repeated on the new one", (t) => {
  const folder = folderOf(t)
  for (const [at, thrown] of [...broken, outOfRange, new ForeignIndex("other tables")].entries()) {
    const index = opened(t, `${folder}/${at}.db`)
    index.use(keep)
    assert.equal(index.use(failing(thrown)), 0)
    assert.deepEqual(stateOf(index), [1, false, 0], String(at))
    assert.throws(
      () => index.use(failing(thrown, 2)),
      (error) => error === thrown,
      "only once",
    )
    index.close()
  }
})

test("where the disk has no room the file stays and the rest is done in memory", (t) => {
  const folder = folderOf(t)
  for (const errcode of [8, 10, 13, 10 + 256]) {
    const file = `${folder}/${errcode}.db`
    const index = opened(t, file)
    index.use(keep)
    assert.equal(index.use(failing(sqlite(errcode))), 0)
    assert.deepEqual(stateOf(index), [1, true, 0])
    assert.throws(() => index.use(failing(sqlite(errcode))), /cannot be used: what SQLite says\./)
    assert.deepEqual(stateOf(index), [1, true, 0])
    index.close()
    assert.deepEqual(stateOf(opened(t, file)), [0, false, 1], "the file goes on with what it has")
  }
})

test("other errors of SQLite are failures of the disk, and errors of other origin are unchanged", (t) => {
  const index = opened(t, `${folderOf(t)}/index.db`)
  index.use(keep)
  for (const errcode of [5, 6, 5 + 256])
    assert.throws(
      () => index.use(failing(sqlite(errcode))),
      (error) => error instanceof FailureError && error.failure.message.endsWith(": another gong is writing it."),
    )
  for (const errcode of [0, 3, 4, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 19 + 256])
    assert.throws(
      () => index.use(failing(sqlite(errcode))),
      (error) => error instanceof FailureError && error.failure.kind === "storage",
      String(errcode),
    )
  const own = Object.assign(new FailureError(failure("limit", "own")), { errcode: 19 })
  const others = [own, new Error("plain"), sqlite("11"), sqlite(undefined), { errcode: 11 }, "text", null]
  for (const thrown of [...others, Object.assign(new Error("other"), { code: "ERR_OTHER" }), { code: outOfRange.code }])
    assert.throws(
      () => index.use(failing(thrown)),
      (error) => error === thrown,
    )
  assert.deepEqual(stateOf(index), [0, false, 1])
})

test("another process that holds the file while work is done is named", (t) => {
  const file = `${folderOf(t)}/index.db`
  const index = opened(t, file)
  index.use(keep)
  const holder = new DatabaseSync(file)
  t.after(() => holder.close())
  holder.exec("BEGIN IMMEDIATE")
  assert.throws(() => index.use(keep), /cannot be used: another gong is writing it\.$/)
  assert.deepEqual(stateOf(index), [0, false, 1])
})

test("a link, a second name and a pipe in the place of one of its files are not written to; a new file is made", (t) => {
  const folder = folderOf(t)
  for (const end of ["", "-wal", "-shm", "-journal"])
    for (const [kind, make] of [
      ["link", (file: string) => symlinkSync(`${folder}/other`, file)],
      ["second name", (file: string) => linkSync(`${folder}/other`, file)],
    ] as const) {
      writeFileSync(`${folder}/other`, "")
      const file = `${folder}/${kind}${end}.db`
      make(`${file}${end}`)
      const index = opened(t, file)
      index.use(keep)
      assert.deepEqual(stateOf(index), [1, false, 1], `${kind} ${end}`)
      index.close()
      assert.deepEqual([statSync(`${folder}/other`).size, statSync(file).nlink], [0, 1])
    }
})

test("an index in memory needs no file, and a folder that takes none leaves it in memory", (t) => {
  const folder = folderOf(t)
  const memory = opened(t, ":memory:")
  memory.use(keep)
  assert.deepEqual(stateOf(memory), [0, true, 1])
  assert.equal(existsSync(":memory:"), false)
  memory.reset()
  assert.deepEqual(stateOf(memory), [0, true, 0])
  mkdirSync(`${folder}/index.db`)
  writeFileSync(`${folder}/index.db/file`, "")
  const index = opened(t, `${folder}/index.db`)
  index.use(keep)
  assert.deepEqual(stateOf(index), [0, true, 1])
})

test("removed rows stay in the file, readable by the user only, until it is compacted", (t) => {
  const file = `${folderOf(t)}/index.db`
  const index = opened(t, file)
  index.use(keep)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  index.close()
  index.close()
  assert.deepEqual(stateOf(index), [0, false, 1])
  index.reset()
  assert.deepEqual(stateOf(opened(t, file)), [0, false, 0])
})
