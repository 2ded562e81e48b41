import { DatabaseSync } from "node:sqlite"
import { ForeignIndex } from "./columns.ts"

/** An index of another version is made anew: everything in it stands on the tapes. */
export const version = 2

/** Milliseconds that a process waits for another one that is writing; one batch takes about a second. */
export const busyTimeout = 10_000

/**
 * `entries` has the columns of the contract; beside them the session, and the entry's id by which a line that stands twice
 * counts once. `text` holds no text of its own, only where words stand. No prefix table: a range of words is fast enough,
 * and half the size.
 */
const tables = `
CREATE TABLE sessions(
  id INTEGER PRIMARY KEY, folder TEXT NOT NULL UNIQUE, tape TEXT NOT NULL, cwd TEXT NOT NULL, workspace TEXT NOT NULL,
  created TEXT NOT NULL, from_tape TEXT, from_entry TEXT, damaged INTEGER NOT NULL,
  phases_at REAL NOT NULL, newest TEXT NOT NULL, newest_size INTEGER NOT NULL, modified REAL NOT NULL,
  title TEXT, name TEXT, model TEXT, entries INTEGER NOT NULL, prompts INTEGER NOT NULL, replies INTEGER NOT NULL,
  calls INTEGER NOT NULL, bytes INTEGER NOT NULL, cost REAL NOT NULL, costCny REAL NOT NULL,
  unpriced INTEGER NOT NULL);
CREATE INDEX sessions_modified ON sessions(modified);
CREATE INDEX sessions_workspace ON sessions(workspace, modified);
CREATE TABLE files(
  session INTEGER NOT NULL, file_path TEXT NOT NULL, indexed_bytes INTEGER NOT NULL, size INTEGER NOT NULL,
  modified REAL NOT NULL, tail BLOB NOT NULL, PRIMARY KEY(session, file_path)) WITHOUT ROWID;
CREATE TABLE entries(
  id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, anchor_name TEXT NOT NULL, anchor_seq INTEGER NOT NULL,
  file_path TEXT NOT NULL, line_offset INTEGER, created_at TEXT NOT NULL, summary TEXT, metadata TEXT,
  session INTEGER NOT NULL, entry TEXT NOT NULL);
CREATE UNIQUE INDEX entries_entry ON entries(session, entry);
CREATE VIRTUAL TABLE text USING fts5(body, parts, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2');
PRAGMA user_version = ${version};
`

/**
 * Makes the tables where they are missing; true when they had to be made. Throws ForeignIndex where there is anything else: a
 * view or a trigger under a name of ours would be run by the next statement.
 */
export function prepare(db: DatabaseSync): boolean {
  db.exec("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY;")
  // Where shared memory is not to be had, SQLite stays with what it has: slower, as right.
  db.exec("PRAGMA journal_mode = WAL")
  if (versionOf(db) === version) return requireOwnSchema(db)
  return inTransaction(db, () => {
    // Another process may have made them in the meantime.
    if (versionOf(db) === version) return requireOwnSchema(db)
    requireTablesOnly(db)
    dropTables(db)
    db.exec(tables)
    requireOwnSchema(db)
    return true
  })
}

/** `false`, or ForeignIndex where the tables are not just those that would be made. */
function requireOwnSchema(db: DatabaseSync): false {
  ownSchema ??= ownSchemaText()
  if (schemaOf(db) !== ownSchema) throw new ForeignIndex("the index has other tables than Gong's")
  return false
}

let ownSchema: string | null = null

function ownSchemaText(): string {
  const db = new DatabaseSync(":memory:")
  db.exec(tables)
  const schema = schemaOf(db)
  db.close()
  return schema
}

function schemaOf(db: DatabaseSync): string {
  return JSON.stringify(db.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").all())
}

/** ForeignIndex where dropping them would run what somebody else wrote. */
function requireTablesOnly(db: DatabaseSync): void {
  const kinds = db.prepare("SELECT 1 FROM sqlite_schema WHERE type NOT IN ('table', 'index')").all()
  if (kinds.length > 0) throw new ForeignIndex("the index has more than tables")
}

/** Makes all tables anew. */
export function reset(db: DatabaseSync): void {
  inTransaction(db, () => {
    dropTables(db)
    db.exec(tables)
  })
}

/** All of `work` or nothing; another process waits until it is done. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec("BEGIN IMMEDIATE")
  try {
    const result = work()
    db.exec("COMMIT")
    return result
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK")
    throw error
  }
}

function versionOf(db: DatabaseSync): unknown {
  return db.prepare("PRAGMA user_version").get()?.["user_version"]
}

function dropTables(db: DatabaseSync): void {
  for (const name of ["text", "entries", "files", "sessions"]) db.exec(`DROP TABLE IF EXISTS ${name}`)
}
