import type { Text } from "../phrase.ts"
import type { Entry, EntryOf } from "../entry.ts"
import type { MessageRole } from "../message.ts"
import type { Artifacts } from "./artifacts.ts"

/** Where a line stands, without its body. */
export interface Head {
  readonly id: string
  readonly parentId: string | null
  readonly type: string
  /** Of a message: whose it is, when the line shows it at its fixed place. */
  readonly role?: MessageRole
}

/** What tells entries apart for those who look for some of them. */
export type EntryKind = Pick<Head, "type" | "role">

/** Where a phase of the tape begins. */
export interface AnchorPlace {
  readonly seq: number
  /** As its folder is named. */
  readonly name: string
  /** Of its first line. */
  readonly first: number
}

/** What opening found that was not as it should be. Nothing of it is removed. */
export interface Damage {
  readonly file: string
  /** Byte offset of the damaged line. */
  readonly offset: number
  /** `torn`: a last line without its end. `doubled`: another entry with this id stands before it. `misplaced`: its parent is not there. */
  readonly kind: "torn" | "damaged" | "doubled" | "misplaced"
  readonly reason: string
}

/** The bytes of one tape. Order is the order of the lines, never time. */
export interface Store {
  readonly id: string
  readonly info: TapeInfo
  readonly damage: readonly Damage[]
  /** Set when this store may not write: another process holds it, or its format is newer. */
  readonly readOnly: Text | null
  /** Valid lines; each has a place from 0 on, in their order. One root; every other parent stands before its child. */
  readonly length: number
  head(place: number): Head
  /** The part of the head that costs nothing to look at. */
  kind(place: number): EntryKind
  /** All of them, made for the caller. */
  heads(): readonly Head[]
  /** The place of the entry that this one goes on from; -1 for the root. */
  parentOf(place: number): number
  /** Undefined when there is no such entry. */
  placeOf(id: string): number | undefined
  /** The entry at a place, parsed on demand and frozen. */
  entry(index: number): Entry
  /**
   * One write for the whole batch. With `sync` it has to survive a power cut: `settled` says when it does. Throws FailureError
   * (`storage`) and keeps nothing half done.
   */
  append(entries: readonly Entry[], options: { readonly sync: boolean }): void
  /**
   * Begins to make all that was appended survive a power cut, and does not wait for it: it does in a moment, and at the
   * latest with the next append with `sync`. When the disk fails at it, the next append throws that.
   */
  beginSync(): void
  /**
   * Null when everything that was appended with `sync` survives a power cut; else a promise that resolves when what was
   * appended so far does. It rejects with FailureError (`storage`) when the disk fails at that, and so does every later one:
   * the store is read-only from then on. To be waited for before anything is acknowledged or takes effect.
   */
  settled(): Promise<void> | null
  /** The phases, in order. */
  anchors(): readonly AnchorPlace[]
  /**
   * Begins a new phase with its first line and what belongs to it, all or nothing; appends go there from now on. It is
   * durable at once, but for the first of a tape: nothing is promised before the first append with `sync`.
   */
  beginAnchor(anchor: EntryOf<"anchor">, more?: readonly Entry[]): void
  readonly artifacts: Artifacts
  /** Folder for people, or null when the tape lives in memory. */
  readonly path: string | null
  close(): void
}

/** `tape.json`: written once, never changed. */
export interface TapeInfo {
  readonly format: 1
  readonly id: string
  /** The id of the host where its tools act; absent: this machine. */
  readonly host?: string
  readonly cwd: string
  readonly workspace: string
  /** ISO 8601, UTC. */
  readonly created: string
  /** The tape and entry it was forked from. */
  readonly from?: { readonly id: string; readonly entry: string }
  /** The tape that it does a task for, and the call that wanted it. */
  readonly parent?: { readonly id: string; readonly call: string }
}
