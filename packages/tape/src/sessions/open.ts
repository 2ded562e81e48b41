import type { FollowedSession, NewSession, Opening, SessionRef, Store } from "@gong/spec"
import { createStore } from "../store/create.ts"
import { openStore } from "../store/open.ts"
import type { FileStore } from "../store/store.ts"
import { folderOf, type SessionsContext, tasksFolder } from "./context.ts"

export function newSession(context: SessionsContext, { cwd, workspace, id, task, ...where }: NewSession): Store {
  const { ports, spillFolder } = context
  return createStore(ports, {
    ...where,
    cwd,
    workspace,
    sessions: task === undefined ? context.sessions : tasksFolder(folderOf(context, task.session)),
    ...(id === undefined ? {} : { id }),
    ...(task === undefined ? {} : { parent: { id: task.session.id, call: task.call } }),
    ...(spillFolder === null ? {} : { spillFolder }),
  })
}

export function openToWrite(context: SessionsContext, session: SessionRef): Opening {
  const { ports, spillFolder } = context
  const spill = spillFolder === null ? {} : { spillFolder }
  const store = openStore(ports, { path: folderOf(context, session), ...spill })
  const { readOnly: reason, holder } = store
  if (reason === null) return { ok: true, store }
  store.close()
  return { ok: false, reason, holder }
}

export function openToRead(context: SessionsContext, session: SessionRef): FileStore {
  return openStore(context.ports, { path: folderOf(context, session), readOnly: true })
}

export async function openToFollow(context: SessionsContext, session: SessionRef): Promise<FollowedSession> {
  const { followStore } = await import("../store/read/follow.ts")
  const path = folderOf(context, session)
  const store = openToRead(context, { id: session.id, path })
  const coming = followStore(context.ports, path, store)
  return { store, next: async () => coming.next(), holder: async () => coming.holder() }
}
