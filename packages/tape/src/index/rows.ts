import type { DatabaseSync, SQLInputValue } from "node:sqlite"
import { type TapeInfo, workspaceName } from "@gong/spec"
import {
  type Columns,
  isCount,
  isFolder,
  isLinesFile,
  isNumber,
  isText,
  isTextOrNull,
  isTime,
  rowsOf,
} from "./columns.ts"
import type { Facts } from "./facts.ts"
import type { ChangeStamp } from "./source.ts"

/** A session in the index. */
export interface SessionRow extends Counted {
  readonly id: number
  readonly folder: string
  readonly tape: string
  readonly cwd: string
  readonly workspace: string
  readonly created: string
  readonly from_tape: string | null
  readonly from_entry: string | null
  readonly phases_at: number
  readonly newest: string
  readonly newest_size: number
  readonly modified: number
}

export interface FileRow {
  readonly file_path: string
  readonly indexed_bytes: number
  readonly size: number
  readonly modified: number
  readonly tail: Uint8Array
}

/** Counting columns of `sessions`, which are summed up over all sessions, in this order. */
export const countColumns = {
  entries: isNumber,
  prompts: isNumber,
  replies: isNumber,
  calls: isNumber,
  bytes: isNumber,
  cost: isNumber,
  costCny: isNumber,
  unpriced: isNumber,
  damaged: isNumber,
} satisfies Partial<Columns<SessionRow>>

/** Columns of `sessions`. */
export const sessionColumns: Columns<SessionRow> = {
  id: isNumber,
  folder: isFolder,
  tape: isText,
  cwd: isText,
  workspace: isText,
  created: isText,
  from_tape: isTextOrNull,
  from_entry: isTextOrNull,
  phases_at: isNumber,
  newest: (value) => value === "" || isLinesFile(value),
  newest_size: isNumber,
  modified: isTime,
  title: isTextOrNull,
  name: isTextOrNull,
  model: isTextOrNull,
  ...countColumns,
}

/** Columns of `files`. */
export const fileColumns: Columns<FileRow> = {
  file_path: isLinesFile,
  indexed_bytes: isCount,
  size: isNumber,
  modified: isNumber,
  tail: (value) => value instanceof Uint8Array,
}

export function sessionRow(db: DatabaseSync, folder: string): SessionRow | null {
  return rowsOf(db, sessionColumns, "SELECT * FROM sessions WHERE folder = ?", folder)[0] ?? null
}

export function insertSession(db: DatabaseSync, folder: string, info: TapeInfo, facts: Facts): SessionRow {
  const { id, host, cwd, from } = info
  // Another program may have written a `tape.json` with fewer fields.
  const { workspace, created }: Partial<TapeInfo> = info
  insert(db, "sessions", {
    folder,
    tape: id,
    cwd,
    workspace: workspaceName({ host, workspace: workspace ?? cwd }),
    created: created ?? "",
    from_tape: from?.id ?? null,
    from_entry: from?.entry ?? null,
    damaged: 0,
    ...columnsOfStamp({ phasesAt: 0, newest: "", size: 0, modified: 0 }),
    ...facts,
  })
  const row = sessionRow(db, folder)
  if (row === null) throw new Error("Internal error in Gong: a session that was just written is not there")
  return row
}

export interface Counted extends Facts {
  damaged: number
}

export function saveSession(db: DatabaseSync, id: number, stamp: ChangeStamp, row: Counted): void {
  const { title, name, model, entries, prompts, replies, calls, bytes, cost, costCny, unpriced, damaged } = row
  const facts = { title, name, model, entries, prompts, replies, calls, bytes, cost, costCny, unpriced, damaged }
  const values = { ...columnsOfStamp(stamp), ...facts }
  const set = Object.keys(values).map((column) => `${column} = ?`)
  db.prepare(`UPDATE sessions SET ${set.join(", ")} WHERE id = ?`).run(...Object.values(values), id)
}

function columnsOfStamp({ phasesAt, newest, size, modified }: ChangeStamp) {
  return { phases_at: phasesAt, newest, newest_size: size, modified }
}

export function saveFile(db: DatabaseSync, session: number, row: FileRow): void {
  db.prepare("DELETE FROM files WHERE session = ? AND file_path = ?").run(session, row.file_path)
  insert(db, "files", { session, ...row })
}

/** Removes a session and its entries. */
export function deleteSession(db: DatabaseSync, id: number): void {
  db.prepare("DELETE FROM text WHERE rowid IN (SELECT id FROM entries WHERE session = ?)").run(id)
  db.prepare("DELETE FROM entries WHERE session = ?").run(id)
  db.prepare("DELETE FROM files WHERE session = ?").run(id)
  db.prepare("DELETE FROM sessions WHERE id = ?").run(id)
}

/** Removes the tape in this folder, if there is one. */
export function deleteFolder(db: DatabaseSync, folder: string): void {
  const row = sessionRow(db, folder)
  if (row !== null) deleteSession(db, row.id)
}

function insert(db: DatabaseSync, table: string, row: Readonly<Record<string, SQLInputValue>>): void {
  const columns = Object.keys(row)
  const marks = columns.map(() => "?").join(", ")
  db.prepare(`INSERT INTO ${table}(${columns.join(", ")}) VALUES (${marks})`).run(...Object.values(row))
}
