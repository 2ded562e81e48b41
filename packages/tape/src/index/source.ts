import type { Disk } from "../store/disk/disk.ts"
import { anchorsFolder, phasesOf, tapeFile } from "../store/layout.ts"

/** The tapes of an index. */
export type Source =
  /** A folder of tapes. Only entries with text get a row: other entries would double the size and are never found. */
  | { readonly sessions: string }
  /** One tape; every entry gets a row. */
  | { readonly tape: string }

/** The location of a tape. `folder` is its name in the source; "." when the source is one tape. */
export interface TapeFolder {
  readonly folder: string
  readonly path: string
}

export function pathOf(source: Source, folder: string): string {
  return "tape" in source ? source.tape : `${source.sessions}/${folder}`
}

/** All folders that may contain a tape. */
export function tapeFolders(disk: Disk, source: Source): readonly TapeFolder[] {
  if ("tape" in source) {
    return disk.stat(tapeFile(source.tape)) === null ? [] : [{ folder: ".", path: source.tape }]
  }
  const names = disk.list(source.sessions).filter((name) => !name.startsWith("."))
  return names.map((folder) => ({ folder, path: `${source.sessions}/${folder}` }))
}

/** Changes with every write to a tape: its newest file grows, or it gets a new phase. */
export interface ChangeStamp {
  /** When the list of phases changed, in milliseconds since the epoch. */
  readonly phasesAt: number
  /** The newest entries file, relative to the tape's folder; "" without one. */
  readonly newest: string
  readonly size: number
  readonly modified: number
}

/** Needs two `stat` calls for an unchanged tape, so that thousands of tapes take only a moment. */
export function isUnchanged(disk: Disk, path: string, stamp: ChangeStamp): boolean {
  if (stamp.newest === "") return false
  const file = disk.stat(`${path}/${stamp.newest}`)
  if (file === null || file.size !== stamp.size || file.mtimeMs !== stamp.modified) return false
  return disk.stat(anchorsFolder(path))?.mtimeMs === stamp.phasesAt
}

/** The stamp of a tape now. Taken before its lines are read, so that writes in the meantime are noticed the next time. */
export function stampOf(disk: Disk, path: string): ChangeStamp {
  const phasesAt = disk.stat(anchorsFolder(path))?.mtimeMs ?? 0
  const file = phasesOf(disk, path).at(-1)?.file
  const stat = file === undefined ? null : disk.stat(file)
  if (file === undefined || stat === null) return { phasesAt, newest: "", size: 0, modified: phasesAt }
  return { phasesAt, newest: file.slice(path.length + 1), size: stat.size, modified: stat.mtimeMs }
}
