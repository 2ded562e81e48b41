import { phrase, type Removal, type Restoring, type SessionRef } from "@gong/spec"
import { codeOf, type Disk, makeFolder, parentOf } from "../store/disk/disk.ts"
import { listTapes } from "../store/list.ts"
import { storageFailure } from "../store/storage.ts"
import { matchId } from "./match.ts"
import { openToWrite } from "./open.ts"
import { folderOf, type SessionsContext, toPublic, storedSessionAt } from "./context.ts"

/** Moves a session to the trash, which is never emptied. */
export function removeSession(context: SessionsContext, session: SessionRef): Removal {
  const path = folderOf(context, session)
  // Opened for writing: a session that another process has open is not removed.
  const opened = openToWrite(context, { id: session.id, path })
  if (!opened.ok) return opened
  opened.store.close()
  const { disk } = context.ports
  const to = `${context.trash}/${nameOf(path)}`
  if (disk.stat(to) !== null) throw storageFailure(phrase`${to} is in the way; move it away first.`)
  move(disk, path, to)
  return { ok: true, path: disk.inMemory ? null : to }
}

export function restoreSession(context: SessionsContext, wanted: string): Restoring {
  const { disk } = context.ports
  const removed = listTapes(disk, context.trash)
  const found = matchId(removed, wanted)
  if (!found.ok) return { ok: false, removed: removed.map((session) => toPublic(context, session)) }
  const { path } = found.session
  const to = `${context.sessions}/${nameOf(path)}`
  if (disk.stat(to) !== null) throw storageFailure(phrase`${to} is there already.`)
  move(disk, path, to)
  return { ok: true, session: storedSessionAt(context, to) }
}

function nameOf(path: string): string {
  return path.slice(parentOf(path).length + 1)
}

/** After a power cut the folder is at one of the two paths; when this returns, it is durably at the new one. */
function move(disk: Disk, from: string, to: string): void {
  try {
    makeFolder(disk, parentOf(to))
    disk.rename(from, to)
    disk.syncFolder(parentOf(to))
    disk.syncFolder(parentOf(from))
  } catch (error) {
    if (codeOf(error) === "") throw error
    throw storageFailure(phrase`cannot move ${from} to ${to} (${codeOf(error)}).`)
  }
}
