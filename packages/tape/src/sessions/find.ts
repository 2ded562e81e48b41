import { FailureError, type SessionFound, type UnreadableSession } from "@gong/spec"
import { sessionName } from "../fold/name.ts"
import type { TapeListing } from "../store/list.ts"
import { createTape } from "../tape.ts"
import { type Match, matchName, matchId } from "./match.ts"
import { openToRead } from "./open.ts"
import { allSessions, type SessionsContext, toPublic, tasksIn } from "./context.ts"
import type { Named } from "./index-operations.ts"

/** The names of sessions, as far as they can be read within so many milliseconds. */
type ReadNames = (milliseconds: number) => Promise<readonly Named[]>

/** Finds a session by id or path, then among sessions of tasks, then by name, which needs the index or open sessions. */
export async function findSession(
  context: SessionsContext,
  readNames: ReadNames,
  wanted: string,
): Promise<SessionFound> {
  let unreadable: readonly UnreadableSession[] = []
  const sessions = allSessions(context, (passed) => (unreadable = passed))
  const among = matchId(sessions, wanted)
  const byId = isNone(among)
    ? matchId(
        sessions.flatMap(({ path }) => tasksIn(context, path)),
        wanted,
      )
    : among
  const found = isNone(byId) ? matchName(sessions, wanted, await namesIn(context, readNames)) : byId
  if (found.ok) return { ok: true, session: toPublic(context, found.session), unreadable }
  return { ok: false, matches: found.matches.map((session) => toPublic(context, session)), unreadable }
}

function isNone(found: Match<unknown>): boolean {
  return !found.ok && found.matches.length === 0
}

/** Milliseconds for updating the index before a name is looked up. */
const readingTime = 1000

/** The names of sessions, from the index; a session that is not in the index is opened. */
async function namesIn(
  context: SessionsContext,
  readNames: ReadNames,
): Promise<(session: TapeListing) => string | null> {
  try {
    const names = new Map((await readNames(readingTime)).map(({ path, name }) => [path, name]))
    return (session) => (names.has(session.path) ? (names.get(session.path) ?? null) : nameOf(context, session))
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    return (session) => nameOf(context, session)
  }
}

/** Null for a session that cannot be opened: it must not prevent finding another one. */
function nameOf(context: SessionsContext, session: TapeListing): string | null {
  try {
    const tape = createTape(openToRead(context, session), context.ports)
    try {
      return tape.follow(sessionName).value
    } finally {
      tape.close()
    }
  } catch (error) {
    if (error instanceof FailureError) return null
    throw error
  }
}
