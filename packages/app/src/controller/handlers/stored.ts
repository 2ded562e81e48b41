import { type ListedSession, type SessionHit, phrase } from "@gong/spec"
import { tapeStorage, type TapeStorage } from "../../compose/tapes/storage.ts"
import { attempt, must, type Outcome, usage } from "@gong/config/usage"
import { findSession } from "../../compose/tapes/find-session.ts"
import { openToRead } from "../../compose/tapes/tape.ts"
import { recapOf } from "../../recap.ts"
import { type Answer, answerOf, done } from "../answer.ts"
import type { Empty, RecapData } from "../data.ts"
import type { ControllerContext } from "../api.ts"
import type { SearchHit, StoredSession } from "../stored-data.ts"
import type { HandlersOf } from "./handler.ts"

/** Milliseconds for indexing new entries before a list or search; it blocks a current run for this time. */
const indexingTime = 250
const defaultListed = 100
const defaultHits = 20

/** Commands on stored sessions. The first one loads SQLite. */
export const stored: HandlersOf<"get_recap" | "list_sessions" | "rename_session" | "remove_session" | "search"> = {
  async get_recap(state, { session }, answer) {
    if (session === undefined) return answer(done({ recap: recapOf(state.current.session.history) }))
    const read = async (storage: TapeStorage): Promise<RecapData> => {
      const tape = await openToRead(storage, must(await findSession(storage, session)))
      try {
        return { recap: recapOf(tape) }
      } finally {
        tape.close()
      }
    }
    return answer(await withStorage(state, read))
  },
  async rename_session(state, { session, name }, answer) {
    answer(await administered(state, async (storage) => (await administration()).renameStored(storage, session, name)))
  },
  async remove_session(state, { session }, answer) {
    answer(await administered(state, async (storage) => (await administration()).removeStored(storage, session)))
  },
  async list_sessions(state, { all = false, limit = defaultListed }, answer) {
    answer(
      await withStorage(state, async (storage) => {
        const listed = await storage.sessions.listed({
          ...workspaceOf(storage, all),
          limit,
          milliseconds: indexingTime,
        })
        storage.reportUnreadable(listed.unreadable)
        const { sessions, total, unread } = listed
        return { sessions: sessions.map(rowOf), total, unread }
      }),
    )
  },
  async search(state, { query, all = false, limit = defaultHits }, answer) {
    answer(
      await withStorage(state, async (storage) => {
        const found = await storage.sessions.search(query, {
          ...workspaceOf(storage, all),
          limit,
          milliseconds: indexingTime,
        })
        storage.reportUnreadable(found.unreadable)
        const { hits, total, unread } = found
        if (hits === null) return must(usage(phrase`"${query}" contains no letter and no digit.`))
        return { hits: hits.map(hitOf), total, unread }
      }),
    )
  },
}

function administration() {
  return import("../../administration/stored-sessions.ts")
}

function administered(
  state: ControllerContext,
  work: (storage: TapeStorage) => Promise<Outcome<unknown>>,
): Promise<Answer<Empty>> {
  return withStorage(state, async (storage) => {
    must(await work(storage))
    return {}
  })
}

async function withStorage<T>(
  { services, spec }: ControllerContext,
  work: (storage: TapeStorage) => Promise<T>,
): Promise<Answer<T>> {
  return answerOf(await attempt(async () => work(must(await tapeStorage(services, spec)))))
}

function workspaceOf({ workspace }: TapeStorage, all: boolean): { readonly workspace?: string } {
  return all ? {} : { workspace: workspace.folder }
}

function rowOf(session: ListedSession): StoredSession {
  const { id, name, title, cwd, workspace, created, modified, model, replies, cost } = session
  const written = new Date(modified).toISOString()
  return { id, name, title, cwd, workspace, created, modified: written, model, turns: replies, cost }
}

function hitOf({ session, title, entry, snippet }: SessionHit): SearchHit {
  return { session, title, entry: entry.id, time: entry.timestamp, text: snippet.text, marks: snippet.marks }
}
