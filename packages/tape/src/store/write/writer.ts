import { type BackgroundSync, backgroundSync } from "./background-sync.ts"
import { type Disk, readUpTo, syncFile } from "../disk/disk.ts"
import { anchorsFolder, type Phase, stagingOf } from "../layout.ts"
import { syncInPool, syncNow, type SyncMode, type Syncs } from "./syncs.ts"

/** Writes to the end of a tape, the file of its newest phase. Works on bytes and lines, not on entries. */
export interface Writer {
  /**
   * Makes one write and, with `sync`, makes or begins one sync. Returns the position of the first line. After a throw, nothing
   * counts as written.
   */
  append(lines: Uint8Array, sync: boolean): Start
  /** Begins a sync of appended lines. The next append throws its error. */
  beginSync(): void
  /**
   * Begins a phase with these lines. It is durable when this returns, except the first phase of a tape, which becomes durable
   * with the first entry that has to be. Returns the position of the first line.
   */
  begin(phase: Phase, lines: Uint8Array): Start
  /** As `Store.settled`, but rejects with the error of the disk. */
  settled(scope?: "all"): Promise<void> | null
  /** The error of a sync in the thread pool. Whether earlier writes are durable is unknown, and another sync would not tell. */
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
  /** Bytes in the file; null when it is unknown after a failed write. */
  size: number | null
  /** The file ends with a complete line. */
  clean: boolean
  /** The content may not be durable: written since the last sync, or found when the tape was opened. */
  unsynced: boolean
  /** The error of a sync in the background. */
  failed: Error | null
}

const newline = new Uint8Array([0x0a])

export interface WriterOptions {
  /** The tape's folder. */
  readonly tape: string
  /** The newest phase, from a scan; null on a tape without phases. */
  readonly last: (Phase & { readonly size: number; readonly clean: boolean }) | null
  /** The syncs of folders and files above the phases, made with the first sync that relies on them. */
  ancestorSyncs(): Syncs
  readonly syncMode: SyncMode
}

export function writerOf(disk: Disk, { tape, last, ancestorSyncs, syncMode }: WriterOptions): Writer {
  let tail: Tail | null =
    last === null
      ? null
      : { phase: last, file: null, size: last.size, clean: last.clean, unsynced: last.size > 0, failed: null }

  const ancestors = ancestorSyncsOf(disk, ancestorSyncs)

  /** Syncs the newest phase and everything above it. */
  async function syncTail(): Promise<void> {
    const of = tail
    // A phase without appended lines became durable when it was begun.
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
    // Entries before the new phase must not be lost while the phase itself survives.
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
      // After the lines: most file systems then need one commit for all of it.
      if (background !== null) background.wrote(sync)
      else if (sync) ancestors.sync(tail.phase)
      return start
    },
    beginSync() {
      if (background !== null) return background.begin()
      const of = tail
      if (of === null || of.file === null || !of.unsynced) return
      ancestors.sync(of.phase)
      // A file that is closed in the meantime is synced by `close`, and its tail is not used any more.
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

/** Syncs everything above the phases: a killed process may have created it without a sync. */
interface AncestorSyncs {
  sync(newest: Phase): void
  syncInPool(newest: Phase): Promise<void>
}

/** Makes the syncs once for each writer. */
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

/** Closes the file after a sync that uses it, since its descriptor may be reused. */
function releaseTail(disk: Disk, last: Tail, background: BackgroundSync | null): void {
  const resting = background?.idle() ?? null
  if (resting === null) return close(disk, last)
  if (last.unsynced && last.file !== null) disk.sync(last.file)
  last.unsynced = false
  // Closing a tape does not wait for the file.
  void resting.then(() => close(disk, last)).catch(() => undefined)
}

/** Not durable: an empty tape may be lost in a power cut. */
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

/** The tail of a phase whose file ends with a complete line; `size` null: nothing is known about it. */
function newTail(phase: Phase, size: number | null): Tail {
  return { phase, file: null, size, clean: size !== null, unsynced: false, failed: null }
}

function appendTo(disk: Disk, tail: Tail, lines: Uint8Array, sync: boolean): Start {
  throwSyncError(tail)
  const file = (tail.file ??= disk.open(tail.phase.file, "append"))
  const size = (tail.size ??= disk.fstat(file).size)
  // After torn bytes, a newline is written first.
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
 * Removes the partial bytes of a failed write, so that no torn line stays in the file. Removes only bytes that are certainly its
 * own: another process may have the tape by now. True when nothing of the write is left.
 */
function truncateFailedWrite(disk: Disk, file: number, size: number, bytes: Uint8Array): boolean {
  try {
    const left = disk.fstat(file).size - size
    if (left === 0) return true
    // A complete write stays: only its sync has failed.
    if (left < 0 || left >= bytes.length) return false
    const found = readUpTo(disk, file, size, left)
    if (!found.equals(bytes.subarray(0, left))) return false
    disk.truncate(file, size)
    return true
  } catch {
    return false
  }
}

/** Throws once; the next append tries again. */
function throwSyncError(tail: Tail): void {
  const { failed } = tail
  tail.failed = null
  if (failed !== null) throw failed
}

/**
 * Creates the folder of the phase under a temporary name and renames it; a folder that an earlier attempt renamed is appended to.
 * Returns the size of the file.
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

/** Returns the size of the file. Bytes of an earlier attempt stay and are ended by a newline. */
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

/** Clears the descriptor first: it may be reused as soon as it is closed. */
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
