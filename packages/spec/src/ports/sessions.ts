import type { Text } from "../text/phrase.ts"
import type { Entry } from "../session/entry.ts"
import type {
  ImportedSession,
  ListedSession,
  SessionHit,
  SessionHolder,
  SessionRef,
  SessionStats,
  StoredSession,
  UnreadableSession,
  VerifiedSession,
} from "../session/stored-session.ts"
import type { Damage, Store, TapeInfo } from "./store.ts"

/**
 * Storage of sessions: files, memory, a database. A session is named by a result of a list or of `find`, or by its open store.
 * Every verb rejects with FailureError (`storage`) on a storage error; outcomes that callers tell apart are data.
 */
export interface Sessions {
  /** Newest first. Opens nothing. */
  list(options?: ListOptions): Promise<SessionList>
  /** By the whole id, the path, a unique prefix or suffix of the id (4 characters or more), or the name. */
  find(wanted: string): Promise<SessionFound>
  /** Subtask sessions of a session, newest first. */
  tasksOf(session: SessionRef): Promise<readonly StoredSession[]>

  /** A new empty session, open for writing. */
  create(options: NewSession): Promise<Store>
  /** Opens it for writing; one process at a time. */
  open(session: SessionRef): Promise<Opening>
  /** Opens it for reading, even while another process writes. */
  read(session: SessionRef): Promise<Store>
  /** The same, and follows new entries. */
  follow(session: SessionRef): Promise<FollowedSession>

  /** A copy with its own history from here on; also of a session that another process has open. */
  fork(session: SessionRef, options?: ForkOptions): Promise<StoredSession>
  /** Removes an unwanted fork; its source stays. Removes forks only. */
  discard(fork: SessionRef): Promise<void>
  /** Atomic: imported completely or not at all. */
  import(session: ImportedSession): Promise<StoredSession>
  /** Hides it from every list until it is restored. */
  remove(session: SessionRef): Promise<Removal>
  /** By its id, or a unique prefix or suffix of it. */
  restore(wanted: string): Promise<Restoring>
  /** Checks every line and every artifact; changes nothing. */
  verify(session: SessionRef): Promise<VerifiedSession>

  /** Newest first, with the facts that a list shows. */
  listed(options?: ReadingOptions): Promise<SessionsListed>
  /** Entries that contain words, best match first. */
  search(question: string, options?: ReadingOptions): Promise<SessionsSearched>
  /** Searches the entries for an exact string, newest session first. */
  scan(wanted: string, options: ScanOptions): Promise<SessionsScanned>
  stats(options?: Pick<ReadingOptions, "milliseconds">): Promise<SessionStats & Unread>
  /** Rebuilds the index. */
  rebuild(): Promise<Rebuilt>
  /** Indexes new entries of one session, so that the next list or search is faster. */
  catchUp(session: SessionRef): Promise<void>
}

export interface ListOptions {
  /** Only sessions of this workspace, by its name (`workspaceName`). */
  readonly workspace?: string
  /** Default: all. */
  readonly limit?: number
}

export interface ReadingOptions extends ListOptions {
  /** Time limit for indexing new entries before the answer; default: none. */
  readonly milliseconds?: number
}

export interface ScanOptions {
  /** As in a list. */
  readonly workspace?: string
  /** Maximum number of hits. */
  readonly limit: number
  /** Time limit. */
  readonly milliseconds: number
}

interface Passed {
  /** Sessions that were skipped. */
  readonly unreadable: readonly UnreadableSession[]
}

export interface Unread extends Passed {
  /** Number of sessions that were not indexed in time. */
  readonly unread: number
}

export interface SessionList extends Passed {
  readonly sessions: readonly StoredSession[]
}

export type SessionFound = Passed &
  (
    | { readonly ok: true; readonly session: StoredSession }
    /** No match, or several. */
    | { readonly ok: false; readonly matches: readonly StoredSession[] }
  )

export interface NewSession {
  /** The id of the host where its tools act. Default: this machine. */
  readonly host?: string
  readonly cwd: string
  readonly workspace: string
  /** Default: generated. */
  readonly id?: string
  /** For a subtask: the session lives as long as that of its call, and is in no list. */
  readonly task?: { readonly session: SessionRef; readonly call: string }
}

export type Opening = { readonly ok: true; readonly store: Store } | OpeningRefused

export interface OpeningRefused {
  readonly ok: false
  /** Same as `Store.readOnly`. */
  readonly reason: Text
  /** The process that has it open; null: it is read-only here. */
  readonly holder: SessionHolder | null
}

export interface FollowedSession {
  readonly store: Store
  /** New entries since the last call, or since it was opened, in order. */
  next(): Promise<readonly Entry[]>
  /** Null if no process has it open, or the one that did has died. */
  holder(): Promise<SessionHolder | null>
}

export interface ForkOptions {
  /** Last entry of the copied history; default: the session's current one. */
  readonly entry?: string
  /** Default: the session's own. The host never changes, since the history names files there. */
  readonly place?: Pick<TapeInfo, "cwd" | "workspace">
}

export type Removal = { readonly ok: true; readonly path: string | null } | OpeningRefused

export type Restoring =
  | { readonly ok: true; readonly session: StoredSession }
  /** No removed session matches, or several do. */
  | { readonly ok: false; readonly removed: readonly StoredSession[] }

export interface SessionsListed extends Unread {
  readonly sessions: readonly ListedSession[]
  /** Total counts: in this workspace, and everywhere. */
  readonly total: number
  readonly everywhere: number
}

export interface SessionsSearched extends Unread {
  /** Null if the question contains no word. */
  readonly hits: readonly SessionHit[] | null
  /** Total number of matching entries. */
  readonly total: number
  /** More matches exist than were counted. */
  readonly more: boolean
}

export interface SessionsScanned extends Passed {
  readonly hits: readonly Pick<SessionHit, "session" | "path" | "entry" | "snippet">[]
  /** Number of existing sessions, and of those read. */
  readonly sessions: number
  readonly read: number
  readonly bytes: number
  /** Stopped early, by the hit limit or the time limit. */
  readonly more: boolean
}

export interface Rebuilt extends Passed {
  readonly sessions: number
  /** Bytes read. */
  readonly bytes: number
  /** Damaged lines that were skipped; the first hundred. */
  readonly damage: readonly Damage[]
  /** False: the index cannot be stored and ends with this process. */
  readonly kept: boolean
}
