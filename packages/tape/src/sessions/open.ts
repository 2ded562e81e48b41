import type { FollowedSession, NewSession, Opening, SessionRef, Store } from "@gong/spec"
import { createStore } from "../store/create.ts"
import { openStore } from "../store/open.ts"
import type { FileStore } from "../store/store.ts"
import { folderOf, type SessionsContext, tasksFolder } from "./context.ts"

export function newSession(place: SessionsContext, { cwd, workspace, id, task, ...where }: NewSession): Store {
  const { ports, spillFolder } = place
  return createStore(ports, {
    ...where,
    cwd,
    workspace,
    sessions: task === undefined ? place.sessions : tasksFolder(folderOf(place, task.session)),
    ...(id === undefined ? {} : { id }),
    ...(task === undefined ? {} : { parent: { id: task.session.id, call: task.call } }),
    ...(spillFolder === null ? {} : { spillFolder }),
  })
}

export function openToWrite(place: SessionsContext, session: SessionRef): Opening {
  const { ports, spillFolder } = place
  const spill = spillFolder === null ? {} : { spillFolder }
  const store = openStore(ports, { path: folderOf(place, session), ...spill })
  const { readOnly: reason, holder } = store
  if (reason === null) return { ok: true, store }
  store.close()
  return { ok: false, reason, holder }
}

export function openToRead(place: SessionsContext, session: SessionRef): FileStore {
  return openStore(place.ports, { path: folderOf(place, session), readOnly: true })
}

export async function openToFollow(place: SessionsContext, session: SessionRef): Promise<FollowedSession> {
  const { followStore } = await import("../store/follow.ts")
  const path = folderOf(place, session)
  const store = openToRead(place, { id: session.id, path })
  const coming = followStore(place.ports, path, store)
  return { store, next: async () => coming.next(), holder: async () => coming.holder() }
}
