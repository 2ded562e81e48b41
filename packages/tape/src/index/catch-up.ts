import type { DatabaseSync } from "node:sqlite"
import type { Clock, Damage, UnreadableSession } from "@gong/spec"
import type { Disk } from "../store/disk/disk.ts"
import { anchorsFolder, phasesOf } from "../store/layout.ts"
import { type OnUnreadable, skipUnreadable } from "../store/unreadable.ts"
import { addTape } from "./add-tape.ts"
import type { IndexFile } from "./database.ts"
import { isFolder, isNumber, isTime, rowsOf } from "./columns.ts"
import { deleteSession, deleteFolder, sessionColumns, sessionRow } from "./rows.ts"
import { inTransaction } from "./schema.ts"
import { isUnchanged, type ChangeStamp, pathOf, type TapeFolder, tapeFolders, type Source } from "./source.ts"

/** The result of an update of the index. */
export interface CatchUpResult {
  /** The number of bytes read. */
  readonly bytes: number
  /** Damaged lines that were skipped; the first hundred. */
  readonly damage: readonly Damage[]
  /** The tapes that were not read in time, newest first. */
  readonly outdated: readonly TapeFolder[]
}

export interface CatchUpDeps {
  readonly file: IndexFile
  readonly disk: Disk
  readonly clock: Pick<Clock, "now">
  readonly source: Source
  /** Receives tapes that cannot be read: they are in no list and no search. */
  readonly onUnreadable: OnUnreadable
}

/** A transaction ends after this many bytes, so that other processes wait only briefly. */
const maxBatch = 16 * 1024 * 1024
const maxDamage = 100

/**
 * Reads new entries of the tapes, newest tape first, and removes missing tapes. Stops after `milliseconds`, at the end of a tape.
 * Throws FailureError (`storage`).
 */
export function catchUp(parts: CatchUpDeps, milliseconds = Number.POSITIVE_INFINITY): CatchUpResult {
  const { file, clock, onUnreadable } = parts
  const until = clock.now() + milliseconds
  const damage: Damage[] = []
  let bytes = 0
  let { outdated, unreadable } = file.use((db) => changedTapes(db, parts))
  let remade = file.timesRemade
  while (outdated.length > 0 && clock.now() < until) {
    const added = file.use((db) => inTransaction(db, () => addBatch(db, parts, outdated, until)))
    unreadable = [...unreadable, ...added.unreadable]
    bytes += added.bytes
    damage.push(...added.damage.slice(0, maxDamage - damage.length))
    outdated = outdated.slice(added.tapes)
    if (file.timesRemade === remade) continue
    // The new database is empty, so all tapes are outdated.
    remade = file.timesRemade
    ;({ outdated, unreadable } = file.use((db) => changedTapes(db, parts)))
  }
  if (unreadable.length > 0) onUnreadable(unreadable)
  return { bytes, damage, outdated }
}

/** Reads new entries of one tape, unless they are more than `maxBytes`. Throws FailureError (`storage`). */
export function catchUpTape({ file, disk, source }: CatchUpDeps, folder: string, maxBytes: number): CatchUpResult {
  const tape = { folder, path: pathOf(source, folder) }
  return file.use((db) => {
    const read = sessionRow(db, folder)?.bytes ?? 0
    const written = phasesOf(disk, tape.path).reduce((sum, phase) => sum + (disk.stat(phase.file)?.size ?? 0), 0)
    if (written - read > maxBytes) return { bytes: 0, damage: [], outdated: [tape] }
    const { bytes, damage } = inTransaction(db, () => addTape(db, tape, { disk, everyEntry: "tape" in source }))
    return { bytes, damage: damage.slice(0, maxDamage), outdated: [] }
  })
}

interface ChangedTapes {
  readonly outdated: readonly TapeFolder[]
  readonly unreadable: readonly UnreadableSession[]
}

/** The tapes that changed since they were read, newest first. Missing and unreadable tapes are removed from the index. */
function changedTapes(db: DatabaseSync, { disk, source }: CatchUpDeps): ChangedTapes {
  const unreadable: UnreadableSession[] = []
  const known = new Map(storedStamps(db).map((stamp) => [stamp.folder, stamp]))
  const changed: { readonly tape: TapeFolder; readonly modified: number }[] = []
  for (const tape of tapeFolders(disk, source)) {
    const look = skipUnreadable(tape.path, unreadable, () => changeOf(disk, tape.path, known.get(tape.folder)))
    if (look === null) continue
    known.delete(tape.folder)
    if (look !== "same") changed.push({ tape, modified: look.modified })
  }
  if (known.size > 0) inTransaction(db, () => known.forEach(({ id }) => deleteSession(db, id)))
  return { outdated: changed.sort((a, b) => b.modified - a.modified).map(({ tape }) => tape), unreadable }
}

/** The time of the last change; "same" when there is nothing to read. */
function changeOf(disk: Disk, path: string, stamp: StampRow | undefined): { readonly modified: number } | "same" {
  if (stamp !== undefined && isUnchanged(disk, path, stamp)) return "same"
  const modified = disk.stat(anchorsFolder(path))?.mtimeMs
  // A folder without phases is not a tape yet; one that was a tape is read again.
  if (modified === undefined && stamp === undefined) return "same"
  return { modified: Math.max(modified ?? 0, stamp?.modified ?? 0) }
}

interface StampRow extends ChangeStamp {
  readonly id: number
  readonly folder: string
}

function storedStamps(db: DatabaseSync): readonly StampRow[] {
  return rowsOf<StampRow>(
    db,
    {
      id: isNumber,
      folder: isFolder,
      phasesAt: isNumber,
      newest: sessionColumns.newest,
      size: isNumber,
      modified: isTime,
    },
    "SELECT id, folder, phases_at AS phasesAt, newest, newest_size AS size, modified FROM sessions",
  )
}

interface Batch {
  readonly tapes: number
  readonly bytes: number
  readonly damage: readonly Damage[]
  readonly unreadable: readonly UnreadableSession[]
}

function addBatch(
  db: DatabaseSync,
  { disk, clock, source }: CatchUpDeps,
  places: readonly TapeFolder[],
  until: number,
): Batch {
  const damage: Damage[] = []
  const unreadable: UnreadableSession[] = []
  let bytes = 0
  let tapes = 0
  for (const tape of places) {
    const options = { disk, everyEntry: "tape" in source }
    const added = skipUnreadable(tape.path, unreadable, () => addTape(db, tape, options))
    // A tape that was read in part must not count as complete.
    if (added === null) deleteFolder(db, tape.folder)
    tapes += 1
    bytes += added?.bytes ?? 0
    for (const one of added?.damage ?? []) damage.push(one)
    if (bytes >= maxBatch || clock.now() >= until) break
  }
  return { tapes, bytes, damage, unreadable }
}
