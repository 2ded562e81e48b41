import type { Text } from "../text/phrase.ts"
import type { Entry, EntryOf } from "../session/entry.ts"
import type { MessageRole } from "../model/message.ts"
import type { Artifacts } from "./artifacts.ts"

/** A tape line without its body. */
export interface Head {
  readonly id: string
  readonly parentId: string | null
  readonly type: string
  /** Role of a message, if it is at its fixed place in the line. */
  readonly role?: MessageRole
}

/** What selects entries without parsing them. */
export type EntryKind = Pick<Head, "type" | "role">

/** Position of a phase on the tape. */
export interface AnchorPlace {
  readonly seq: number
  /** The name of its folder. */
  readonly name: string
  /** Position of its first line. */
  readonly first: number
}

/** Damage found on opening. Damaged data is never removed. */
export interface Damage {
  readonly file: string
  /** Byte offset of the damaged line. */
  readonly offset: number
  /** `torn`: the last line is incomplete. `doubled`: an earlier entry has the same id. `misplaced`: the parent is missing. */
  readonly kind: "torn" | "damaged" | "doubled" | "misplaced"
  readonly reason: string
}

/** Storage of one tape. The order is that of the lines, never of time. */
export interface Store {
  readonly id: string
  readonly info: TapeInfo
  readonly damage: readonly Damage[]
  /** Set if this store is read-only: another process holds the lock, or the format is newer. */
  readonly readOnly: Text | null
  /** Number of valid lines; positions count from 0. There is one root, and every other parent precedes its child. */
  readonly length: number
  head(place: number): Head
  /** The part of the head that is free to read. */
  kind(place: number): EntryKind
  /** A new array of all heads. */
  heads(): readonly Head[]
  /** Position of the parent entry; -1 for the root. */
  parentOf(place: number): number
  /** Undefined for an unknown id. */
  placeOf(id: string): number | undefined
  /** The entry at a position, parsed on demand and frozen. */
  entry(index: number): Entry
  /**
   * One write for the whole batch. With `sync` it must become durable: `settled` says when. Throws FailureError (`storage`)
   * and leaves nothing half-written.
   */
  append(entries: readonly Entry[], options: { readonly sync: boolean }): void
  /**
   * Starts a sync of everything appended so far without waiting for it. It completes soon, at the latest with the next
   * append with `sync`. If the disk fails, the next append throws.
   */
  beginSync(): void
  /**
   * Null if everything appended with `sync` is durable; else a promise for everything appended so far. If the disk fails, it
   * rejects with FailureError (`storage`), as does every later one, and the store becomes read-only. Await it before any
   * acknowledgement or effect. `all`: also for what was appended without `sync`; to be awaited before `close` where its sync
   * would block other sessions.
   */
  settled(scope?: "all"): Promise<void> | null
  /** The phases, in order. */
  anchors(): readonly AnchorPlace[]
  /**
   * Begins a new phase with its first line and the entries that belong to it, atomically; later appends go there. The phase is
   * durable at once, except for the first of a tape: nothing is promised before the first append with `sync`.
   */
  beginAnchor(anchor: EntryOf<"anchor">, more?: readonly Entry[]): void
  readonly artifacts: Artifacts
  /** Folder, for people; null if the tape is in memory. */
  readonly path: string | null
  close(): void
}

/** `tape.json`; immutable. */
export interface TapeInfo {
  readonly format: 1
  readonly id: string
  /** Id of the host where its tools act; absent: this machine. */
  readonly host?: string
  readonly cwd: string
  readonly workspace: string
  /** ISO 8601, UTC. */
  readonly created: string
  /** Source tape and entry of a fork. */
  readonly from?: { readonly id: string; readonly entry: string }
  /** For a subtask: the parent tape and the call. */
  readonly parent?: { readonly id: string; readonly call: string }
}
