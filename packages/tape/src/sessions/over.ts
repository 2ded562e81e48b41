import { type ListOptions, type SessionList, type Sessions, type UnreadableSession, workspaceName } from "@gong/spec"
import type { IndexCalls } from "./index-calls.ts"
import { findStored } from "./named.ts"
import { newSession, openToFollow, openToRead, openToWrite } from "./open.ts"
import { allSessions, folderOf, inMemory, type SessionsContext, shown, tasksIn } from "./context.ts"

/** Sessions as folders of files. What the first request of a new session does not need is loaded where it is used. */
export function sessionsOver(place: SessionsContext, index: IndexCalls): Sessions {
  const copies = () => import("./copies.ts")
  const trash = () => import("./trash.ts")
  return {
    list: async (options = {}) => listStored(place, options),
    find: (wanted) => findStored(place, index, wanted),
    tasksOf: async (session) => tasksIn(place, folderOf(place, session)).map((task) => shown(place, task)),
    create: async (options) => newSession(place, options),
    open: async (session) => openToWrite(place, session),
    read: async (session) => openToRead(place, session),
    follow: (session) => openToFollow(place, session),
    fork: async (session, options = {}) => (await copies()).forkSession(place, session, options),
    discard: async (fork) => (await copies()).discardSession(place, fork),
    import: async (session) => (await copies()).importSession(place, session),
    remove: async (session) => (await trash()).removeSession(place, session),
    restore: async (wanted) => (await trash()).restoreSession(place, wanted),
    verify: async (session) => (await copies()).verifySession(place, session),
    ...indexed(place, index),
  }
}

type Indexed = Pick<Sessions, "listed" | "search" | "scan" | "stats" | "rebuild" | "catchUp">

function indexed(place: SessionsContext, index: IndexCalls): Indexed {
  return {
    async listed(options = {}) {
      const found = await index("listed", options)
      return { ...found, sessions: found.sessions.map((session) => shown(place, session)) }
    },
    async search(question, options = {}) {
      const found = await index("search", question, options)
      return { ...found, hits: found.hits?.map((hit) => shown(place, hit)) ?? null }
    },
    async scan(wanted, options) {
      const found = await index("scan", wanted, options)
      return { ...found, hits: found.hits.map((hit) => shown(place, hit)) }
    },
    stats: (options = {}) => index("stats", options),
    rebuild: () => index("rebuild"),
    async catchUp(session) {
      // What is in memory alone is read at each question.
      if (place.index !== inMemory) await index("catchUp", folderOf(place, session))
    },
  }
}

function listStored(place: SessionsContext, { workspace, limit }: ListOptions): SessionList {
  let unreadable: readonly UnreadableSession[] = []
  const all = allSessions(place, (passed) => (unreadable = passed))
  const some = workspace === undefined ? all : all.filter(({ info }) => workspaceName(info) === workspace)
  return { sessions: some.slice(0, limit).map((session) => shown(place, session)), unreadable }
}
