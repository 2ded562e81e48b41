import { type ListOptions, type SessionList, type Sessions, type UnreadableSession, workspaceName } from "@gong/spec"
import type { CallIndex } from "./call-index.ts"
import { findSession } from "./find.ts"
import { newSession, openToFollow, openToRead, openToWrite } from "./open.ts"
import { allSessions, folderOf, inMemory, type SessionsContext, toPublic, tasksIn } from "./context.ts"

/** Sessions as folders of files. What the first request of a new session does not need is loaded where it is used. */
export function createSessions(context: SessionsContext, index: CallIndex): Sessions {
  const copies = () => import("./copies.ts")
  const trash = () => import("./trash.ts")
  return {
    list: async (options = {}) => listSessions(context, options),
    find: (wanted) => findSession(context, index, wanted),
    tasksOf: async (session) => tasksIn(context, folderOf(context, session)).map((task) => toPublic(context, task)),
    create: async (options) => newSession(context, options),
    open: async (session) => openToWrite(context, session),
    read: async (session) => openToRead(context, session),
    follow: (session) => openToFollow(context, session),
    fork: async (session, options = {}) => (await copies()).forkSession(context, session, options),
    discard: async (fork) => (await copies()).discardSession(context, fork),
    import: async (session) => (await copies()).importSession(context, session),
    remove: async (session) => (await trash()).removeSession(context, session),
    restore: async (wanted) => (await trash()).restoreSession(context, wanted),
    verify: async (session) => (await copies()).verifySession(context, session),
    ...indexed(context, index),
  }
}

type Indexed = Pick<Sessions, "listed" | "search" | "scan" | "stats" | "rebuild" | "catchUp">

function indexed(context: SessionsContext, index: CallIndex): Indexed {
  return {
    async listed(options = {}) {
      const found = await index("listed", options)
      return { ...found, sessions: found.sessions.map((session) => toPublic(context, session)) }
    },
    async search(question, options = {}) {
      const found = await index("search", question, options)
      return { ...found, hits: found.hits?.map((hit) => toPublic(context, hit)) ?? null }
    },
    async scan(wanted, options) {
      const found = await index("scan", wanted, options)
      return { ...found, hits: found.hits.map((hit) => toPublic(context, hit)) }
    },
    stats: (options = {}) => index("stats", options),
    rebuild: () => index("rebuild"),
    async catchUp(session) {
      // What is in memory alone is read at each question.
      if (context.index !== inMemory) await index("catchUp", folderOf(context, session))
    },
  }
}

function listSessions(context: SessionsContext, { workspace, limit }: ListOptions): SessionList {
  let unreadable: readonly UnreadableSession[] = []
  const all = allSessions(context, (passed) => (unreadable = passed))
  const some = workspace === undefined ? all : all.filter(({ info }) => workspaceName(info) === workspace)
  return { sessions: some.slice(0, limit).map((session) => toPublic(context, session)), unreadable }
}
