import type { TapeInfo } from "@gong/spec"

/** A stored session, as far as it is known without opening it. */
export interface StoredSession {
  readonly id: string
  /** Its folder. */
  readonly path: string
  readonly info: TapeInfo
  /** Milliseconds since the epoch of the last write. */
  readonly modified: number
}

export type Found =
  | { readonly ok: true; readonly session: StoredSession }
  /** Nothing fits, or more than one does. */
  | { readonly ok: false; readonly matches: readonly StoredSession[] }

/** The short form that people see: ids begin with their time, so their ends tell them apart. */
export function shortId(id: string): string {
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(id) ? id.slice(-8) : id
}

/** The newest session of a workspace; `sessions` is sorted, newest first. */
export function newestOf(sessions: readonly StoredSession[], workspace: string): StoredSession | null {
  return sessions.find((session) => session.info.workspace === workspace) ?? null
}

/** A session by its whole id, its folder, or a unique beginning or end of its id (4 characters or more). */
export function findSession(sessions: readonly StoredSession[], wanted: string): Found {
  const exact = sessions.find((session) => session.id === wanted || session.path === wanted)
  if (exact) return { ok: true, session: exact }
  const partly = wanted.length < 4 ? [] : sessions.filter(({ id }) => id.startsWith(wanted) || id.endsWith(wanted))
  const [only] = partly
  if (only && partly.length === 1) return { ok: true, session: only }
  return { ok: false, matches: partly }
}

/** A session by its name. Names are inside the sessions, so they are looked at last. */
export function findNamed(
  sessions: readonly StoredSession[],
  wanted: string,
  nameOf: (session: StoredSession) => string | null,
): Found {
  const named = sessions.filter((session) => nameOf(session) === wanted)
  const [first] = named
  return first && named.length === 1 ? { ok: true, session: first } : { ok: false, matches: named }
}
