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
  /** The database, created when missing; ":memory:" keeps it in memory. Its folder must exist. */
  readonly file: string
  readonly source: Source
  /** Milliseconds to wait for another process that writes; default 10 s. */
  readonly busyTimeout?: number
  /** Receives tapes that cannot be read, at each update. */
  readonly onUnreadable?: OnUnreadable
}

/**
 * Searches and lists tapes. It is derived from the tapes alone, so a damaged file is built again. Nothing is opened before the
 * first call. All calls throw FailureError (`storage`) when another process locks it for too long.
 */
export interface TapeIndex {
  /** Reads new entries of the tapes, for at most this many milliseconds (default: no limit). */
  catchUp(milliseconds?: number): CatchUpResult
  /** Reads new entries of the tape in this folder of the source; nothing when they are more than `maxBytes`. */
  catchUpTape(folder: string, maxBytes: number): CatchUpResult
  /** Searches entries that were read. Null for a query without words. */
  search(question: string, options?: SearchOptions): SearchResult | null
  list(options?: ListOptions): ListResult
  stats(): SessionStats
  /** Removes everything and reads every tape again. */
  rebuild(): CatchUpResult
  /** The file cannot be written: the index ends with the process. */
  readonly inMemory: boolean
  close(): void
}

export function openIndex({ disk, clock }: IndexPorts, options: IndexOptions): TapeIndex {
  const { file: path, source, busyTimeout, onUnreadable = () => undefined } = options
  const file = openIndexFile(path, busyTimeout)
  const parts = { file, disk, clock, source, onUnreadable }

  /** Runs `work`; when the file turns out to be damaged, it is filled and `work` runs again. */
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

  /** Reads tapes that do not match the index again, before a second search. */
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
