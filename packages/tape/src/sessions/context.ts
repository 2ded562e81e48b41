import { failure, FailureError, phrase, type SessionRef, type StoredSession } from "@gong/spec"
import { codeOf } from "../store/disk/disk.ts"
import { listingOf, listTapes, type TapeListing } from "../store/list.ts"
import { storageError, storageFailure } from "../store/storage.ts"
import type { StorePorts } from "../store/store.ts"
import type { OnUnreadable } from "../store/unreadable.ts"

/** The name of an index in memory. */
export const inMemory = ":memory:"

/** Where sessions are stored as folders of files. */
export interface SessionsContext {
  readonly ports: StorePorts
  /** The folder of the sessions. */
  readonly sessions: string
  /** The folder of removed sessions. */
  readonly trash: string
  /** The database for lists and searches, or `inMemory`. */
  readonly index: string
  /** The folder for output files of commands; null: beside each session. */
  readonly spillFolder: string | null
}

/** All sessions, newest first. Throws FailureError (`storage`) when their folder cannot be read. */
export function allSessions({ ports, sessions }: SessionsContext, onUnreadable?: OnUnreadable): readonly TapeListing[] {
  try {
    return listTapes(ports.disk, sessions, onUnreadable)
  } catch (error) {
    throw unreadableFolder(sessions, error)
  }
}

/** For another user's folder, the message names the folder and not the operation. */
function unreadableFolder(folder: string, error: unknown): FailureError {
  const code = codeOf(error)
  if (code !== "EACCES" && code !== "EPERM") return storageError(phrase`read the sessions in ${folder}`, error)
  return new FailureError(failure("storage", phrase`${folder}: permission denied (${code}).`, { cause: error }))
}

/** The folder of the sessions that did tasks for the session in this folder. */
export function tasksFolder(session: string): string {
  return `${session}/tasks`
}

export function tasksIn({ ports }: SessionsContext, session: string): readonly TapeListing[] {
  return listTapes(ports.disk, tasksFolder(session))
}

/** The folder of a session. Callers do not know the path of a session in memory. */
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

/** The session as callers see it: without a path when it is in memory. */
export function toPublic<S extends Pick<SessionRef, "path">>({ ports }: SessionsContext, session: S): S {
  return ports.disk.inMemory ? { ...session, path: null } : session
}

/** The session that was just created at this path. */
export function storedSessionAt(context: SessionsContext, path: string): StoredSession {
  const found = listingOf(context.ports.disk, path)
  if (found === null) throw storageFailure(phrase`No session at ${path}.`)
  return toPublic(context, found)
}
