import { type Clock, FailureError, type Ids, phrase, messageOf } from "@gong/spec"
import { context, createTape, sessionName, type Tape } from "@gong/tape"
import {
  type Coming,
  createStore,
  type FileStore,
  followStore,
  listTapes,
  memoryDisk,
  nodeDisk,
  nodeMachine,
  openStore,
  type PassedOver,
  type StorePorts,
  type SyncPlace,
} from "@gong/tape/file"
import type { Options } from "../config/flags.ts"
import type { Repaired } from "../session/repair.ts"
import { prepareHome } from "../config/home.ts"
import { didYouMean, ok, type Outcome, usage } from "../config/usage.ts"
import type { Workspace } from "../config/workspace.ts"
import { findNamed, findSession, newestOf, shortId, type StoredSession } from "../session/find.ts"
import type { Translate } from "../texts/translator.ts"

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
  /** Is told of session folders that cannot be read; without it they are passed over in silence. */
  readonly passedOver?: PassedOver
  /** Where sessions that are written are synced; default: `at-once`. */
  readonly syncPlace?: SyncPlace
}

/** The session that the options name, opened to go on with; null when a new one is to be made. */
export async function existingTape(place: TapePlace, options: Options): Promise<Outcome<OpenedTape | null>> {
  if (options.noSession === true) return ok(null)
  try {
    if (options.fork !== undefined) return await forked(place, options.fork)
    const chosen = await choose(place, options)
    if (!chosen.ok) return chosen
    return chosen.value ? openToWrite(place, chosen.value) : ok(null)
  } catch (error) {
    return refusalOf(place, error)
  }
}

/** A new session: on the disk, or in memory with `--no-session`. */
export function newTape(place: TapePlace, options: Options, id: string): Outcome<OpenedTape> {
  if (options.noSession === true)
    return ok(created(place, memoryDisk({ now: () => place.clock.now() }), "/session", id))
  const ready = prepareHome(place.home)
  if (!ready.ok) return ready
  try {
    return ok(created(place, nodeDisk(), sessionsFolder(place.home), id))
  } catch (error) {
    return refusalOf(place, error)
  }
}

/** What the disk refuses is a matter of configuration as long as nothing was sent. */
function refusalOf(place: TapePlace, error: unknown): Outcome<never> {
  if (!(error instanceof FailureError)) throw error
  const { cause } = error.failure
  const message = messageOf(error.failure)
  // Without a cause it was not the disk that refused.
  if (cause === undefined) return usage(message)
  return usage(phrase`${message} Is ${place.home} writable? --no-session runs without keeping anything.`)
}

/** A session that does a task for another one: it lies in the folder of that one, and is kept as long. */
export function taskTape(place: TapePlace, { path, info }: FileStore, call: string): OpenedTape {
  const { cwd, folder: workspace } = place.workspace
  const disk = path === null ? memoryDisk({ now: () => place.clock.now() }) : nodeDisk()
  const sessions = path === null ? "/session" : tasksFolder(path)
  const store = createStore(storePorts(place, disk), { sessions, cwd, workspace, parent: { id: info.id, call } })
  return opened(place, store, false)
}

export function tasksFolder(session: string): string {
  return `${session}/tasks`
}

/** Those that did tasks for a session, newest first. */
export function tasksOfSession({ path }: Pick<StoredSession, "path">): readonly StoredSession[] {
  return listTapes(nodeDisk(), tasksFolder(path))
}

export function sessionsFolder(home: string): string {
  return `${home}/sessions`
}

/** All stored sessions that can be read, newest first. Throws like Node when the folder of them cannot be read. */
export function storedSessions({ home, passedOver }: Pick<TapePlace, "home" | "passedOver">): readonly StoredSession[] {
  return listTapes(nodeDisk(), sessionsFolder(home), passedOver)
}

/** `provider/id` that the newest session of this workspace used last. */
export function lastModel(place: TapePlace): string | null {
  const newest = newestOf(storedSessions({ home: place.home }), place.workspace.folder)
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

/** A session that another Gong may write to, and what comes on it. */
export interface OpenedToFollow {
  readonly tape: Tape
  readonly coming: Coming
}

export function openToFollow(place: TapePlace, session: StoredSession): OpenedToFollow {
  const ports = storePorts(place)
  const store = openStore(ports, { path: session.path, readOnly: true })
  return { tape: createTape(store, place), coming: followStore(ports, session.path, store) }
}

/** The stored session that a word names, or one line about why there is none. */
export async function sessionNamed(place: TapePlace, wanted: string): Promise<Outcome<StoredSession>> {
  const sessions = storedSessions(place)
  const among = findSession(sessions, wanted)
  const byId = among.ok || among.matches.length > 0 ? among : findSession(sessions.flatMap(tasksOfSession), wanted)
  const found = byId.ok || byId.matches.length > 0 ? byId : findNamed(sessions, wanted, await namesIn(place))
  if (found.ok) return ok(found.session)
  if (found.matches.length > 1) {
    const some = found.matches.slice(0, 5).map(({ id }) => id)
    return usage(phrase`"${wanted}" names ${found.matches.length} sessions: ${some.join(", ")}. Give more of the id.`)
  }
  const near = didYouMean(
    wanted,
    sessions.slice(0, 100).map(({ id }) => shortId(id)),
  )
  return usage(phrase`there is no session "${wanted}".${near} gong sessions lists them.`)
}

export function storePorts(place: TapePlace, disk: StorePorts["disk"] = nodeDisk()): StorePorts {
  const syncPlace = disk.inMemory ? "at-once" : (place.syncPlace ?? "at-once")
  return { disk, clock: place.clock, ids: place.ids, machine: nodeMachine(), syncPlace }
}

async function choose(place: TapePlace, options: Options): Promise<Outcome<StoredSession | null>> {
  if (options.session !== undefined) return sessionNamed(place, options.session)
  if (options.sessionId !== undefined) {
    return ok(storedSessions(place).find(({ id }) => id === options.sessionId) ?? null)
  }
  if (options.continue !== true) return ok(null)
  const newest = newestOf(storedSessions(place), place.workspace.folder)
  return newest
    ? ok(newest)
    : usage(phrase`no session in ${place.workspace.folder} yet. gong sessions --all lists the others.`)
}

/** Opens one session to go on with it; a line about who has it when that is somebody else. */
export function openToWrite(place: TapePlace, session: StoredSession): Outcome<OpenedTape> {
  const store = openStore(storePorts(place), { path: session.path })
  if (store.readOnly === null) return ok(opened(place, store, true))
  const { readOnly: why, holder } = store
  store.close()
  const id = shortId(session.id)
  const others = phrase` --fork ${id} starts a copy; gong attach ${id} watches it.`
  return usage(phrase`session ${id} is ${why}.${holder === null ? "" : others}`)
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
async function forked(place: TapePlace, wanted: string): Promise<Outcome<OpenedTape>> {
  const source = await sessionNamed(place, wanted)
  if (!source.ok) return source
  const { cwd, folder } = place.workspace
  const { discardFork, forkTape } = await import("@gong/tape/file/fork")
  const path = forkTape(storePorts(place), { path: source.value.path, place: { cwd, workspace: folder } })
  const fork = opened(place, openStore(storePorts(place), { path }), true)
  const abandon = (): void => {
    fork.tape.close()
    discardFork(storePorts(place), path)
  }
  return ok({ ...fork, abandon })
}

/** Milliseconds for reading what is new into the index before a name is looked up. */
const readingTime = 1000

/** The names of sessions, from the index; one that it does not know yet is opened. Loads SQLite. */
async function namesIn(place: TapePlace): Promise<(session: StoredSession) => string | null> {
  try {
    const { homeIndex } = await import("./index.ts")
    const index = homeIndex(place)
    try {
      const behind = new Set(index.catchUp(readingTime).behind.map(({ path }) => path))
      const read = index.list().sessions.filter(({ path }) => !behind.has(path))
      const names = new Map(read.map(({ path, name }) => [path, name]))
      return (session) => (names.has(session.path) ? (names.get(session.path) ?? null) : nameOf(place, session))
    } finally {
      index.close()
    }
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    return (session) => nameOf(place, session)
  }
}

/** One that cannot be opened has none: it must not hide the one that is looked for. */
function nameOf(place: TapePlace, session: StoredSession): string | null {
  try {
    const tape = openToRead(place, session)
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

/** Whole lines about what was found in a session that is opened. */
export function openingLines(t: Translate, { store }: OpenedTape, { calls, unsent }: Repaired): readonly string[] {
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
