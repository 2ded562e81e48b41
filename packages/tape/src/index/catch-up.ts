import type { DatabaseSync } from "node:sqlite"
import type { Clock, Damage, UnreadableSession } from "@gong/spec"
import type { Disk } from "../store/disk/disk.ts"
import { anchorsFolder, phasesOf } from "../store/layout.ts"
import { type PassedOver, unlessRefused } from "../store/unreadable.ts"
import { addTape } from "./add-tape.ts"
import type { IndexFile } from "./database.ts"
import { isFolder, isNumber, isTime, rowsOf } from "./columns.ts"
import { forget, forgetFolder, sessionColumns, sessionRow } from "./rows.ts"
import { inTransaction } from "./schema.ts"
import { isSame, type Mark, pathOf, type Place, placesIn, type Source } from "./source.ts"

/** What became of it. */
export interface CaughtUp {
  /** Bytes that were read. */
  readonly bytes: number
  /** Lines that were skipped because they are damaged; the first hundred. */
  readonly damage: readonly Damage[]
  /** The tapes that time did not suffice for, newest first. */
  readonly behind: readonly Place[]
}

export interface CatchUpParts {
  readonly file: IndexFile
  readonly disk: Disk
  readonly clock: Pick<Clock, "now">
  readonly source: Source
  /** Is told of tapes that cannot be read: they are in no list and no search. */
  readonly passedOver: PassedOver
}

/** Bytes after which a transaction ends, so that another process need not wait longer than a moment. */
const maxBatch = 16 * 1024 * 1024
const maxDamage = 100

/**
 * Reads what is new on the tapes, the newest first, and forgets tapes that are gone. Stops after `milliseconds`, at the end of
 * a tape. Throws FailureError (`storage`).
 */
export function catchUp(parts: CatchUpParts, milliseconds = Number.POSITIVE_INFINITY): CaughtUp {
  const { file, clock, passedOver } = parts
  const until = clock.now() + milliseconds
  const damage: Damage[] = []
  let bytes = 0
  let { behind, unreadable } = file.use((db) => changedPlaces(db, parts))
  let remade = file.timesRemade
  while (behind.length > 0 && clock.now() < until) {
    const added = file.use((db) => inTransaction(db, () => addBatch(db, parts, behind, until)))
    unreadable = [...unreadable, ...added.unreadable]
    bytes += added.bytes
    damage.push(...added.damage.slice(0, maxDamage - damage.length))
    behind = behind.slice(added.tapes)
    if (file.timesRemade === remade) continue
    // What was up to date before is not in the new one.
    remade = file.timesRemade
    ;({ behind, unreadable } = file.use((db) => changedPlaces(db, parts)))
  }
  if (unreadable.length > 0) passedOver(unreadable)
  return { bytes, damage, behind }
}

/** Reads what is new on one tape, unless that is more than `maxBytes`. Throws FailureError (`storage`). */
export function catchUpTape({ file, disk, source }: CatchUpParts, folder: string, maxBytes: number): CaughtUp {
  const place = { folder, path: pathOf(source, folder) }
  return file.use((db) => {
    const read = sessionRow(db, folder)?.bytes ?? 0
    const written = phasesOf(disk, place.path).reduce((sum, phase) => sum + (disk.stat(phase.file)?.size ?? 0), 0)
    if (written - read > maxBytes) return { bytes: 0, damage: [], behind: [place] }
    const { bytes, damage } = inTransaction(db, () => addTape(db, place, { disk, everyEntry: "tape" in source }))
    return { bytes, damage: damage.slice(0, maxDamage), behind: [] }
  })
}

interface Changed {
  readonly behind: readonly Place[]
  readonly unreadable: readonly UnreadableSession[]
}

/** The tapes that were written to since they were read, newest first. Those that are gone, or cannot be read, are forgotten. */
function changedPlaces(db: DatabaseSync, { disk, source }: CatchUpParts): Changed {
  const unreadable: UnreadableSession[] = []
  const known = new Map(marks(db).map((mark) => [mark.folder, mark]))
  const changed: { readonly place: Place; readonly modified: number }[] = []
  for (const place of placesIn(disk, source)) {
    const look = unlessRefused(place.path, unreadable, () => lookAt(disk, place.path, known.get(place.folder)))
    if (look === null) continue
    known.delete(place.folder)
    if (look !== "same") changed.push({ place, modified: look.modified })
  }
  if (known.size > 0) inTransaction(db, () => known.forEach(({ id }) => forget(db, id)))
  return { behind: changed.sort((a, b) => b.modified - a.modified).map(({ place }) => place), unreadable }
}

/** When it was written to; "same" where there is nothing to read. */
function lookAt(disk: Disk, path: string, mark: MarkRow | undefined): { readonly modified: number } | "same" {
  if (mark !== undefined && isSame(disk, path, mark)) return "same"
  const modified = disk.stat(anchorsFolder(path))?.mtimeMs
  // A folder without phases is no tape yet; one that was a tape is looked at again.
  if (modified === undefined && mark === undefined) return "same"
  return { modified: Math.max(modified ?? 0, mark?.modified ?? 0) }
}

interface MarkRow extends Mark {
  readonly id: number
  readonly folder: string
}

function marks(db: DatabaseSync): readonly MarkRow[] {
  return rowsOf<MarkRow>(
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
  { disk, clock, source }: CatchUpParts,
  places: readonly Place[],
  until: number,
): Batch {
  const damage: Damage[] = []
  const unreadable: UnreadableSession[] = []
  let bytes = 0
  let tapes = 0
  for (const place of places) {
    const options = { disk, everyEntry: "tape" in source }
    const added = unlessRefused(place.path, unreadable, () => addTape(db, place, options))
    // Half a tape would be taken for the whole one.
    if (added === null) forgetFolder(db, place.folder)
    tapes += 1
    bytes += added?.bytes ?? 0
    for (const one of added?.damage ?? []) damage.push(one)
    if (bytes >= maxBatch || clock.now() >= until) break
  }
  return { tapes, bytes, damage, unreadable }
}
