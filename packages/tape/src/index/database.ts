import { closeSync, existsSync, lstatSync, openSync, rmSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { failure, FailureError, phrase } from "@gong/spec"
import { ForeignIndex } from "./columns.ts"
import { busyTimeout, prepare, reset } from "./schema.ts"

/** The file of an index, created when missing. A damaged one is built again; on a full disk, in memory. */
export interface IndexFile {
  /**
   * Runs `work` on the database. After damage the file is removed, after a write error it is kept, and `work` runs once more on an
   * empty database. Throws FailureError (`storage`).
   */
  use<T>(work: (db: DatabaseSync) => T): T
  /** Removes all rows. */
  reset(): void
  /** How often it was built again: earlier content is not in it. */
  readonly timesRemade: number
  /** True when the file cannot be written: the index is in memory and ends with the process. */
  readonly inMemory: boolean
  close(): void
}

/** ":memory:" keeps it in memory. `timeout`: milliseconds to wait for another process that writes. */
export function openIndexFile(file: string, timeout: number = busyTimeout): IndexFile {
  let db: DatabaseSync | null = null
  let inMemory = file === ":memory:"
  let timesRemade = 0

  function open(): DatabaseSync {
    try {
      db ??= opened(inMemory ? ":memory:" : file, timeout)
    } catch (error) {
      if (isBroken(error)) throw error
      if (isBusy(error) || inMemory) throw storage(error)
      // A read-only home or a full disk: the current query can still be answered.
      inMemory = true
      db = opened(":memory:", timeout)
    }
    return db
  }

  function close(): void {
    const old = db
    db = null
    try {
      old?.close()
    } catch {
      // A damaged file cannot always be closed; it is not used any more.
    }
  }

  function attempt<T>(work: (db: DatabaseSync) => T): T {
    try {
      return work(open())
    } catch (error) {
      const isFull = isUnwritable(error) && !inMemory
      if (!isBroken(error) && !isFull) throw error instanceof FailureError || !isSqlite(error) ? error : storage(error)
      close()
      timesRemade += 1
      // The file is valid but incomplete: later processes continue with it when there is space.
      if (isFull) {
        inMemory = true
        return work(open())
      }
      for (const end of suffixes) rmSync(`${file}${end}`, { force: true })
      return work(open())
    }
  }

  return {
    use: attempt,
    reset: () => attempt(reset),
    get timesRemade() {
      return timesRemade
    },
    get inMemory() {
      return inMemory
    },
    close,
  }
}

function opened(file: string, timeout: number): DatabaseSync {
  if (file !== ":memory:") {
    requireRegularFiles(file)
    // SQLite would make it readable for everyone; its other files get the same mode.
    if (!existsSync(file)) closeSync(openSync(file, "a", 0o600))
  }
  const db = new DatabaseSync(file, { timeout })
  try {
    prepare(db)
  } catch (error) {
    db.close()
    throw error
  }
  return db
}

/** Suffixes of the files that SQLite creates. */
const suffixes = ["", "-wal", "-shm", "-journal"] as const

/** Throws ForeignIndex for a link, which leads to another file, a pipe or a device. SQLite refuses folders. */
function requireRegularFiles(file: string): void {
  for (const end of suffixes) {
    const found = lstatSync(`${file}${end}`, { throwIfNoEntry: false })
    if (found === undefined || found.isDirectory() || (found.isFile() && found.nlink === 1)) continue
    throw new ForeignIndex(`${file}${end} is no file of Gong's own`)
  }
}

/** SQLite's primary result code. */
function resultOf(error: unknown): number | null {
  if (!(error instanceof Error) || !("errcode" in error)) return null
  return typeof error.errcode === "number" ? error.errcode & 0xff : null
}

const isSqlite = (error: unknown): boolean => resultOf(error) !== null

const busy = new Set([5, 6])
const isBusy = (error: unknown): boolean => busy.has(resultOf(error) ?? 0)

/** Damaged, not a database, or with other tables: ERROR, INTERNAL, CORRUPT, SCHEMA, MISMATCH, FORMAT, NOTADB. */
const broken = new Set([1, 2, 11, 17, 20, 24, 26])
const isBroken = (error: unknown): boolean =>
  error instanceof ForeignIndex || isOutOfRange(error) || broken.has(resultOf(error) ?? 0)

/** An integer that JavaScript cannot represent. */
const isOutOfRange = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_OUT_OF_RANGE"

/** READONLY, IOERR, FULL: the disk cannot be written. */
const unwritable = new Set([8, 10, 13])
const isUnwritable = (error: unknown): boolean => unwritable.has(resultOf(error) ?? 0)

function storage(error: unknown): FailureError {
  const why = isBusy(error)
    ? phrase`another gong is writing it`
    : error instanceof Error
      ? error.message
      : String(error)
  return new FailureError(failure("storage", phrase`The index of sessions cannot be used: ${why}.`, { cause: error }))
}
