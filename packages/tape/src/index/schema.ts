import { DatabaseSync } from "node:sqlite"
import { ForeignIndex } from "./columns.ts"

/** An index of another version is built again: all its data is on the tapes. */
export const version = 2

/** Milliseconds to wait for another process that writes; one batch takes about a second. */
export const busyTimeout = 10_000

/**
 * `entries` has the columns of the contract, the session, and the id of the entry, by which duplicate lines count once. `text`
 * stores the positions of words and no text. There is no prefix table: a range of words is fast enough at half the size.
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
 * Creates missing tables; true when they were created. Throws ForeignIndex for any other schema: the next statement would run a
 * view or a trigger with the name of a table.
 */
export function prepare(db: DatabaseSync): boolean {
  db.exec("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY;")
  // Without shared memory, SQLite keeps its journal mode: slower, but correct.
  db.exec("PRAGMA journal_mode = WAL")
  if (versionOf(db) === version) return requireOwnSchema(db)
  return inTransaction(db, () => {
    // Another process may have created them in the meantime.
    if (versionOf(db) === version) return requireOwnSchema(db)
    requireTablesOnly(db)
    dropTables(db)
    db.exec(tables)
    requireOwnSchema(db)
    return true
  })
}

/** Returns `false`. Throws ForeignIndex when the schema differs from Gong's. */
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

/** Throws ForeignIndex where dropping tables could run foreign code. */
function requireTablesOnly(db: DatabaseSync): void {
  const kinds = db.prepare("SELECT 1 FROM sqlite_schema WHERE type NOT IN ('table', 'index')").all()
  if (kinds.length > 0) throw new ForeignIndex("the index has more than tables")
}

/** Creates all tables again. */
export function reset(db: DatabaseSync): void {
  inTransaction(db, () => {
    dropTables(db)
    db.exec(tables)
  })
}

/** Runs `work` in a transaction; other processes wait until it ends. */
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
