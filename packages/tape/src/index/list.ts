import type { DatabaseSync } from "node:sqlite"
import type { Facts } from "./facts.ts"
import { type Columns, isNumber, isTextOrNull, rowsOf } from "./columns.ts"
import { countColumns, sessionColumns, type SessionRow } from "./rows.ts"
import { pathOf, type Source } from "./source.ts"

export interface ListOptions {
  /** Only sessions of this workspace. */
  readonly workspace?: string
  /** Default: all. */
  readonly limit?: number
}

/** A session as a list shows it. */
export interface ListedSession extends Readonly<Facts> {
  readonly id: string
  /** Its folder. */
  readonly path: string
  readonly cwd: string
  readonly workspace: string
  /** ISO 8601, UTC. */
  readonly created: string
  /** Milliseconds since the epoch of the last write. */
  readonly modified: number
  /** What it was forked from. */
  readonly from: { readonly id: string; readonly entry: string } | null
  /** Lines that were skipped because they are damaged. */
  readonly damaged: number
}

export interface Listed {
  /** The one that was written to last comes first. */
  readonly sessions: readonly ListedSession[]
  /** How many there are in all, of this workspace and of every one. */
  readonly total: number
  readonly everywhere: number
}

export function listed(db: DatabaseSync, source: Source, options: ListOptions): Listed {
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

function listedSession(row: SessionRow, source: Source): ListedSession {
  const { tape: id, folder, cwd, workspace, created, modified, damaged, from_tape, from_entry } = row
  const { title, name, model, entries, prompts, replies, calls, bytes, cost, costCny, unpriced } = row
  const from = from_tape === null ? null : { id: from_tape, entry: from_entry ?? "" }
  const facts = { title, name, model, entries, prompts, replies, calls, bytes, cost, costCny, unpriced }
  return { id, path: pathOf(source, folder), cwd, workspace, created, modified, from, damaged, ...facts }
}

/** Sums over all sessions. */
export interface Stats {
  readonly sessions: number
  readonly workspaces: number
  readonly entries: number
  readonly prompts: number
  readonly replies: number
  readonly calls: number
  readonly bytes: number
  /** US dollars, of what has a known price. */
  readonly cost: number
  /** What lists in yuan charged of it. */
  readonly costCny: number
  readonly unpriced: number
  readonly damaged: number
  /** By the model that a session used last; the most expensive first. */
  readonly models: readonly ModelStats[]
}

export interface ModelStats {
  /** Null: no model was chosen yet. */
  readonly model: string | null
  readonly sessions: number
  /** US dollars, of what has a known price. */
  readonly cost: number
  /** What lists in yuan charged of it. */
  readonly costCny: number
  /** Replies without a known price. */
  readonly unpriced: number
}

const sumColumns: Columns<Omit<Stats, "models">> = { sessions: isNumber, workspaces: isNumber, ...countColumns }

export function statsOf(db: DatabaseSync): Stats {
  const sums = Object.keys(countColumns)
  const [all] = rowsOf<Omit<Stats, "models">>(
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
  if (all === undefined) throw new Error("Broken promise inside Gong: a sum without a row")
  return { ...all, models: models.map((row) => ({ ...row })) }
}
