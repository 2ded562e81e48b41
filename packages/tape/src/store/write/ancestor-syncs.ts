import { codeOf, type Disk, parentOf } from "../disk/disk.ts"
import { type Syncs, syncNow } from "./syncs.ts"
import { anchorsFolder, tapeFile } from "../layout.ts"

/**
 * Syncs of everything above a tape's phases, made with the first entry that has to be durable: one commit of the file system
 * instead of one for each folder. Existing folders do not count as durable: a killed process may have created them without a
 * sync.
 */
export function* tapeSyncs(disk: Disk, tape: string): Syncs {
  yield { file: tapeFile(tape) }
  yield { folder: anchorsFolder(tape) }
  yield { folder: tape }
  yield* folderSyncs(disk, parentOf(tape))
}

/** An empty file in a folder of tapes, created when all folders above it were durable. */
const mark = ".durable"

/** Syncs the names in a folder of tapes and, once, the folders above it: syncing those each time costs milliseconds. */
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

/** Errors of folders that may not be read or synced. Gong has created nothing in an unreadable folder. */
const ignoredCodes = new Set(["EACCES", "EPERM", "EINVAL", "ENOTSUP", "EOPNOTSUPP"])

function* syncAbove(folder: string): Syncs {
  try {
    yield { folder }
  } catch (error) {
    if (!ignoredCodes.has(codeOf(error))) throw error
  }
}

/** Without the file, the next process only repeats the syncs. */
function leaveMark(disk: Disk, folder: string): void {
  try {
    disk.close(disk.open(`${folder}/${mark}`, "append"))
  } catch {
    return
  }
}
