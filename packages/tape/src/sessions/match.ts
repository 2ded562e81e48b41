import type { StoredSession } from "@gong/spec"

export type Match<S> =
  | { readonly ok: true; readonly session: S }
  /** No session matches, or more than one does. */
  | { readonly ok: false; readonly matches: readonly S[] }

/** Finds a session by its id, its path, or a unique prefix or suffix of its id (4 characters or more). */
export function matchId<S extends StoredSession>(sessions: readonly S[], wanted: string): Match<S> {
  const exact = sessions.find((session) => session.id === wanted || session.path === wanted)
  if (exact) return { ok: true, session: exact }
  const partly = wanted.length < 4 ? [] : sessions.filter(({ id }) => id.startsWith(wanted) || id.endsWith(wanted))
  return onlyOne(partly)
}

/** Finds a session by its name. Names are stored in the sessions, so they are compared last. */
export function matchName<S extends StoredSession>(
  sessions: readonly S[],
  wanted: string,
  nameOf: (session: S) => string | null,
): Match<S> {
  return onlyOne(sessions.filter((session) => nameOf(session) === wanted))
}

function onlyOne<S>(matches: readonly S[]): Match<S> {
  const [only] = matches
  return only && matches.length === 1 ? { ok: true, session: only } : { ok: false, matches }
}
