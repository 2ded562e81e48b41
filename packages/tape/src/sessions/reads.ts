import type { ListOptions, SessionFound, SessionList, UnreadableSession } from "@gong/spec"
import { workspaceName } from "@gong/spec"
import { allSessions, type SessionsContext, toPublic } from "./context.ts"
import { findSession } from "./find.ts"
import type { IndexOperations } from "./index-operations.ts"

type Async<F> = F extends (...values: infer V) => infer R ? (...values: V) => Promise<R> : never

type IndexReads = { readonly [V in keyof IndexOperations]: Async<IndexOperations[V]> }

/** Operations that read many sessions, or the index. Plain data in and out, so that another thread can do them. */
export interface SessionReads extends IndexReads {
  list(options: ListOptions): Promise<SessionList>
  find(wanted: string): Promise<SessionFound>
}

/** In the calling thread. SQLite is loaded at the first use of the index. */
export function readsHere(context: SessionsContext): SessionReads {
  const index = async () => (await import("./index-operations.ts")).indexOperations(context)
  const names: SessionReads["names"] = async (...values) => (await index()).names(...values)
  return {
    list: async (options) => listSessions(context, options),
    find: (wanted) => findSession(context, names, wanted),
    listed: async (...values) => (await index()).listed(...values),
    search: async (...values) => (await index()).search(...values),
    scan: async (...values) => (await index()).scan(...values),
    stats: async (...values) => (await index()).stats(...values),
    rebuild: async (...values) => (await index()).rebuild(...values),
    catchUp: async (...values) => (await index()).catchUp(...values),
    names,
  }
}

function listSessions(context: SessionsContext, { workspace, limit }: ListOptions): SessionList {
  let unreadable: readonly UnreadableSession[] = []
  const all = allSessions(context, (passed) => (unreadable = passed))
  const some = workspace === undefined ? all : all.filter(({ info }) => workspaceName(info) === workspace)
  return { sessions: some.slice(0, limit).map((session) => toPublic(context, session)), unreadable }
}
