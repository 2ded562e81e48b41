import { failure, FailureError, phrase, type SessionRef, type StoredSession } from "@gong/spec"
import { codeOf } from "../store/disk/disk.ts"
import { listingOf, listTapes, type TapeListing } from "../store/list.ts"
import { storageError, storageFailure } from "../store/storage.ts"
import type { StorePorts } from "../store/store.ts"
import type { OnUnreadable } from "../store/unreadable.ts"

/** The name of an index that is no file. */
export const inMemory = ":memory:"

/** Where sessions lie as folders of files. */
export interface SessionsContext {
  readonly ports: StorePorts
  /** The folder that holds them. */
  readonly sessions: string
  /** What was removed. */
  readonly trash: string
  /** The database that lists and searches are answered from, or `inMemory`. */
  readonly index: string
  /** Where output files of commands go; null: beside each session. */
  readonly spillFolder: string | null
}

/** All sessions, newest first. Throws FailureError (`storage`) when the folder of them cannot be read. */
export function allSessions({ ports, sessions }: SessionsContext, onUnreadable?: OnUnreadable): readonly TapeListing[] {
  try {
    return listTapes(ports.disk, sessions, onUnreadable)
  } catch (error) {
    throw unreadableFolder(sessions, error)
  }
}

/** Of another user's folder it counts which it is, and not what was to be done with it. */
function unreadableFolder(folder: string, error: unknown): FailureError {
  const code = codeOf(error)
  if (code !== "EACCES" && code !== "EPERM") return storageError(phrase`read the sessions in ${folder}`, error)
  return new FailureError(failure("storage", phrase`${folder}: permission denied (${code}).`, { cause: error }))
}

/** Those that did tasks for the session in this folder lie in it. */
export function tasksFolder(session: string): string {
  return `${session}/tasks`
}

export function tasksIn({ ports }: SessionsContext, session: string): readonly TapeListing[] {
  return listTapes(ports.disk, tasksFolder(session))
}

/** The folder of a session. One in memory has no path that anybody outside knows. */
export function folderOf(context: SessionsContext, { id, path }: SessionRef): string {
  if (path !== null) return path
  const listed = allSessions(context)
  const found = listed.find((one) => one.id === id) ?? findTask(context, listed, id)
  if (found === undefined) throw storageFailure(phrase`No session ${id}.`)
  return found.path
}

function findTask(context: SessionsContext, listed: readonly TapeListing[], id: string): TapeListing | undefined {
  for (const { path } of listed) {
    const found = tasksIn(context, path).find((task) => task.id === id)
    if (found !== undefined) return found
  }
  return undefined
}

/** As it is seen from outside. */
export function toPublic<S extends Pick<SessionRef, "path">>({ ports }: SessionsContext, session: S): S {
  return ports.disk.inMemory ? { ...session, path: null } : session
}

/** What was just made there. */
export function storedSessionAt(context: SessionsContext, path: string): StoredSession {
  const found = listingOf(context.ports.disk, path)
  if (found === null) throw storageFailure(phrase`No session at ${path}.`)
  return toPublic(context, found)
}
