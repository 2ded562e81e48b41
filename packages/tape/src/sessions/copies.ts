import type { ForkOptions, ImportedSession, SessionRef, StoredSession, VerifiedSession } from "@gong/spec"
import { discardFork, forkTape } from "../store/copy/fork.ts"
import { importTape } from "../store/copy/import.ts"
import { isId } from "../store/info.ts"
import { verifyTape } from "../store/read/verify.ts"
import { allSessions, folderOf, type SessionsContext, storedSessionAt } from "./context.ts"

export function forkSession(context: SessionsContext, session: SessionRef, options: ForkOptions): StoredSession {
  return storedSessionAt(context, forkTape(context.ports, { path: folderOf(context, session), ...options }))
}

export function discardSession(context: SessionsContext, fork: SessionRef): void {
  discardFork(context.ports, folderOf(context, fork))
}

export function importSession(context: SessionsContext, imported: ImportedSession): StoredSession {
  const { ports, sessions } = context
  const isFree = isId(imported.id) && !allSessions(context).some(({ id }) => id === imported.id)
  const id = isFree ? imported.id : ports.ids.tape()
  return storedSessionAt(context, importTape(ports, imported, { sessions, id }))
}

export function verifySession(context: SessionsContext, session: SessionRef): VerifiedSession {
  return verifyTape(context.ports, folderOf(context, session))
}
