import assert from "node:assert/strict"
import { test } from "node:test"
import { openIndexFile } from "../../src/index/database.ts"
import { emptyFacts } from "../../src/index/facts.ts"
import { deleteSession, deleteFolder, insertSession, saveFile, saveSession, sessionRow } from "../../src/index/rows.ts"
import { inTransaction } from "../../src/index/schema.ts"

const info = { format: 1, id: "t", cwd: "/c", workspace: "/w", created: "then" } as const
const file = {
  file_path: "anchors/001_a/entries.jsonl",
  indexed_bytes: 1,
  size: 2,
  modified: 3,
  tail: new Uint8Array([1]),
}

test("a session that is forgotten leaves nothing, and another one stays whole", (t) => {
  const index = openIndexFile(":memory:")
  t.after(() => index.close())
  index.use((db) => {
    const [one, two, three] = ["one", "two", "three"].map((folder) => insertSession(db, folder, info, emptyFacts).id)
    for (const session of [one, two, three]) {
      saveFile(db, session ?? 0, file)
      const values = "kind, anchor_name, anchor_seq, file_path, created_at) VALUES (?, ?, 'k', 'n', 1, 'f', 't')"
      const { lastInsertRowid } = db.prepare(`INSERT INTO entries(session, entry, ${values}`).run(session ?? 0, "e")
      db.prepare("INSERT INTO text(rowid, body, parts) VALUES (?, 'needle', '')").run(lastInsertRowid)
    }
    const counts = () =>
      ["sessions", "files", "entries", "text"].map(
        (table) =>
          db
            .prepare(`SELECT count(*) AS n FROM ${table}${table === "text" ? " WHERE text MATCH 'needle'" : ""}`)
            .get()?.["n"],
      )
    assert.deepEqual(counts(), [3, 3, 3, 3])
    deleteSession(db, one ?? 0)
    assert.deepEqual(counts(), [2, 2, 2, 2])
    deleteFolder(db, "none")
    deleteFolder(db, "two")
    assert.deepEqual(counts(), [1, 1, 1, 1])
    assert.deepEqual([sessionRow(db, "one"), sessionRow(db, "three")?.id], [null, three])
  })
})

test("a row has the stored fields of its session, and the omissions of another program", (t) => {
  const index = openIndexFile(":memory:")
  t.after(() => index.close())
  index.use((db) => {
    const { workspace: _, created: _c, ...least } = info
    const row = insertSession(db, "a", { ...least, from: { id: "f", entry: "e" } } as never, emptyFacts)
    const { workspace, created, from_tape, from_entry, newest, damaged } = row
    assert.deepEqual([workspace, created, from_tape, from_entry, newest, damaged], ["/c", "", "f", "e", "", 0])
    assert.deepEqual([row.phases_at, row.newest_size, row.modified], [0, 0, 0])
    const mark = { phasesAt: 5, newest: file.file_path, size: 6, modified: 7 }
    saveSession(db, row.id, mark, { ...emptyFacts, title: "t", bytes: 8, damaged: 9 })
    const saved = {
      phases_at: 5,
      newest: file.file_path,
      newest_size: 6,
      modified: 7,
      title: "t",
      bytes: 8,
      damaged: 9,
    }
    assert.deepEqual({ ...sessionRow(db, "a") }, { ...row, ...saved })
    saveFile(db, row.id, file)
    saveFile(db, row.id, { ...file, size: 4 })
    assert.deepEqual(
      db
        .prepare("SELECT size FROM files")
        .all()
        .map(({ size }) => size),
      [4],
    )
  })
})

test("a transaction is atomic, and its error is thrown, also after a rollback by SQLite", (t) => {
  const index = openIndexFile(":memory:")
  t.after(() => index.close())
  const own = new Error("own")
  index.use((db) => {
    for (const end of ["", "ROLLBACK"]) {
      const work = (): never => {
        insertSession(db, "a", info, emptyFacts)
        db.exec(end)
        throw own
      }
      assert.throws(
        () => inTransaction(db, work),
        (error) => error === own,
      )
      assert.deepEqual([sessionRow(db, "a"), db.isTransaction], [null, false])
    }
    const { id } = inTransaction(db, () => insertSession(db, "a", info, emptyFacts))
    assert.deepEqual([sessionRow(db, "a")?.id, db.isTransaction], [id, false])
  })
})
