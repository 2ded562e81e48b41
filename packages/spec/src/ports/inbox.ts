import type { EntryOf, InputKind } from "../entry.ts"

/** Inputs that are on the tape and not yet in the conversation, first in, first out. */
export interface Inbox {
  /** Takes all of a kind, in order. */
  take(kind: InputKind): readonly EntryOf<"input">[]
  has(kind: InputKind): boolean
  /** Calls back when a steer arrives; the returned function unsubscribes. */
  onSteer(callback: (input: EntryOf<"input">) => void): () => void
}
