import type { ReadingOptions, Rebuilt, ScanOptions, SessionsScanned, SessionStats, Unread } from "@gong/spec"
import { type UnreadableSession, workspaceName } from "@gong/spec"
import { openIndex, type TapeIndex } from "../index/open.ts"
import type { ListResult } from "../index/list.ts"
import { type Hit, type SearchOptions } from "../index/search.ts"
import { scanTapes } from "../index/text/substring.ts"
import { parentOf } from "../store/disk/disk.ts"
import { allSessions, type SessionsContext } from "./context.ts"

/** Operations on many sessions or on their database. Arguments and results are plain data, for use in another thread. */
export interface IndexOperations {
  listed(options: ReadingOptions): ListResult & Unread
  search(question: string, options: ReadingOptions): Searched
  scan(wanted: string, options: ScanOptions): SessionsScanned
  stats(options: ReadingOptions): SessionStats & Unread
  rebuild(): Rebuilt
  catchUp(path: string): void
  names(milliseconds: number): readonly Named[]
}

interface Searched extends Unread {
  readonly hits: readonly Hit[] | null
  readonly total: number
  readonly more: boolean
}

export interface Named {
  readonly path: string
  readonly name: string | null
}

/** Milliseconds to wait at idle for another process that writes the index: a person may be typing. */
const idleBusyTimeout = 50
/** The most bytes of a session that are read at idle, about 0.2 s; more is read at the next listing or search. */
const maxAtIdle = 4 * 1024 * 1024

/** Loads SQLite, so never called before a first request. */
export function indexOperations(context: SessionsContext): IndexOperations {
  return {
    listed: ({ milliseconds, ...options }) =>
      afterReading(context, milliseconds, (index, read) => ({ ...index.list(options), ...read() })),
    search: (question, { milliseconds, ...options }) =>
      afterReading(context, milliseconds, (index, read) => ({ ...found(index, question, options), ...read() })),
    scan: (wanted, options) => scanned(context, wanted, options),
    stats: ({ milliseconds }) =>
      afterReading(context, milliseconds, (index, read) => ({ ...index.stats(), ...read() })),
    rebuild: () =>
      withIndex(context, {}, (index, unreadable) => {
        const { bytes, damage } = index.rebuild()
        return { sessions: index.stats().sessions, bytes, damage, kept: !index.inMemory, unreadable }
      }),
    catchUp: (path) => catchUp(context, path),
    names: (milliseconds) =>
      withIndex(context, {}, (index) => {
        const outdated = new Set(index.catchUp(milliseconds).outdated.map((one) => one.path))
        const read = index.list().sessions.filter(({ path }) => !outdated.has(path))
        return read.map(({ path, name }) => ({ path, name }))
      }),
  }
}

function withIndex<T>(
  { ports, sessions, index: file }: SessionsContext,
  options: { readonly patience?: number },
  work: (index: TapeIndex, unreadable: readonly UnreadableSession[]) => T,
): T {
  const unreadable: UnreadableSession[] = []
  const onUnreadable = (all: readonly UnreadableSession[]): void => {
    for (const one of all) if (!unreadable.some(({ path }) => path === one.path)) unreadable.push(one)
  }
  const index = openIndex(ports, { file, source: { sessions }, onUnreadable, ...options })
  try {
    return work(index, unreadable)
  } finally {
    index.close()
  }
}

/** `read` returns what was not read. It is called last, since a search may read more. */
function afterReading<T>(
  context: SessionsContext,
  milliseconds: number | undefined,
  work: (index: TapeIndex, read: () => Unread) => T,
): T {
  return withIndex(context, {}, (index, unreadable) => {
    const outdated = new Set(index.catchUp(milliseconds).outdated.map(({ path }) => path))
    return work(index, () => ({ unread: countUnread(context, outdated), unreadable }))
  })
}

/** An outdated folder may not be a session. */
function countUnread(context: SessionsContext, outdated: ReadonlySet<string>): number {
  return outdated.size === 0 ? 0 : allSessions(context).filter(({ path }) => outdated.has(path)).length
}

function found(index: TapeIndex, question: string, options: SearchOptions): Pick<Searched, "hits" | "total" | "more"> {
  const { hits, total, more } = index.search(question, options) ?? { hits: null, total: 0, more: false }
  return { hits, total, more }
}

function scanned(context: SessionsContext, wanted: string, { workspace, ...bounds }: ScanOptions): SessionsScanned {
  let unreadable: readonly UnreadableSession[] = []
  const all = allSessions(context, (passed) => (unreadable = passed))
  const some = workspace === undefined ? all : all.filter(({ info }) => workspaceName(info) === workspace)
  const ids = new Map(some.map(({ path, id }) => [path, id]))
  const result = scanTapes(context.ports, [...ids.keys()], wanted, bounds)
  const hits = result.hits.map(({ path, entry, snippet }) => ({ session: ids.get(path) ?? path, path, entry, snippet }))
  const { tapes: read, bytes, more } = result
  return { hits, sessions: some.length, read, bytes, more, unreadable }
}

/** Sessions of tasks are not listed. */
function catchUp(context: SessionsContext, path: string): void {
  if (parentOf(path) !== context.sessions) return
  const folder = path.slice(context.sessions.length + 1)
  withIndex(context, { patience: idleBusyTimeout }, (index) => index.catchUpTape(folder, maxAtIdle))
}
