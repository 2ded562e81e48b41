import type { Declarations, Host } from "@gong/spec"
import { type AppendEntry, type CompactionUndone, type Tape, undoCompaction } from "@gong/tape"
import type { Exclusive } from "../exclusive.ts"
import type { SessionWriter } from "../writer.ts"
import type { FileDiff } from "./diff.ts"
import type { RecordedCall } from "./open-changes.ts"
import type { RedoResult } from "./redo.ts"
import type { UndoResult } from "./undo.ts"

/** Undo and redo. Methods throw FailureError (`denied`) during a run; their entries are published. */
export interface Changes {
  /** Restores the files that the session changed. `matches`: only these paths. */
  undo(matches?: (path: string) => boolean): Promise<UndoResult>
  /** Undoes the last undo. */
  redo(): Promise<RedoResult>
  /** Continues from before the last compaction; null: there is none on this branch. */
  undoCompaction(): CompactionUndone | null
  /** The files that the session changed: the content before its first change and the content now. Also during a run. */
  diff(): Promise<readonly FileDiff[]>
}

/** Access to the files of a session, for diff and undo. */
export interface ChangedFiles {
  /** Where the session's tools work. Throws FailureError (`denied`) where that host is not known. */
  host(): Promise<Host>
  /** The content that a call made from this content; null when it cannot be computed. */
  remake(call: RecordedCall, path: string, before: Uint8Array): Promise<Uint8Array | null>
}

export interface ChangesDeps {
  readonly tape: Tape
  readonly files: ChangedFiles
  readonly declared: Declarations
  readonly writer: Pick<SessionWriter, "publishWritten" | "settled">
  readonly exclusive: Exclusive
  /** Throws FailureError (`denied`) during a run or a compaction. */
  assertIdle(): void
}

/** The work is loaded when it is needed: most sessions undo nothing. */
export function changesOf({ tape, files, declared, writer, exclusive, assertIdle }: ChangesDeps): Changes {
  const { publishWritten, settled } = writer
  const append = async (body: AppendEntry): Promise<void> =>
    void (await settled(publishWritten(() => tape.append([body], { sync: true }))))
  const undoDeps = async () => ({ tape, append, host: await files.host(), declared, remake: files.remake })
  return {
    async undo(matches) {
      assertIdle()
      const { undo } = await import("./undo.ts")
      return exclusive.run(async () => undo({ ...(await undoDeps()), matches }))
    },
    async redo() {
      assertIdle()
      const { redo } = await import("./redo.ts")
      return exclusive.run(async () => redo(await undoDeps()))
    },
    undoCompaction() {
      assertIdle()
      const undone = undoCompaction(tape)
      if (undone !== null) publishWritten(() => [undone.entry])
      return undone
    },
    async diff() {
      const { sessionDiff } = await import("./diff.ts")
      return sessionDiff({ tape, host: await files.host() })
    },
  }
}
