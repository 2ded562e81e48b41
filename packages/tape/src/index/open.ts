import type { DatabaseSync } from "node:sqlite"
import type { Clock, ListOptions, SessionStats } from "@gong/spec"
import type { Disk } from "../store/disk/disk.ts"
import type { OnUnreadable } from "../store/unreadable.ts"
import { type CatchUpResult, catchUp, catchUpTape } from "./catch-up.ts"
import { openIndexFile } from "./database.ts"
import { type ListResult, listSessions, statsOf } from "./list.ts"
import { deleteFolder } from "./rows.ts"
import { inTransaction } from "./schema.ts"
import { type SearchResult, search, type SearchOptions } from "./search.ts"
import type { Source } from "./source.ts"

export interface IndexPorts {
  readonly disk: Disk
  readonly clock: Pick<Clock, "now">
}

export interface IndexOptions {
  /** The database, made when missing; ":memory:" keeps it in memory. Its folder must be there. */
  readonly file: string
  readonly source: Source
  /** Milliseconds that another process which writes is waited for; default 10 s. */
  readonly busyTimeout?: number
  /** Is told of tapes that cannot be read, each time that what is new is read. */
  readonly onUnreadable?: OnUnreadable
}

/**
 * Finds and lists what stands on tapes. Derived from them and from nothing else: whatever is wrong with the file, it is made
 * anew. Nothing is opened before the first call. All throw FailureError (`storage`) when another process holds it for long.
 */
export interface TapeIndex {
  /** Reads what is new on the tapes, for so many milliseconds at most (default: to the end). */
  catchUp(milliseconds?: number): CatchUpResult
  /** Reads what is new on the tape in this folder of the source; nothing, and the tape stays behind, when it is more bytes. */
  catchUpTape(folder: string, maxBytes: number): CatchUpResult
  /** In what has been read. Null when there is no word in the question. */
  search(question: string, options?: SearchOptions): SearchResult | null
  list(options?: ListOptions): ListResult
  stats(): SessionStats
  /** Forgets everything and reads every tape again. */
  rebuild(): CatchUpResult
  /** The file cannot be written: what was read is gone when the process ends. */
  readonly inMemory: boolean
  close(): void
}

export function openIndex({ disk, clock }: IndexPorts, options: IndexOptions): TapeIndex {
  const { file: path, source, busyTimeout, onUnreadable = () => undefined } = options
  const file = openIndexFile(path, busyTimeout)
  const parts = { file, disk, clock, source, onUnreadable }

  /** What the tapes answer: a file that turns out to be damaged is filled again first. */
  function answer<T>(work: (db: DatabaseSync) => T): T {
    const before = file.timesRemade
    const first = file.use(work)
    if (file.timesRemade === before) return first
    catchUp(parts)
    return file.use(work)
  }

  function found(question: string, options: SearchOptions): SearchResult | null {
    return answer((db) => search(db, disk, source, question, options))
  }

  /** A tape that is not what the index says is read again; a search goes on with what is true then. */
  function readAgain(folders: readonly string[]): void {
    file.use((db) =>
      inTransaction(db, () => {
        for (const folder of folders) deleteFolder(db, folder)
      }),
    )
    catchUp(parts)
  }

  return {
    catchUp: (milliseconds) => catchUp(parts, milliseconds),
    catchUpTape: (folder, maxBytes) => catchUpTape(parts, folder, maxBytes),
    search(question, options = {}) {
      const first = found(question, options)
      if (first === null || first.stale.length === 0) return first
      readAgain(first.stale)
      return found(question, options)
    },
    list: (options = {}) => answer((db) => listSessions(db, source, options)),
    stats: () => answer((db) => statsOf(db)),
    rebuild() {
      file.reset()
      return catchUp(parts)
    },
    get inMemory() {
      return file.inMemory
    },
    close: file.close,
  }
}
