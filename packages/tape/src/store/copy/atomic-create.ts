import { phrase } from "@gong/spec"
import { type Disk, makeFolder, removeTree } from "../disk/disk.ts"
import { mustBeId } from "../info.ts"
import { syncSessionsFolder } from "../write/ancestor-syncs.ts"
import { storageFailure } from "../storage.ts"

/** What a crash left of a tape that was being made is removed when it is older than this. */
const leftoverMs = 24 * 3600 * 1000

const mark = ".tmp-"

/**
 * A tape that is made in a folder beside its place and appears there whole and durable, or not at all. Gives its path.
 * Throws FailureError (`storage`) when a tape with this id is there already.
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

/** Takes a tape out of sight at once, then removes it. */
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

/** What stays is out of sight and goes with the leftovers of a later day. */
function removeQuietly(disk: Disk, path: string): void {
  try {
    removeTree(disk, path)
  } catch {
    return
  }
}
