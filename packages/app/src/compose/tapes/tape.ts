import {
  type Clock,
  englishOf,
  FailureError,
  type FollowedSession,
  type Ids,
  messageOf,
  phrase,
  workspaceName,
  type OpeningRefused,
  type SessionRef,
  type Sessions,
  type Store,
  type StoredSession,
} from "@gong/spec"
import { context, createTape, type Tape } from "@gong/tape"
import type { TapeChoice } from "@gong/config/session-spec"
import type { RepairResult } from "@gong/session/repair"
import { prepareHome } from "@gong/config/home"
import { didYouMean, ok, type Outcome, usage } from "@gong/config/usage"
import type { Workspace } from "@gong/config/workspace"
import { shortId } from "@gong/session/short-id"
import type { Translate } from "@gong/texts/translator"
import type { ReportUnreadable } from "./unreadable-sessions.ts"
import { transientSessions } from "./sessions.ts"

export interface OpenedTape {
  readonly tape: Tape
  /** Where it is. */
  readonly sessions: Sessions
  readonly resumed: boolean
  /** Closes it because it is not gone on with; a fork that was just made is removed. */
  abandon(): Promise<void>
}

export interface TapeStorage {
  readonly home: string
  readonly workspace: Workspace
  readonly temp: string
  readonly clock: Clock
  readonly ids: Ids
  /** Those that are kept. */
  readonly sessions: Sessions
  readonly reportUnreadable: ReportUnreadable
}

/** The stored session that is chosen, or is to be copied; null when a new one is to be made. */
export async function chosenSession(place: TapeStorage, wanted: TapeChoice): Promise<Outcome<StoredSession | null>> {
  switch (wanted.kind) {
    case "new":
    case "memory":
      return ok(null)
    case "newest":
      return newestSession(place)
    case "id": {
      const { sessions, unreadable } = await place.sessions.list()
      place.reportUnreadable(unreadable)
      return ok(sessions.find(({ id }) => id === wanted.id) ?? null)
    }
    case "stored":
    case "fork":
      return typeof wanted.session === "string" ? findSession(place, wanted.session) : ok(wanted.session)
  }
}

/** That session, or with `copied` a copy of it, opened to continue it. */
export async function existingTape(
  place: TapeStorage,
  stored: StoredSession | null,
  copied: boolean,
): Promise<Outcome<OpenedTape | null>> {
  if (stored === null) return ok(null)
  try {
    return copied ? ok(await forked(place, stored)) : await openToWrite(place, stored)
  } catch (error) {
    return refusalOf(place, error)
  }
}

/** A new session: kept on the disk, or in memory. */
export async function newTape(place: TapeStorage, kept: boolean, id: string): Promise<Outcome<OpenedTape>> {
  const { host, cwd, folder: workspace } = place.workspace
  const sessions = kept ? place.sessions : transientSessions(place)
  const ready = kept ? prepareHome(place.home) : ok(place.home)
  if (!ready.ok) return ready
  try {
    return ok(opened(place, sessions, await sessions.create({ host, cwd, workspace, id }), false))
  } catch (error) {
    return refusalOf(place, error)
  }
}

/** What the disk refuses is a matter of configuration as long as nothing was sent. */
function refusalOf(place: TapeStorage, error: unknown): Outcome<never> {
  if (!(error instanceof FailureError)) throw error
  const { cause } = error.failure
  const message = messageOf(error.failure)
  // Without a cause it was not the disk that refused.
  if (cause === undefined) return usage(message)
  return usage(phrase`${message} Is ${place.home} writable? --no-session runs without keeping anything.`)
}

/** A session that does a task for this one: it lies where that one is, and is kept as long. */
export async function taskTape(place: TapeStorage, { sessions, tape }: OpenedTape, call: string): Promise<Tape> {
  const { host, cwd, folder: workspace } = place.workspace
  return createTape(await sessions.create({ host, cwd, workspace, task: { session: tape.store, call } }), place)
}

/** `provider/id` that the newest session of this workspace used last. */
export async function lastUsedModel(place: TapeStorage): Promise<string | null> {
  const { sessions } = await place.sessions.list({ workspace: nameOf(place.workspace), limit: 1 })
  const [newest] = sessions
  if (!newest) return null
  const tape = await openToRead(place, newest)
  try {
    return modelOf(tape)
  } finally {
    tape.close()
  }
}

export function modelOf(tape: Tape): string | null {
  const { model } = tape.follow(context).value
  return model ? `${model.provider}/${model.id}` : null
}

/** Opens one session only to look at it, also while another Gong writes to it. */
export async function openToRead(place: TapeStorage, session: SessionRef): Promise<Tape> {
  return createTape(await place.sessions.read(session), place)
}

/** A session that another Gong may write to, and what comes on it. */
export interface OpenedToFollow {
  readonly tape: Tape
  readonly coming: FollowedSession
}

export async function openToFollow(place: TapeStorage, session: SessionRef): Promise<OpenedToFollow> {
  const coming = await place.sessions.follow(session)
  return { tape: createTape(coming.store, place), coming }
}

/** The stored session that a word names, or one line about why there is none. */
export async function findSession(place: TapeStorage, wanted: string): Promise<Outcome<StoredSession>> {
  const found = await place.sessions.find(wanted)
  place.reportUnreadable(found.unreadable)
  if (found.ok) return ok(found.session)
  if (found.matches.length > 1) {
    const some = found.matches.slice(0, 5).map(({ id }) => id)
    return usage(phrase`"${wanted}" names ${found.matches.length} sessions: ${some.join(", ")}. Give more of the id.`)
  }
  const { sessions } = await place.sessions.list({ limit: 100 })
  const near = didYouMean(
    wanted,
    sessions.map(({ id }) => shortId(id)),
  )
  return usage(phrase`there is no session "${wanted}".${near} gong sessions lists them.`)
}

/** The newest session of this workspace, or one line about where others are. */
export async function newestSession(place: TapeStorage): Promise<Outcome<StoredSession>> {
  const { folder } = place.workspace
  const { sessions, unreadable } = await place.sessions.list({ workspace: nameOf(place.workspace), limit: 1 })
  place.reportUnreadable(unreadable)
  const [newest] = sessions
  return newest ? ok(newest) : usage(phrase`no session in ${folder} yet. gong sessions --all lists the others.`)
}

/** As lists of sessions name it. */
function nameOf({ host, folder }: Workspace): string {
  return workspaceName({ host, workspace: folder })
}

/** Opens one session to go on with it; a line about who has it when that is somebody else. */
export async function openToWrite(place: TapeStorage, session: StoredSession): Promise<Outcome<OpenedTape>> {
  const opening = await place.sessions.open(session)
  return opening.ok ? ok(opened(place, place.sessions, opening.store, true)) : sessionInUse(session, opening)
}

/** Why a session is not written to here. */
export function sessionInUse(session: StoredSession, { reason, holder }: OpeningRefused): Outcome<never> {
  const id = shortId(session.id)
  const others = phrase` --fork ${id} starts a copy; gong attach ${id} watches it.`
  return usage(phrase`session ${id} is ${reason}.${holder === null ? "" : others}`)
}

function opened(place: TapeStorage, sessions: Sessions, store: Store, resumed: boolean): OpenedTape {
  const tape = createTape(store, place)
  return { tape, sessions, resumed, abandon: async () => tape.close() }
}

/** A copy of a stored session, in the workspace of this run; also of one that another Gong has open. */
async function forked(place: TapeStorage, source: StoredSession): Promise<OpenedTape> {
  const { sessions, workspace } = place
  const fork = await sessions.fork(source, { place: { cwd: workspace.cwd, workspace: workspace.folder } })
  const opening = await sessions.open(fork)
  if (!opening.ok) throw new Error(`Internal error in Gong: a new copy is ${englishOf(opening.reason)}`)
  const { tape, ...rest } = opened(place, sessions, opening.store, true)
  const abandon = async (): Promise<void> => {
    tape.close()
    await sessions.discard(fork)
  }
  return { ...rest, tape, abandon }
}

/** Whole lines about what was found in a session that is opened. */
export function openingLines(t: Translate, { store }: Tape, { calls, unsent }: RepairResult): readonly string[] {
  const lines: string[] = []
  const [damage] = store.damage
  if (damage) {
    lines.push(
      t`gong: ${store.damage.length} damaged line(s) in this session were kept and skipped; the first: ${damage.file} at byte ${damage.offset}, ${damage.reason}.`,
    )
  }
  if (calls > 0) lines.push(t`gong: this session stopped in the middle of ${calls} tool call(s); the model is told so.`)
  for (const text of unsent)
    lines.push(t`gong: a message from before Gong stopped was not sent: ${JSON.stringify(text.slice(0, 80))}`)
  return lines
}
