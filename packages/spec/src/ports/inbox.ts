import type { EntryOf, InputKind } from "../entry.ts"

/** Inputs that are on the tape and not yet in the conversation, first in, first out. */
export interface Inbox {
  /** Takes what is due of a kind, in order: all that wait, or the oldest; what stays is taken at the next look. */
  take(kind: InputKind): readonly EntryOf<"input">[]
  has(kind: InputKind): boolean
  /** Calls back when a steer arrives; the returned function unsubscribes. */
  onSteer(callback: (input: EntryOf<"input">) => void): () => void
}
