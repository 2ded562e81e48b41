import { closeSync, existsSync, lstatSync, openSync, rmSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { failure, FailureError, phrase } from "@gong/spec"
import { ForeignIndex } from "./columns.ts"
import { busyTimeout, prepare, reset } from "./schema.ts"

/** The file of an index, made when missing. What is wrong with it is mended by making it anew, on a full disk in memory. */
export interface IndexFile {
  /** Works on it. A damaged file is removed, one that cannot be written is left, and `work` done once more on an empty one. Throws FailureError (`storage`). */
  use<T>(work: (db: DatabaseSync) => T): T
  /** Empties it. */
  reset(): void
  /** How often it had to be made anew: what was read of it before that is not in it. */
  readonly timesRemade: number
  /** Set when the file cannot be written: the index is in memory and gone with the process. */
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
      // A home that may only be read, or a full disk: what is asked now can still be answered.
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
      // A damaged file cannot always be closed in order; it is given up anyway.
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
      // What the file holds is right, as far as it goes: it is gone on with when there is room.
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
    // SQLite would make it readable for everybody; its helpers get the same mode.
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

/** The file and those that SQLite makes beside it. */
const suffixes = ["", "-wal", "-shm", "-journal"] as const

/** Throws ForeignIndex for a link, which would have another file written, a pipe or a device. A folder is left to SQLite, which refuses it. */
function requireRegularFiles(file: string): void {
  for (const end of suffixes) {
    const found = lstatSync(`${file}${end}`, { throwIfNoEntry: false })
    if (found === undefined || found.isDirectory() || (found.isFile() && found.nlink === 1)) continue
    throw new ForeignIndex(`${file}${end} is no file of Gong's own`)
  }
}

/** SQLite's result code, without what refines it. */
function resultOf(error: unknown): number | null {
  if (!(error instanceof Error) || !("errcode" in error)) return null
  return typeof error.errcode === "number" ? error.errcode & 0xff : null
}

const isSqlite = (error: unknown): boolean => resultOf(error) !== null

const busy = new Set([5, 6])
const isBusy = (error: unknown): boolean => busy.has(resultOf(error) ?? 0)

/** Damaged, no database at all, or with other tables than ours: ERROR, INTERNAL, CORRUPT, SCHEMA, MISMATCH, FORMAT, NOTADB. */
const broken = new Set([1, 2, 11, 17, 20, 24, 26])
const isBroken = (error: unknown): boolean =>
  error instanceof ForeignIndex || isOutOfRange(error) || broken.has(resultOf(error) ?? 0)

/** A whole number that JavaScript cannot hold. */
const isOutOfRange = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_OUT_OF_RANGE"

/** READONLY, IOERR, FULL: the disk has no room for what is to be written. */
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
