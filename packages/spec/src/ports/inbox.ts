import type { EntryOf, InputKind } from "../session/entry.ts"

/** Inputs on the tape that are not yet part of the conversation; FIFO. */
export interface Inbox {
  /** Takes due inputs of a kind, in order: all, or only the oldest; the rest follow on the next call. */
  take(kind: InputKind): readonly EntryOf<"input">[]
  has(kind: InputKind): boolean
  /** Calls back when a steer arrives; the returned function unsubscribes. */
  onSteer(callback: (input: EntryOf<"input">) => void): () => void
}
