import { codeOf, type Disk, parentOf } from "../disk/disk.ts"
import { type Syncs, syncNow } from "./syncs.ts"
import { anchorsFolder, tapeFile } from "../layout.ts"

/**
 * Everything that leads to a tape's phases, synced together with the first entry that has to be durable: one commit of the
 * file system instead of one for each step, and nothing was promised before. Nothing of it is taken for durable because it is
 * there: a process that was killed may have made it and synced none of it.
 */
export function* tapeSyncs(disk: Disk, tape: string): Syncs {
  yield { file: tapeFile(tape) }
  yield { folder: anchorsFolder(tape) }
  yield { folder: tape }
  yield* folderSyncs(disk, parentOf(tape))
}

/** An empty file in a folder of tapes: made when all that leads to the folder was durable. */
const mark = ".durable"

/** The names in a folder of tapes, and, once in its life, the folders above it: syncing them each time costs milliseconds. */
export function syncSessionsFolder(disk: Disk, folder: string): void {
  syncNow(disk, folderSyncs(disk, folder))
}

function* folderSyncs(disk: Disk, folder: string): Syncs {
  yield { folder }
  if (hasDurableMark(disk, folder)) return
  for (let at = folder; parentOf(at) !== at;) {
    at = parentOf(at)
    yield* syncAbove(at)
    if (hasDurableMark(disk, at)) break
  }
  leaveMark(disk, folder)
}

function hasDurableMark(disk: Disk, folder: string): boolean {
  return disk.stat(`${folder}/${mark}`) !== null
}

/** Folders that may not be read, or not be synced; Gong has made nothing in the former. */
const ignoredCodes = new Set(["EACCES", "EPERM", "EINVAL", "ENOTSUP", "EOPNOTSUPP"])

function* syncAbove(folder: string): Syncs {
  try {
    yield { folder }
  } catch (error) {
    if (!ignoredCodes.has(codeOf(error))) throw error
  }
}

/** A disk that takes no empty file costs the next process the same syncs, and nothing else. */
function leaveMark(disk: Disk, folder: string): void {
  try {
    disk.close(disk.open(`${folder}/${mark}`, "append"))
  } catch {
    return
  }
}
