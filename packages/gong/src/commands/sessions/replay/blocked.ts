import type { Exchange } from "./recording.ts"

/** An operation of a replayed session that waits for the replay. */
export type BlockedOperation =
  | { readonly kind: "request"; readonly exchange: Exchange; resume(): void }
  /** The response is complete, but its connection stayed open in the recording: only an abort or a timeout ends it. */
  | { readonly kind: "open-stream" }
  /** The permission decision about a call. */
  | { readonly kind: "decision"; readonly callId: string; resume(): void }
  /** A running call. */
  | { readonly kind: "running"; readonly callId: string; resume(): void }

export interface BlockedOperations {
  readonly all: ReadonlySet<BlockedOperation>
  /** Resolves when the replay resumes it. */
  block(operation: Resumable): Promise<void>
  /** Adds an operation that ends otherwise. Returns a function that removes it. */
  add(operation: BlockedOperation): () => void
}

type Resumable =
  Exclude<BlockedOperation, { kind: "open-stream" }> extends infer O
    ? O extends BlockedOperation
      ? Omit<O, "resume">
      : never
    : never

export function createBlockedOperations(): BlockedOperations {
  const all = new Set<BlockedOperation>()
  return {
    all,
    add(operation) {
      all.add(operation)
      return () => all.delete(operation)
    },
    block(operation) {
      return new Promise((resolve) => {
        const one = {
          ...operation,
          resume() {
            all.delete(one)
            resolve()
          },
        } as BlockedOperation
        all.add(one)
      })
    },
  }
}
