import type { ForkOptions, ImportedSession, SessionRef, StoredSession, VerifiedSession } from "@gong/spec"
import { discardFork, forkTape } from "../store/fork.ts"
import { importTape } from "../store/import.ts"
import { isId } from "../store/info.ts"
import { verifyTape } from "../store/verify.ts"
import { allSessions, folderOf, type SessionsContext, storedAt } from "./context.ts"

export function forkSession(place: SessionsContext, session: SessionRef, options: ForkOptions): StoredSession {
  return storedAt(place, forkTape(place.ports, { path: folderOf(place, session), ...options }))
}

export function discardSession(place: SessionsContext, fork: SessionRef): void {
  discardFork(place.ports, folderOf(place, fork))
}

export function importSession(place: SessionsContext, imported: ImportedSession): StoredSession {
  const { ports, sessions } = place
  const isFree = isId(imported.id) && !allSessions(place).some(({ id }) => id === imported.id)
  const id = isFree ? imported.id : ports.ids.tape()
  return storedAt(place, importTape(ports, imported, { sessions, id }))
}

export function verifySession(place: SessionsContext, session: SessionRef): VerifiedSession {
  return verifyTape(place.ports, folderOf(place, session))
}
