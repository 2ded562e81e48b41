import { phrase } from "@gong/spec"
import { type Disk, makeFolder, removeTree } from "../disk/disk.ts"
import { mustBeId } from "../info.ts"
import { syncSessionsFolder } from "../write/ancestor-syncs.ts"
import { storageFailure } from "../storage.ts"

/** Incomplete tapes after a crash are removed when they are older than this. */
const leftoverMs = 24 * 3600 * 1000

const mark = ".tmp-"

/**
 * Fills a tape under a temporary name and renames it, so that it appears complete and durable, or not at all. Returns its path.
 * Throws FailureError (`storage`) when a tape with this id exists.
 */
export function createAtomically(
  disk: Disk,
  now: number,
  sessions: string,
  id: string,
  fill: (folder: string) => void,
): string {
  mustBeId(id)
  const path = `${sessions}/${id}`
  const beside = `${sessions}/${mark}${id}`
  if (disk.stat(path) !== null) throw storageFailure(phrase`Session ${id} is there already.`)
  removeLeftovers(disk, now, sessions)
  removeTree(disk, beside)
  makeFolder(disk, beside)
  try {
    fill(beside)
    disk.syncFolder(beside)
    disk.rename(beside, path)
    syncSessionsFolder(disk, sessions)
  } catch (error) {
    removeQuietly(disk, beside)
    throw error
  }
  return path
}

/** Renames a tape to a temporary name, then removes it. */
export function removeTape(disk: Disk, sessions: string, id: string): void {
  const beside = `${sessions}/${mark}gone-${id}`
  removeTree(disk, beside)
  disk.rename(`${sessions}/${id}`, beside)
  disk.syncFolder(sessions)
  removeQuietly(disk, beside)
}

function removeLeftovers(disk: Disk, now: number, sessions: string): void {
  for (const name of disk.list(sessions)) {
    if (!name.startsWith(mark)) continue
    const path = `${sessions}/${name}`
    if (now - (disk.stat(path)?.mtimeMs ?? now) > leftoverMs) removeQuietly(disk, path)
  }
}

/** After a failure, the folder has a temporary name and is removed with later leftovers. */
function removeQuietly(disk: Disk, path: string): void {
  try {
    removeTree(disk, path)
  } catch {
    return
  }
}
