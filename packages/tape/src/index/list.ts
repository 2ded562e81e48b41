import type { DatabaseSync } from "node:sqlite"
import type { ListedSession, ListOptions, ModelStats, SessionStats } from "@gong/spec"
import { type Columns, isNumber, isTextOrNull, rowsOf } from "./columns.ts"
import { countColumns, sessionColumns, type SessionRow } from "./rows.ts"
import { pathOf, type Source } from "./source.ts"

/** A listed session with a known folder. */
interface IndexedSession extends ListedSession {
  readonly path: string
}

export interface ListResult {
  /** The most recently changed session first. */
  readonly sessions: readonly IndexedSession[]
  /** The number of sessions, in this workspace and in all workspaces. */
  readonly total: number
  readonly everywhere: number
}

export function listSessions(db: DatabaseSync, source: Source, options: ListOptions): ListResult {
  const workspace = options.workspace ?? null
  const rows = rowsOf(
    db,
    sessionColumns,
    // Two queries in one would use no index.
    `SELECT * FROM sessions ${workspace === null ? "WHERE ? IS NULL" : "WHERE workspace = ?"}
     ORDER BY modified DESC, tape DESC LIMIT ?`,
    workspace,
    options.limit ?? -1,
  )
  const counted = rowsOf<{ total: number; everywhere: number }>(
    db,
    { total: isNumber, everywhere: isNumber },
    "SELECT count(*) AS everywhere, count(*) FILTER (WHERE ?1 IS NULL OR workspace = ?1) AS total FROM sessions",
    workspace,
  )[0]
  return {
    sessions: rows.map((row) => listedSession(row, source)),
    total: counted?.total ?? 0,
    everywhere: counted?.everywhere ?? 0,
  }
}

function listedSession(row: SessionRow, source: Source): IndexedSession {
  const { tape: id, folder, cwd, workspace, created, modified, damaged, from_tape, from_entry } = row
  const { title, name, model, entries, prompts, replies, calls, bytes, cost, costCny, unpriced } = row
  const from = from_tape === null ? null : { id: from_tape, entry: from_entry ?? "" }
  const facts = { title, name, model, entries, prompts, replies, calls, bytes, cost, costCny, unpriced }
  return { id, path: pathOf(source, folder), cwd, workspace, created, modified, from, damaged, ...facts }
}

const sumColumns: Columns<Omit<SessionStats, "models">> = {
  sessions: isNumber,
  workspaces: isNumber,
  ...countColumns,
}

export function statsOf(db: DatabaseSync): SessionStats {
  const sums = Object.keys(countColumns)
  const [all] = rowsOf<Omit<SessionStats, "models">>(
    db,
    sumColumns,
    `SELECT count(*) AS sessions, count(DISTINCT workspace) AS workspaces,
     ${sums.map((column) => `coalesce(sum(${column}), 0) AS ${column}`).join(", ")} FROM sessions`,
  )
  const models = rowsOf<ModelStats>(
    db,
    { model: isTextOrNull, sessions: isNumber, cost: isNumber, costCny: isNumber, unpriced: isNumber },
    `SELECT model, count(*) AS sessions, coalesce(sum(cost), 0) AS cost,
     coalesce(sum(costCny), 0) AS costCny, sum(unpriced) AS unpriced FROM sessions
     GROUP BY model ORDER BY cost DESC, sessions DESC`,
  )
  if (all === undefined) throw new Error("Internal error in Gong: a sum without a row")
  return { ...all, models: models.map((row) => ({ ...row })) }
}
