import type { TapeInfo } from "@gong/spec"
import type { Disk } from "./disk/disk.ts"
import { infoOf } from "./info.ts"
import { phasesOf } from "./layout.ts"

export interface TapeListing {
  readonly id: string
  /** The tape's folder. */
  readonly path: string
  readonly info: TapeInfo
  /** Milliseconds since the epoch: when its newest entry was written. */
  readonly modified: number
}

/** The tapes in a folder, newest first. What is not a tape is left out. */
export function listTapes(disk: Disk, sessions: string): readonly TapeListing[] {
  const tapes: TapeListing[] = []
  for (const name of disk.list(sessions)) {
    // Tapes that are being made or removed.
    if (name.startsWith(".")) continue
    const path = `${sessions}/${name}`
    const info = infoOf(disk, path)
    if (info !== null) tapes.push({ id: info.id, path, info, modified: modifiedOf(disk, path, info) })
  }
  return tapes.sort((a, b) => b.modified - a.modified || (a.id < b.id ? 1 : -1))
}

function modifiedOf(disk: Disk, path: string, info: TapeInfo): number {
  const newest = phasesOf(disk, path).at(-1)
  const stat = newest === undefined ? null : disk.stat(newest.file)
  return stat?.mtimeMs ?? Date.parse(info.created)
}
