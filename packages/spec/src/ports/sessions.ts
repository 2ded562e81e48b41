import type { Text } from "../phrase.ts"
import type { Entry } from "../entry.ts"
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
} from "../stored-session.ts"
import type { Damage, Store, TapeInfo } from "./store.ts"

/**
 * Where sessions are kept: files, memory, a database. A session is named by what a list or `find` gave, or by its open store.
 * Every verb rejects with FailureError (`storage`) for what the place of sessions refuses; what is to be told apart is data.
 */
export interface Sessions {
  /** The newest first. Nothing is opened. */
  list(options?: ListOptions): Promise<SessionList>
  /** By the whole id, the path, a unique beginning or end of the id (4 characters or more), else by the name. */
  find(wanted: string): Promise<SessionFound>
  /** Those that did tasks for a session, the newest first. */
  tasksOf(session: SessionRef): Promise<readonly StoredSession[]>

  /** A new session, empty and open for writing. */
  create(options: NewSession): Promise<Store>
  /** Opens it for writing, which one process may at a time. */
  open(session: SessionRef): Promise<Opening>
  /** Opens it for reading, also while another process writes to it. */
  read(session: SessionRef): Promise<Store>
  /** The same, and what comes on it. */
  follow(session: SessionRef): Promise<FollowedSession>

  /** A copy with a history of its own from here on; also of a session that another process has open. */
  fork(session: SessionRef, options?: ForkOptions): Promise<StoredSession>
  /** Removes a fork that is not wanted; what it came from stays, and nothing but a fork is removed. */
  discard(fork: SessionRef): Promise<void>
  /** It is there whole or not at all. */
  import(session: ImportedSession): Promise<StoredSession>
  /** Out of every list, until it is restored. */
  remove(session: SessionRef): Promise<Removal>
  /** By its id, or a unique beginning or end of it. */
  restore(wanted: string): Promise<Restoring>
  /** Checks every line and every artifact; changes nothing. */
  verify(session: SessionRef): Promise<VerifiedSession>

  /** The newest first, with what is to be said of each. */
  listed(options?: ReadingOptions): Promise<SessionsListed>
  /** Entries that hold words, the best first. */
  search(question: string, options?: ReadingOptions): Promise<SessionsSearched>
  /** Looks for exactly these characters in the entries themselves, the newest session first. */
  scan(wanted: string, options: ScanOptions): Promise<SessionsScanned>
  stats(options?: Pick<ReadingOptions, "milliseconds">): Promise<SessionStats & Unread>
  /** Makes anew what lists and searches are answered from. */
  rebuild(): Promise<Rebuilt>
  /** Reads what is new in one session, so that the next list or search need not. */
  catchUp(session: SessionRef): Promise<void>
}

export interface ListOptions {
  /** Only sessions of this workspace, by its name (`workspaceName`). */
  readonly workspace?: string
  /** Default: all. */
  readonly limit?: number
}

export interface ReadingOptions extends ListOptions {
  /** For reading what is new before it is answered; default: as many as it takes. */
  readonly milliseconds?: number
}

export interface ScanOptions {
  /** As for a list. */
  readonly workspace?: string
  /** Hits after which it stops. */
  readonly limit: number
  /** Time after which it stops. */
  readonly milliseconds: number
}

interface Passed {
  /** What was passed over. */
  readonly unreadable: readonly UnreadableSession[]
}

export interface Unread extends Passed {
  /** Sessions that time did not suffice for. */
  readonly unread: number
}

export interface SessionList extends Passed {
  readonly sessions: readonly StoredSession[]
}

export type SessionFound = Passed &
  (
    | { readonly ok: true; readonly session: StoredSession }
    /** Nothing fits, or more than one does. */
    | { readonly ok: false; readonly matches: readonly StoredSession[] }
  )

export interface NewSession {
  /** The id of the host where its tools act. Default: this machine. */
  readonly host?: string
  readonly cwd: string
  readonly workspace: string
  /** Default: a new one. */
  readonly id?: string
  /** It does a task: it is kept as long as the session of the call that wanted it, and is in no list. */
  readonly task?: { readonly session: SessionRef; readonly call: string }
}

export type Opening = { readonly ok: true; readonly store: Store } | OpeningRefused

export interface OpeningRefused {
  readonly ok: false
  /** As `Store.readOnly`. */
  readonly reason: Text
  /** Who has it; null: nobody may write to it here. */
  readonly holder: SessionHolder | null
}

export interface FollowedSession {
  readonly store: Store
  /** Entries that came since the last call, at first since it was opened, in their order. */
  next(): Promise<readonly Entry[]>
  /** Null when no process has it open, or the one that had it died. */
  holder(): Promise<SessionHolder | null>
}

export interface ForkOptions {
  /** Where the fork goes on; default: where the session stands. */
  readonly entry?: string
  /** Default: those of the session. The host is always that of the session: its history names files there. */
  readonly place?: Pick<TapeInfo, "cwd" | "workspace">
}

export type Removal = { readonly ok: true; readonly path: string | null } | OpeningRefused

export type Restoring =
  | { readonly ok: true; readonly session: StoredSession }
  /** None of what was removed, or more than one, is meant. */
  | { readonly ok: false; readonly removed: readonly StoredSession[] }

export interface SessionsListed extends Unread {
  readonly sessions: readonly ListedSession[]
  /** How many there are in all, of this workspace and of every one. */
  readonly total: number
  readonly everywhere: number
}

export interface SessionsSearched extends Unread {
  /** Null when there is no word in the question. */
  readonly hits: readonly SessionHit[] | null
  /** Entries that were found in all. */
  readonly total: number
  /** There are more than were counted. */
  readonly more: boolean
}

export interface SessionsScanned extends Passed {
  readonly hits: readonly Pick<SessionHit, "session" | "path" | "entry" | "snippet">[]
  /** Sessions that there are, and those that were read. */
  readonly sessions: number
  readonly read: number
  readonly bytes: number
  /** It stopped before the end: enough was found, or time was up. */
  readonly more: boolean
}

export interface Rebuilt extends Passed {
  readonly sessions: number
  /** That were read. */
  readonly bytes: number
  /** Lines that were skipped because they are damaged; the first hundred. */
  readonly damage: readonly Damage[]
  /** False: it cannot be kept, and is gone with this process. */
  readonly kept: boolean
}
