import type { DatabaseSync } from "node:sqlite"
import { type Entry, parseJson, type SessionHit, type UnreadableSession } from "@gong/spec"
import type { Disk } from "../store/disk/disk.ts"
import { skipUnreadable } from "../store/unreadable.ts"
import { entryAt } from "./line-at.ts"
import { parseQuery, type Query } from "./text/query.ts"
import { type Columns, isCount, isFolder, isLinesFile, isNumber, isText, isTextOrNull, rowsOf } from "./columns.ts"
import { snippetOf } from "./text/snippet.ts"
import { pathOf, type Source } from "./source.ts"
import { textOfEntry } from "../entry-text.ts"

export interface SearchOptions {
  /** Only sessions of this workspace. */
  readonly workspace?: string
  /** Default 20. */
  readonly limit?: number
  /** The most hits of one session, so that a session with many hits does not hide others. Default 3. */
  readonly ofSession?: number
}

/** A hit with a known folder. */
export interface Hit extends SessionHit {
  readonly path: string
}

export interface SearchResult {
  /** The best first; with very many matches, the newest. */
  readonly hits: readonly Hit[]
  /** The number of matching entries. */
  readonly total: number
  /** There are more matches than were ranked. */
  readonly more: boolean
  /** Folders of tapes in which a line is not at its location in the index: they were replaced. */
  readonly stale: readonly string[]
}

/** The most entries that are ranked. */
const maxRanked = 1000
const defaultOfSession = 3
const defaultLimit = 20

/** Null for a query without words. */
export function search(
  db: DatabaseSync,
  disk: Disk,
  source: Source,
  question: string,
  options: SearchOptions,
): SearchResult | null {
  const query = parseQuery(question)
  if (query === null) return null
  const workspace = options.workspace ?? null
  const rows = rowsFor(db, query, workspace)
  const counts = Map.groupBy(rows, (row) => row.folder)
  const hits: Hit[] = []
  const stale: string[] = []
  // Stale tapes are read again, and unreadable ones are reported then.
  const unreadable: UnreadableSession[] = []
  for (const row of bestOf(rows, options)) {
    const path = pathOf(source, row.folder)
    const entry = skipUnreadable(path, unreadable, () => entryAt(disk, `${path}/${row.file_path}`, row.line_offset))
    if (entry?.id !== row.entry) stale.push(row.folder)
    else hits.push({ ...hitOf(row, entry, query), path, inSession: counts.get(row.folder)?.length ?? 1 })
  }
  return { hits, total: rows.length, more: rows.length === maxRanked, stale }
}

interface Row {
  readonly id: number
  readonly folder: string
  readonly tape: string
  readonly workspace: string
  readonly title: string | null
  readonly entry: string
  readonly file_path: string
  readonly line_offset: number
  readonly metadata: string | null
}

const rowColumns: Columns<Row> = {
  id: isNumber,
  folder: isFolder,
  tape: isText,
  workspace: isText,
  title: isTextOrNull,
  entry: isText,
  file_path: isLinesFile,
  line_offset: isCount,
  metadata: isTextOrNull,
}

const joined = `FROM text JOIN entries AS e ON e.id = text.rowid JOIN sessions AS s ON s.id = e.session
  WHERE text MATCH ? AND (? IS NULL OR s.workspace = ?)`

const columns = `e.id, s.folder, s.tape, s.workspace, coalesce(s.name, s.title) AS title, e.entry, e.file_path, e.line_offset, e.metadata`

/**
 * Searches exact words first; when they have few matches, also as prefixes of longer words. Ranks by BM25, in which a word of the
 * text counts more than a part of an identifier; equal ranks by age, newest first. With very many matches ranking would read all
 * of them, so the entries that were indexed last come first. The set of matches depends on the tapes alone; the order of nearly
 * equal ranks also on removed tapes, whose lengths stay in the average.
 */
function rowsFor(db: DatabaseSync, { exact, beginnings }: Query, workspace: string | null): readonly Row[] {
  for (const match of new Set([exact, beginnings])) {
    const newest = `SELECT ${columns} ${joined} ORDER BY text.rowid DESC LIMIT ${maxRanked}`
    const rows = rowsOf(db, rowColumns, newest, match, workspace, workspace)
    if (rows.length === maxRanked) return rows
    if (match !== beginnings) continue
    const order = "ORDER BY bm25(text, 1.0, 0.5), e.created_at DESC, s.folder, e.anchor_seq DESC, e.line_offset DESC"
    return rowsOf(db, rowColumns, `SELECT ${columns} ${joined} ${order}`, match, workspace, workspace)
  }
  return []
}

function bestOf(
  rows: readonly Row[],
  { limit = defaultLimit, ofSession = defaultOfSession }: SearchOptions,
): readonly Row[] {
  const taken = new Map<string, number>()
  const best: Row[] = []
  for (const row of rows) {
    const before = taken.get(row.folder) ?? 0
    if (before >= ofSession) continue
    taken.set(row.folder, before + 1)
    best.push(row)
    if (best.length === limit) break
  }
  return best
}

function hitOf(
  { tape, workspace, title, metadata }: Row,
  entry: Entry,
  { terms }: Query,
): Omit<Hit, "path" | "inSession"> {
  const snippet = snippetOf(textOfEntry(entry), terms)
  return { session: tape, workspace, title, entry, metadata: metadata === null ? null : parseJson(metadata), snippet }
}
