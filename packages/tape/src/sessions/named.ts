import { FailureError, type SessionFound, type UnreadableSession } from "@gong/spec"
import { sessionName } from "../fold/name.ts"
import type { TapeListing } from "../store/list.ts"
import { createTape } from "../tape.ts"
import { type Among, findNamed, findSession } from "./find.ts"
import { openToRead } from "./open.ts"
import { allSessions, type SessionsContext, shown, tasksIn } from "./context.ts"
import type { IndexCalls } from "./index-calls.ts"

/** What is known without opening a session comes first; then those that did tasks; then names. */
export async function findStored(place: SessionsContext, index: IndexCalls, wanted: string): Promise<SessionFound> {
  let unreadable: readonly UnreadableSession[] = []
  const sessions = allSessions(place, (passed) => (unreadable = passed))
  const among = findSession(sessions, wanted)
  const byId = isNone(among)
    ? findSession(
        sessions.flatMap(({ path }) => tasksIn(place, path)),
        wanted,
      )
    : among
  const found = isNone(byId) ? findNamed(sessions, wanted, await namesIn(place, index)) : byId
  if (found.ok) return { ok: true, session: shown(place, found.session), unreadable }
  return { ok: false, matches: found.matches.map((session) => shown(place, session)), unreadable }
}

function isNone(found: Among<unknown>): boolean {
  return !found.ok && found.matches.length === 0
}

/** Milliseconds for reading what is new into the index before a name is looked up. */
const readingTime = 1000

/** The names of sessions, from the index; one that it does not know yet is opened. */
async function namesIn(place: SessionsContext, index: IndexCalls): Promise<(session: TapeListing) => string | null> {
  try {
    const names = new Map((await index("names", readingTime)).map(({ path, name }) => [path, name]))
    return (session) => (names.has(session.path) ? (names.get(session.path) ?? null) : nameOf(place, session))
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    return (session) => nameOf(place, session)
  }
}

/** One that cannot be opened has none: it must not hide the one that is looked for. */
function nameOf(place: SessionsContext, session: TapeListing): string | null {
  try {
    const tape = createTape(openToRead(place, session), place.ports)
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
