import type { Disk } from "../store/disk/disk.ts"
import { anchorsFolder, phasesOf, tapeFile } from "../store/layout.ts"

/** Which tapes an index is about. */
export type Source =
  /** A folder of tapes. Only entries that hold words get a row: the rest would double its size and is never found. */
  | { readonly sessions: string }
  /** One tape; every entry gets a row. */
  | { readonly tape: string }

/** Where a tape lies. `folder` is its name in the source; "." is the only tape of a source of one. */
export interface TapeFolder {
  readonly folder: string
  readonly path: string
}

export function pathOf(source: Source, folder: string): string {
  return "tape" in source ? source.tape : `${source.sessions}/${folder}`
}

/** All folders that may hold a tape. */
export function tapeFolders(disk: Disk, source: Source): readonly TapeFolder[] {
  if ("tape" in source) {
    return disk.stat(tapeFile(source.tape)) === null ? [] : [{ folder: ".", path: source.tape }]
  }
  const names = disk.list(source.sessions).filter((name) => !name.startsWith("."))
  return names.map((folder) => ({ folder, path: `${source.sessions}/${folder}` }))
}

/** What changes whenever something is written to a tape: its newest file grows, or it gets a new phase. */
export interface ChangeStamp {
  /** Milliseconds since the epoch: when the list of its phases changed. */
  readonly phasesAt: number
  /** The newest entries file, as seen from the tape's folder; "" when it has none. */
  readonly newest: string
  readonly size: number
  readonly modified: number
}

/** Two looks at the disk when nothing changed; a thousand times as many tapes are no more than a moment. */
export function isUnchanged(disk: Disk, path: string, stamp: ChangeStamp): boolean {
  if (stamp.newest === "") return false
  const file = disk.stat(`${path}/${stamp.newest}`)
  if (file === null || file.size !== stamp.size || file.mtimeMs !== stamp.modified) return false
  return disk.stat(anchorsFolder(path))?.mtimeMs === stamp.phasesAt
}

/** How a tape looks now. Taken before its lines are read: what is written meanwhile is noticed the next time. */
export function stampOf(disk: Disk, path: string): ChangeStamp {
  const phasesAt = disk.stat(anchorsFolder(path))?.mtimeMs ?? 0
  const file = phasesOf(disk, path).at(-1)?.file
  const stat = file === undefined ? null : disk.stat(file)
  if (file === undefined || stat === null) return { phasesAt, newest: "", size: 0, modified: phasesAt }
  return { phasesAt, newest: file.slice(path.length + 1), size: stat.size, modified: stat.mtimeMs }
}
