import type { DatabaseSync } from "node:sqlite"
import type { Clock, Damage } from "@gong/spec"
import type { Disk } from "../store/disk/disk.ts"
import { phasesOf } from "../store/layout.ts"
import { addTape } from "./add-tape.ts"
import type { IndexFile } from "./database.ts"
import { forget, rowsOf, sessionRow } from "./rows.ts"
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
}

/** Bytes after which a transaction ends, so that another process need not wait longer than a moment. */
const maxBatch = 16 * 1024 * 1024
const maxDamage = 100

/**
 * Reads what is new on the tapes, the newest first, and forgets tapes that are gone. Stops after `milliseconds`, at the end of
 * a tape. Throws FailureError (`storage`).
 */
export function catchUp(parts: CatchUpParts, milliseconds = Number.POSITIVE_INFINITY): CaughtUp {
  const { file, disk, clock, source } = parts
  const until = clock.now() + milliseconds
  const damage: Damage[] = []
  let bytes = 0
  let behind = file.use((db) => changedPlaces(db, disk, source))
  while (behind.length > 0 && clock.now() < until) {
    const added = file.use((db) => inTransaction(db, () => addBatch(db, parts, behind, until)))
    behind = behind.slice(added.tapes)
    bytes += added.bytes
    damage.push(...added.damage.slice(0, maxDamage - damage.length))
  }
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

/** The tapes that were written to since they were read, newest first. Those that are gone are forgotten. */
function changedPlaces(db: DatabaseSync, disk: Disk, source: Source): readonly Place[] {
  const known = new Map(marks(db).map((mark) => [mark.folder, mark]))
  const changed: { readonly place: Place; readonly modified: number }[] = []
  for (const place of placesIn(disk, source)) {
    const mark = known.get(place.folder)
    known.delete(place.folder)
    if (mark !== undefined && isSame(disk, place.path, mark)) continue
    const modified = disk.stat(`${place.path}/anchors`)?.mtimeMs
    // A folder without phases is no tape yet; one that was a tape is looked at again.
    if (modified !== undefined || mark !== undefined)
      changed.push({ place, modified: Math.max(modified ?? 0, mark?.modified ?? 0) })
  }
  if (known.size > 0) inTransaction(db, () => known.forEach(({ id }) => forget(db, id)))
  return changed.sort((a, b) => b.modified - a.modified).map(({ place }) => place)
}

interface MarkRow extends Mark {
  readonly id: number
  readonly folder: string
}

function marks(db: DatabaseSync): readonly MarkRow[] {
  return rowsOf<MarkRow>(
    db,
    "SELECT id, folder, phases_at AS phasesAt, newest, newest_size AS size, modified FROM sessions",
  )
}

interface Batch {
  readonly tapes: number
  readonly bytes: number
  readonly damage: readonly Damage[]
}

function addBatch(
  db: DatabaseSync,
  { disk, clock, source }: CatchUpParts,
  places: readonly Place[],
  until: number,
): Batch {
  const damage: Damage[] = []
  let bytes = 0
  let tapes = 0
  for (const place of places) {
    const added = addTape(db, place, { disk, everyEntry: "tape" in source })
    tapes += 1
    bytes += added.bytes
    damage.push(...added.damage)
    if (bytes >= maxBatch || clock.now() >= until) break
  }
  return { tapes, bytes, damage }
}
