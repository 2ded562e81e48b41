import { type BackgroundSync, backgroundSync } from "./background-sync.ts"
import { type Disk, readUpTo, syncFile } from "../disk/disk.ts"
import { anchorsFolder, type Phase, stagingOf } from "../layout.ts"
import { syncInPool, syncNow, type SyncMode, type Syncs } from "./syncs.ts"

/** The end of a tape: the file of its newest phase. Knows bytes and lines, no entries. */
export interface Writer {
  /**
   * One write and, with `sync`, one sync, made or begun. Gives where the first line stands. After a throw nothing counts as
   * written.
   */
  append(lines: Uint8Array, sync: boolean): Start
  /** Begins a sync of what was appended. How it fails is thrown by the next append. */
  beginSync(): void
  /**
   * A new phase that begins with these lines: durable and in its place when this returns, but for a tape's first, which
   * is durable with what comes first that has to be. Gives where the first line stands.
   */
  begin(phase: Phase, lines: Uint8Array): Start
  /** As `Store.settled`, but rejects with what the disk threw. */
  settled(scope?: "all"): Promise<void> | null
  /** How a sync in the thread pool failed: what was written is not known to be durable, and trying again would not tell. */
  readonly failure: BackgroundSync["failure"]
  close(): void
}

export interface Start {
  readonly file: string
  readonly offset: number
}

interface Tail {
  readonly phase: Phase
  file: number | null
  /** Bytes in the file; null when a failed write left that open. */
  size: number | null
  /** It ends with a whole line. */
  clean: boolean
  /** Not known to be durable: written since the last sync, or found when the tape was opened. */
  unsynced: boolean
  /** How a sync failed that nobody waited for. */
  failed: Error | null
}

const newline = new Uint8Array([0x0a])

export interface WriterOptions {
  /** The tape's folder. */
  readonly tape: string
  /** The newest phase as a scan found it; null on a tape that has none yet. */
  readonly last: (Phase & { readonly size: number; readonly clean: boolean }) | null
  /** What makes the folders and files above the phases durable; called with the first sync that relies on them. */
  ancestorSyncs(): Syncs
  readonly syncMode: SyncMode
}

export function writerOf(disk: Disk, { tape, last, ancestorSyncs, syncMode }: WriterOptions): Writer {
  let tail: Tail | null =
    last === null
      ? null
      : { phase: last, file: null, size: last.size, clean: last.clean, unsynced: last.size > 0, failed: null }

  const ancestors = ancestorSyncsOf(disk, ancestorSyncs)

  /** What stands in the newest phase now, and what leads to it. */
  async function syncTail(): Promise<void> {
    const of = tail
    // A phase that nobody has appended to was made durable when it was begun.
    if (of === null || of.file === null) return
    const { size } = of
    await disk.syncInPool(of.file)
    await ancestors.syncInPool(of.phase)
    if (of.size === size) of.unsynced = false
  }

  const background = syncMode === "thread-pool" ? backgroundSync(syncTail) : null

  function makeFirst(phase: Phase, lines: Uint8Array): Start {
    const made = firstOf(disk, phase, lines)
    tail = made.tail
    background?.wrote(false)
    return made.start
  }

  function makeNext(phase: Phase, lines: Uint8Array, before: Tail): Start {
    ancestors.sync(before.phase)
    // What stands before the new phase must not be lost while the phase itself survives.
    if (before.unsynced) syncFile(disk, before.phase.file)
    before.unsynced = false
    const size = createPhase(disk, phase, lines)
    disk.syncFolder(anchorsFolder(tape))
    releaseTail(disk, before, background)
    tail = newTail(phase, size)
    background?.madeDurable()
    return { file: phase.file, offset: size - lines.length }
  }

  return {
    append(lines, sync) {
      if (tail === null) throw new Error("Internal error in Gong: an append before the first anchor")
      const start = appendTo(disk, tail, lines, sync && background === null)
      // Behind the lines: most file systems then have one commit for all of it.
      if (background !== null) background.wrote(sync)
      else if (sync) ancestors.sync(tail.phase)
      return start
    },
    beginSync() {
      if (background !== null) return background.begin()
      const of = tail
      if (of === null || of.file === null || !of.unsynced) return
      ancestors.sync(of.phase)
      // A file that was closed meanwhile was synced when it was closed, and its tail is read no more.
      disk.beginSync(of.file, (error) => void (of.failed = error))
    },
    begin(phase, lines) {
      return tail === null ? makeFirst(phase, lines) : makeNext(phase, lines, tail)
    },
    settled: (scope) => background?.settled(scope) ?? null,
    get failure() {
      return background?.failure ?? null
    },
    close() {
      const last = tail
      tail = null
      if (last === null) return
      const wrote = last.file !== null && last.unsynced
      releaseTail(disk, last, background)
      if (wrote) ancestors.sync(last.phase)
      background?.madeDurable()
    },
  }
}

/** What leads to the phases: it may have been made by a process that was killed before it could sync it. */
interface AncestorSyncs {
  sync(newest: Phase): void
  syncInPool(newest: Phase): Promise<void>
}

/** Each once in the life of a writer. */
function ancestorSyncsOf(disk: Disk, ancestorSyncs: WriterOptions["ancestorSyncs"]): AncestorSyncs {
  let settled = false
  function* leadingTo(newest: Phase): Syncs {
    yield { folder: newest.folder }
    yield* ancestorSyncs()
  }
  return {
    sync(newest) {
      if (!settled) syncNow(disk, leadingTo(newest))
      settled = true
    },
    async syncInPool(newest) {
      if (!settled) await syncInPool(disk, leadingTo(newest))
      settled = true
    },
  }
}

/** Not under a sync that is just made of it: its number may be another file's then. */
function releaseTail(disk: Disk, last: Tail, background: BackgroundSync | null): void {
  const resting = background?.idle() ?? null
  if (resting === null) return close(disk, last)
  if (last.unsynced && last.file !== null) disk.sync(last.file)
  last.unsynced = false
  // Who closes a tape waits for no file of it.
  void resting.then(() => close(disk, last)).catch(() => undefined)
}

/** Nothing is promised by it: an empty tape that a power cut takes away is no loss. */
function firstOf(disk: Disk, phase: Phase, lines: Uint8Array): { readonly tail: Tail; readonly start: Start } {
  disk.mkdir(phase.folder)
  const tail = newTail(phase, null)
  try {
    return { start: appendTo(disk, tail, lines, false), tail }
  } catch (error) {
    close(disk, tail)
    throw error
  }
}

/** Of a phase whose file ends with a whole line, or of which nothing is known (`size` null). */
function newTail(phase: Phase, size: number | null): Tail {
  return { phase, file: null, size, clean: size !== null, unsynced: false, failed: null }
}

function appendTo(disk: Disk, tail: Tail, lines: Uint8Array, sync: boolean): Start {
  throwSyncError(tail)
  const file = (tail.file ??= disk.open(tail.phase.file, "append"))
  const size = (tail.size ??= disk.fstat(file).size)
  // A line never goes on from torn bytes: it begins behind a newline of its own.
  const bytes = tail.clean || size === 0 ? lines : Buffer.concat([newline, lines])
  const offset = size + bytes.length - lines.length
  try {
    disk.write(file, bytes)
    tail.unsynced = true
    if (sync) disk.sync(file)
  } catch (error) {
    tail.size = null
    tail.clean = truncateFailedWrite(disk, file, size, bytes) && tail.clean
    throw error
  }
  tail.size = size + bytes.length
  tail.clean = true
  if (sync) tail.unsynced = false
  return { file: tail.phase.file, offset }
}

/**
 * Takes what a failed write left behind the lines off the file again, so that nobody finds a torn line there. Only what is
 * certainly its own: another process may have the tape by now. True when nothing of it is left.
 */
function truncateFailedWrite(disk: Disk, file: number, size: number, bytes: Uint8Array): boolean {
  try {
    const left = disk.fstat(file).size - size
    if (left === 0) return true
    // What is there whole was written, and only its sync has failed.
    if (left < 0 || left >= bytes.length) return false
    const found = readUpTo(disk, file, size, left)
    if (!found.equals(bytes.subarray(0, left))) return false
    disk.truncate(file, size)
    return true
  } catch {
    return false
  }
}

/** Once: the append that comes after this tries again. */
function throwSyncError(tail: Tail): void {
  const { failed } = tail
  tail.failed = null
  if (failed !== null) throw failed
}

/**
 * Makes the phase's folder beside its place and renames it there; what an earlier try already renamed is written to
 * again. Gives the file's size.
 */
function createPhase(disk: Disk, phase: Phase, lines: Uint8Array): number {
  if (disk.stat(phase.folder) !== null) return write(disk, phase.file, lines)
  const beside = stagingOf(phase)
  disk.mkdir(beside.folder)
  if (disk.stat(beside.file) !== null) disk.unlink(beside.file)
  const size = write(disk, beside.file, lines)
  disk.syncFolder(beside.folder)
  disk.rename(beside.folder, phase.folder)
  return size
}

/** Gives the file's size. What an earlier try left in the file stays, closed off by a newline. */
function write(disk: Disk, path: string, lines: Uint8Array): number {
  const file = disk.open(path, "append")
  try {
    const before = disk.fstat(file).size
    const bytes = before === 0 ? lines : Buffer.concat([newline, lines])
    disk.write(file, bytes)
    disk.sync(file)
    return before + bytes.length
  } finally {
    disk.close(file)
  }
}

/** Forgets the file first: its number may be another file's as soon as it was tried to close it. */
function close(disk: Disk, tail: Tail): void {
  const { file } = tail
  tail.file = null
  if (file === null) return
  try {
    if (tail.unsynced) disk.sync(file)
  } finally {
    disk.close(file)
  }
}
