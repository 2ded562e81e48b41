import { type Clock, FailureError, type Ids } from "@gong/spec"
import { context, createTape, sessionName, type Tape } from "@gong/tape"
import {
  createStore,
  discardFork,
  type FileStore,
  forkTape,
  listTapes,
  memoryDisk,
  nodeDisk,
  nodeMachine,
  openStore,
  type StorePorts,
} from "@gong/tape/file"
import type { Options } from "../config/flags.ts"
import { prepareHome } from "../config/home.ts"
import { didYouMean, ok, type Outcome, usage } from "../config/usage.ts"
import type { Workspace } from "../config/workspace.ts"
import { findSession, newestOf, shortId, type StoredSession } from "../session/find.ts"

export interface OpenedTape {
  readonly tape: Tape
  readonly store: FileStore
  readonly resumed: boolean
  /** Closes it because it is not gone on with; a fork that was just made is removed. */
  abandon(): void
}

export interface TapePlace {
  readonly home: string
  readonly workspace: Workspace
  readonly temp: string
  readonly clock: Clock
  readonly ids: Ids
}

/** The session that the options name, opened to go on with; null when a new one is to be made. */
export function existingTape(place: TapePlace, options: Options): Outcome<OpenedTape | null> {
  if (options.noSession === true) return ok(null)
  return guarded(place, () => {
    if (options.fork !== undefined) return forked(place, options.fork)
    const chosen = choose(place, options)
    if (!chosen.ok) return chosen
    return chosen.value ? openToWrite(place, chosen.value) : ok(null)
  })
}

/** A new session: on the disk, or in memory with `--no-session`. */
export function newTape(place: TapePlace, options: Options, id: string): Outcome<OpenedTape> {
  if (options.noSession === true)
    return ok(created(place, memoryDisk({ now: () => place.clock.now() }), "/session", id))
  const ready = prepareHome(place.home)
  if (!ready.ok) return ready
  return guarded(place, () => ok(created(place, nodeDisk(), sessionsFolder(place.home), id)))
}

/** What the disk refuses is a matter of configuration as long as nothing was sent. */
function guarded<T>(place: TapePlace, work: () => Outcome<T>): Outcome<T> {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    const { message, cause } = error.failure
    // Without a cause it was not the disk that refused.
    if (cause === undefined) return usage(message)
    return usage(`${message} Is ${place.home} writable? --no-session runs without keeping anything.`)
  }
}

export function sessionsFolder(home: string): string {
  return `${home}/sessions`
}

/** All stored sessions, newest first. */
export function storedSessions(home: string): readonly StoredSession[] {
  return listTapes(nodeDisk(), sessionsFolder(home))
}

/** `provider/id` that the newest session of this workspace used last. */
export function lastModel(place: TapePlace): string | null {
  const newest = newestOf(storedSessions(place.home), place.workspace.folder)
  if (!newest) return null
  const tape = openToRead(place, newest)
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
export function openToRead(place: TapePlace, session: StoredSession): Tape {
  return createTape(openStore(storePorts(place), { path: session.path, readOnly: true }), place)
}

/** The stored session that a word names, or one line about why there is none. */
export function sessionNamed(place: TapePlace, wanted: string): Outcome<StoredSession> {
  const sessions = storedSessions(place.home)
  const found = findSession(sessions, wanted, (session) => nameOf(place, session))
  if (found.ok) return ok(found.session)
  if (found.matches.length > 1) {
    const some = found.matches.slice(0, 5).map(({ id }) => id)
    return usage(`"${wanted}" names ${found.matches.length} sessions: ${some.join(", ")}. Give more of the id.`)
  }
  const near = didYouMean(
    wanted,
    sessions.slice(0, 100).map(({ id }) => shortId(id)),
  )
  return usage(`there is no session "${wanted}".${near} gong sessions lists them.`)
}

export function storePorts(place: TapePlace, disk: StorePorts["disk"] = nodeDisk()): StorePorts {
  return { disk, clock: place.clock, ids: place.ids, machine: nodeMachine() }
}

function choose(place: TapePlace, options: Options): Outcome<StoredSession | null> {
  if (options.session !== undefined) return sessionNamed(place, options.session)
  if (options.sessionId !== undefined) {
    return ok(storedSessions(place.home).find(({ id }) => id === options.sessionId) ?? null)
  }
  if (options.continue !== true) return ok(null)
  const newest = newestOf(storedSessions(place.home), place.workspace.folder)
  return newest
    ? ok(newest)
    : usage(`no session in ${place.workspace.folder} yet. gong sessions --all lists the others.`)
}

/** Opens one session to go on with it; a line about who has it when that is somebody else. */
export function openToWrite(place: TapePlace, session: StoredSession): Outcome<OpenedTape> {
  const store = openStore(storePorts(place), { path: session.path })
  if (store.readOnly === null) return ok(opened(place, store, true))
  const { readOnly: why, holder } = store
  store.close()
  const id = shortId(session.id)
  return usage(`session ${id} is ${why}.${holder === null ? "" : ` --fork ${id} starts a copy.`}`)
}

function created(place: TapePlace, disk: StorePorts["disk"], sessions: string, id: string): OpenedTape {
  const { cwd, folder } = place.workspace
  const store = createStore(storePorts(place, disk), {
    sessions,
    cwd,
    workspace: folder,
    id,
    // Without a stored session, output files of commands go where the machine cleans up.
    ...(disk.inMemory ? { spillFolder: place.temp } : {}),
  })
  return opened(place, store, false)
}

function opened(place: TapePlace, store: FileStore, resumed: boolean): OpenedTape {
  const tape = createTape(store, place)
  return { tape, store, resumed, abandon: () => tape.close() }
}

/** A copy of a stored session, in the workspace of this run; also of one that another Gong has open. */
function forked(place: TapePlace, wanted: string): Outcome<OpenedTape> {
  const source = sessionNamed(place, wanted)
  if (!source.ok) return source
  const { cwd, folder } = place.workspace
  const path = forkTape(storePorts(place), { path: source.value.path, place: { cwd, workspace: folder } })
  const fork = opened(place, openStore(storePorts(place), { path }), true)
  const abandon = (): void => {
    fork.tape.close()
    discardFork(storePorts(place), path)
  }
  return ok({ ...fork, abandon })
}

function nameOf(place: TapePlace, session: StoredSession): string | null {
  const tape = openToRead(place, session)
  try {
    return tape.follow(sessionName).value
  } finally {
    tape.close()
  }
}
