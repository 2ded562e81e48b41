import type { DatabaseSync, StatementSync } from "node:sqlite"
import type { Damage, Entry } from "@gong/spec"
import { entryOfLine } from "../line.ts"
import { crc32Over } from "../store/artifacts/digest.ts"
import { type Disk, readUpTo } from "../store/disk/disk.ts"
import { type Phase, phasesOf } from "../store/layout.ts"
import { infoOf } from "../store/info.ts"
import { scanOn } from "../store/read/scan.ts"
import { addFacts, emptyFacts } from "./facts.ts"
import { columnsOf } from "./text/query.ts"
import { rowsOf } from "./columns.ts"
import {
  fileColumns,
  type FileRow,
  deleteSession,
  insertSession,
  saveFile,
  saveSession,
  type SessionRow,
  sessionRow,
} from "./rows.ts"
import { stampOf, type TapeFolder } from "./source.ts"
import { indexFieldsOf } from "../entry-text.ts"

export interface AddedTape {
  /** The number of bytes read. */
  readonly bytes: number
  readonly damage: readonly Damage[]
}

export interface AddOptions {
  readonly disk: Disk
  /** Includes entries without text. */
  readonly everyEntry: boolean
}

/** Reads new entries of one tape, inside a transaction. A tape that was replaced since is read again from the start. */
export function addTape(db: DatabaseSync, tape: TapeFolder, options: AddOptions): AddedTape {
  const { disk } = options
  const info = infoOf(disk, tape.path)
  const known = sessionRow(db, tape.folder)
  const stamp = stampOf(disk, tape.path)
  const phases = phasesOf(disk, tape.path)
  const grown = known !== null && info !== null && known.tape === info.id && known.created === info.created
  const files = known === null ? [] : filesOf(db, known.id)
  if (known !== null && !(grown && areStillThere(disk, tape.path, phases, files))) {
    deleteSession(db, known.id)
    return addTape(db, tape, options)
  }
  if (info === null) return { bytes: 0, damage: [] }
  const row = { ...(known ?? insertSession(db, tape.folder, info, emptyFacts)) }
  const damage: Damage[] = []
  const before = row.bytes
  for (const phase of phases) {
    const file = files.find((one) => `${tape.path}/${one.file_path}` === phase.file)
    addFile({ db, row, tape: tape.path, damage, insert: insertsOf(db), ...options }, phase, file ?? null)
  }
  row.damaged += damage.length
  saveSession(db, row.id, stamp, row)
  return { bytes: row.bytes - before, damage }
}

interface Work extends AddOptions {
  readonly db: DatabaseSync
  readonly row: SessionRow
  readonly tape: string
  readonly damage: Damage[]
  readonly insert: Inserts
}

interface Inserts {
  readonly entry: StatementSync
  readonly text: StatementSync
}

function filesOf(db: DatabaseSync, session: number): readonly FileRow[] {
  return rowsOf(db, fileColumns, "SELECT * FROM files WHERE session = ?", session)
}

function insertsOf(db: DatabaseSync): Inserts {
  return {
    entry: db.prepare(
      `INSERT OR IGNORE INTO entries(session, entry, kind, anchor_name, anchor_seq, file_path, line_offset, created_at, summary, metadata)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    text: db.prepare("INSERT INTO text(rowid, body, parts) VALUES (?, ?, ?)"),
  }
}

const tailLength = 64

/** Whether every file exists and begins with what was read: the last bytes contain a checksum and an id. */
function areStillThere(disk: Disk, tape: string, phases: readonly Phase[], files: readonly FileRow[]): boolean {
  return files.every((file) => {
    const path = `${tape}/${file.file_path}`
    if (!phases.some((phase) => phase.file === path)) return false
    const stat = disk.stat(path)
    if (stat === null) return false
    if (stat.size === file.size && stat.mtimeMs === file.modified) return true
    return Buffer.from(file.tail).equals(tailOf(disk, path, file.indexed_bytes))
  })
}

/** The last bytes before the offset `end`. */
function tailOf(disk: Disk, path: string, end: number): Uint8Array {
  const from = Math.max(end - tailLength, 0)
  const file = disk.open(path, "read")
  try {
    return readUpTo(disk, file, from, end - from)
  } finally {
    disk.close(file)
  }
}

/** Reads a file from the offset where the last reading ended. */
function addFile(work: Work, phase: Phase, known: FileRow | null): void {
  const { db, disk, row, tape } = work
  const stat = disk.stat(phase.file)
  if (stat === null || (known?.size === stat.size && known.modified === stat.mtimeMs)) return
  const start = known?.indexed_bytes ?? 0
  const crc32 = crc32Over(stat.size - start)
  const file_path = phase.file.slice(tape.length + 1)
  const torn: Damage[] = []
  const { end } = scanOn(
    disk,
    { path: phase.file, start, crc32 },
    (record, bytes, from, settled) => {
      if (!settled) return
      const entry = entryOfLine(bytes.toString("utf8", from, from + record.length))
      if (entry !== null) addEntry(work, entry, { phase, file_path, offset: record.offset })
    },
    torn,
  )
  // An incomplete last line is not damage yet.
  for (const one of torn) if (one.offset < end) work.damage.push(one)
  row.bytes += end - start
  const tail = tailOf(disk, phase.file, end)
  saveFile(db, row.id, { file_path, indexed_bytes: end, size: stat.size, modified: stat.mtimeMs, tail })
}

interface EntryLocation {
  readonly phase: Phase
  readonly file_path: string
  readonly offset: number
}

function addEntry({ row, insert, everyEntry }: Work, entry: Entry, { phase, file_path, offset }: EntryLocation): void {
  const { text, summary, metadata } = indexFieldsOf(entry)
  if (text !== "" || everyEntry) {
    const where = [phase.name, phase.seq, file_path, offset] as const
    const values = [row.id, entry.id, entry.type, ...where, entry.timestamp, summary, metadata]
    const { changes, lastInsertRowid } = insert.entry.run(...values)
    // A duplicate line counts once.
    if (changes === 0) return
    const { body, parts } = columnsOf(text)
    if (text !== "") insert.text.run(lastInsertRowid, body, parts)
  }
  addFacts(row, entry)
}
