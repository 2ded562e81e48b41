import {
  englishOf,
  FailureError,
  type FollowedSession,
  messageOf,
  phrase,
  type OpeningRefused,
  type SessionRef,
  type Sessions,
  type Store,
  type StoredSession,
} from "@gong/spec"
import { createTape, type Tape } from "@gong/tape"
import type { RepairResult } from "@gong/session/repair"
import { prepareHome } from "@gong/config/home"
import { ok, type Outcome, usage } from "@gong/config/usage"
import { shortId } from "@gong/session/short-id"
import type { Translate } from "@gong/texts/translator"
import { transientSessions } from "./sessions.ts"
import type { TapeStorage } from "./storage.ts"

export interface OpenedTape {
  readonly tape: Tape
  /** The storage that contains it. */
  readonly sessions: Sessions
  readonly resumed: boolean
  /** Closes it after a failed start; a new fork is removed. */
  abandon(): Promise<void>
}

/** Opens that session to continue it, or with `fork` a copy of it. */
export async function existingTape(
  storage: TapeStorage,
  stored: StoredSession | null,
  fork: boolean,
): Promise<Outcome<OpenedTape | null>> {
  if (stored === null) return ok(null)
  try {
    return fork ? ok(await forked(storage, stored)) : await openToWrite(storage, stored)
  } catch (error) {
    return storageError(storage, error)
  }
}

/** A new session: on the disk if it is persistent, else in memory. */
export async function newTape(storage: TapeStorage, persistent: boolean, id: string): Promise<Outcome<OpenedTape>> {
  const { host, cwd, folder: workspace } = storage.workspace
  const sessions = persistent ? storage.sessions : transientSessions(storage)
  const ready = persistent ? prepareHome(storage.home) : ok(storage.home)
  if (!ready.ok) return ready
  try {
    return ok(opened(storage, sessions, await sessions.create({ host, cwd, workspace, id }), false))
  } catch (error) {
    return storageError(storage, error)
  }
}

/** Before the first request a disk error is a usage error. */
function storageError(storage: TapeStorage, error: unknown): Outcome<never> {
  if (!(error instanceof FailureError)) throw error
  const { cause } = error.failure
  const message = messageOf(error.failure)
  // A failure without a cause is no disk error.
  if (cause === undefined) return usage(message)
  return usage(phrase`${message} Is ${storage.home} writable? --no-session runs without storing anything.`)
}

/** The session of a task, in the folder of its parent session and equally persistent. */
export async function taskTape(storage: TapeStorage, { sessions, tape }: OpenedTape, call: string): Promise<Tape> {
  const { host, cwd, folder: workspace } = storage.workspace
  return createTape(await sessions.create({ host, cwd, workspace, task: { session: tape.store, call } }), storage)
}

/** Opens a session for reading, also while another process writes to it. */
export async function openToRead(storage: TapeStorage, session: SessionRef): Promise<Tape> {
  return createTape(await storage.sessions.read(session), storage)
}

/** A session that another process may write to, with its new entries. */
export interface OpenedToFollow {
  readonly tape: Tape
  readonly coming: FollowedSession
}

export async function openToFollow(storage: TapeStorage, session: SessionRef): Promise<OpenedToFollow> {
  const coming = await storage.sessions.follow(session)
  return { tape: createTape(coming.store, storage), coming }
}

/** Opens a session to continue it. A session that another process writes to is a usage error. */
export async function openToWrite(storage: TapeStorage, session: StoredSession): Promise<Outcome<OpenedTape>> {
  const opening = await storage.sessions.open(session)
  return opening.ok ? ok(opened(storage, storage.sessions, opening.store, true)) : sessionInUse(session, opening)
}

export function sessionInUse(session: StoredSession, { reason, holder }: OpeningRefused): Outcome<never> {
  const id = shortId(session.id)
  const advice = phrase` --fork ${id} starts a copy; gong attach ${id} watches it.`
  return usage(phrase`session ${id} is ${reason}.${holder === null ? "" : advice}`)
}

function opened(storage: TapeStorage, sessions: Sessions, store: Store, resumed: boolean): OpenedTape {
  const tape = createTape(store, storage)
  return { tape, sessions, resumed, abandon: async () => tape.close() }
}

/** A copy of a stored session in the workspace of this run; the original may be open in another process. */
async function forked(storage: TapeStorage, source: StoredSession): Promise<OpenedTape> {
  const { sessions, workspace } = storage
  const fork = await sessions.fork(source, { place: { cwd: workspace.cwd, workspace: workspace.folder } })
  const opening = await sessions.open(fork)
  if (!opening.ok) throw new Error(`Internal error in Gong: a new copy is ${englishOf(opening.reason)}`)
  const { tape, ...rest } = opened(storage, sessions, opening.store, true)
  const abandon = async (): Promise<void> => {
    tape.close()
    await sessions.discard(fork)
  }
  return { ...rest, tape, abandon }
}

/** Whole lines for the user about problems of an opened session. */
export function openingLines(t: Translate, { store }: Tape, { calls, unsent }: RepairResult): readonly string[] {
  const lines: string[] = []
  const [damage] = store.damage
  if (damage) {
    lines.push(
      t`gong: ${store.damage.length} damaged line(s) in this session were kept and skipped; the first: ${damage.file} at byte ${damage.offset}, ${damage.reason}.`,
    )
  }
  if (calls > 0) lines.push(t`gong: this session was interrupted during ${calls} tool call(s); the model is informed.`)
  for (const text of unsent)
    lines.push(t`gong: a message from before the interruption was not sent: ${JSON.stringify(text.slice(0, 80))}`)
  return lines
}
