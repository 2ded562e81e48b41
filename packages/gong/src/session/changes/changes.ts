import type { Declarations, Entry, Host } from "@gong/spec"
import { type AppendEntry, type CompactionUndone, type Tape, undoCompaction } from "@gong/tape"
import type { FileDiff } from "./diff.ts"
import type { MadeCall } from "./open-changes.ts"
import type { Redone } from "./redo.ts"
import type { Undone } from "./undo.ts"

/** Taking back what the session did. Throws FailureError (`denied`) while a run works; what is written is published. */
export interface Changes {
  /** Puts the files that the session changed back. */
  undo(): Promise<Undone>
  /** Takes the last undo back. */
  redo(): Promise<Redone>
  /** Goes on from before the last compaction; null: there is none on this branch. */
  undoCompaction(): CompactionUndone | null
  /** The files that the session changed, as it found them and as they are now. Also while a run works. */
  diff(): Promise<readonly FileDiff[]>
}

/** How the files of a session are reached when they are compared or put back. */
export interface ChangedFiles {
  /** Where the session's tools work. */
  host(): Promise<Host>
  /** What a call made of a file with these bytes; null when that cannot be told. */
  remake(call: MadeCall, path: string, before: Uint8Array): Promise<Uint8Array | null>
}

export interface ChangesDeps {
  readonly tape: Tape
  readonly files: ChangedFiles
  readonly declared: Declarations
  /** Publishes what was written. */
  shown(append: () => readonly Entry[]): readonly Entry[]
  /** Resolves when what was written is as durable as it has to be. */
  settled<T>(value: T): Promise<T>
  /** Throws while a run works. */
  mustBeIdle(): void
  /** Keeps everything else away while it works. */
  alone<T>(work: () => Promise<T>): Promise<T>
}

/** Loaded when it is wanted: most sessions are never taken back. */
export function changesOf({ tape, files, declared, shown, settled, mustBeIdle, alone }: ChangesDeps): Changes {
  const append = async (body: AppendEntry): Promise<void> =>
    void (await settled(shown(() => tape.append([body], { sync: true }))))
  const taking = async () => ({ tape, append, host: await files.host(), declared, remake: files.remake })
  return {
    async undo() {
      mustBeIdle()
      const { undo } = await import("./undo.ts")
      return alone(async () => undo(await taking()))
    },
    async redo() {
      mustBeIdle()
      const { redo } = await import("./redo.ts")
      return alone(async () => redo(await taking()))
    },
    undoCompaction() {
      mustBeIdle()
      const found = undoCompaction(tape)
      if (found !== null) shown(() => [found.entry])
      return found
    },
    async diff() {
      const { sessionDiff } = await import("./diff.ts")
      return sessionDiff({ tape, host: await files.host() })
    },
  }
}
