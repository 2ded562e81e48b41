import type { Sessions } from "@gong/spec"
import { newSession, openToFollow, openToRead, openToWrite } from "./open.ts"
import { folderOf, inMemory, type SessionsContext, toPublic, tasksIn } from "./context.ts"
import type { SessionReads } from "./reads.ts"

/** The port `Sessions` over folders of files. Code that the first request of a new session does not need is loaded on demand. */
export function createSessions(context: SessionsContext, reads: SessionReads): Sessions {
  const copies = () => import("./copies.ts")
  const trash = () => import("./trash.ts")
  return {
    list: (options = {}) => reads.list(options),
    find: (wanted) => reads.find(wanted),
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
    ...indexed(context, reads),
  }
}

type Indexed = Pick<Sessions, "listed" | "search" | "scan" | "stats" | "rebuild" | "catchUp">

function indexed(context: SessionsContext, reads: SessionReads): Indexed {
  return {
    async listed(options = {}) {
      const found = await reads.listed(options)
      return { ...found, sessions: found.sessions.map((session) => toPublic(context, session)) }
    },
    async search(question, options = {}) {
      const found = await reads.search(question, options)
      return { ...found, hits: found.hits?.map((hit) => toPublic(context, hit)) ?? null }
    },
    async scan(wanted, options) {
      const found = await reads.scan(wanted, options)
      return { ...found, hits: found.hits.map((hit) => toPublic(context, hit)) }
    },
    stats: (options = {}) => reads.stats(options),
    rebuild: () => reads.rebuild(),
    async catchUp(session) {
      // An index in memory is updated at each query.
      if (context.index !== inMemory) await reads.catchUp(folderOf(context, session))
    },
  }
}
