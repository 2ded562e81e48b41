import type { StoredSession, TapeInfo, UnreadableSession } from "@gong/spec"
import type { Disk } from "./disk/disk.ts"
import { infoOf } from "./info.ts"
import { phasesOf } from "./layout.ts"
import { type OnUnreadable, skipUnreadable } from "./unreadable.ts"

/** A stored session with a known folder. */
export interface TapeListing extends StoredSession {
  readonly path: string
}

/**
 * The tapes in a folder, newest first. Other folders are left out, and so are unreadable tapes, which `onUnreadable` receives.
 * Throws the disk's error when the folder itself cannot be read.
 */
export function listTapes(
  disk: Disk,
  sessions: string,
  onUnreadable: OnUnreadable = () => undefined,
): readonly TapeListing[] {
  const tapes: TapeListing[] = []
  const unreadable: UnreadableSession[] = []
  for (const name of disk.list(sessions)) {
    // Tapes that are being created or removed.
    if (name.startsWith(".")) continue
    const path = `${sessions}/${name}`
    const tape = skipUnreadable(path, unreadable, () => listingOf(disk, path))
    if (tape !== null) tapes.push(tape)
  }
  if (unreadable.length > 0) onUnreadable(unreadable)
  return tapes.sort((a, b) => b.modified - a.modified || (a.id < b.id ? 1 : -1))
}

/** The tape in this folder; null when there is none. */
export function listingOf(disk: Disk, path: string): TapeListing | null {
  const info = infoOf(disk, path)
  return info === null ? null : { id: info.id, path, info, modified: modifiedOf(disk, path, info) }
}

function modifiedOf(disk: Disk, path: string, info: TapeInfo): number {
  const newest = phasesOf(disk, path).at(-1)
  const stat = newest === undefined ? null : disk.stat(newest.file)
  return stat?.mtimeMs ?? Date.parse(info.created)
}
