import { errorCode } from "@gong/spec"

/**
 * The disk calls of a store; all but `syncInPool` and `beginSync` block. They throw errors with a `code` like Node's (`ENOSPC`,
 * `EEXIST`, ...). The port is small, so that the simulator can count, fail and interrupt every call.
 */
export interface Disk {
  /** The content ends with the process. */
  readonly inMemory: boolean
  /** `create`: the file must not exist. `append`: every write goes to the end; the file is created when missing. */
  open(path: string, mode: "read" | "append" | "create"): number
  /** Writes all bytes at the end of the file, or at `position` in a file opened with `create`. After a throw, some may be written. */
  write(file: number, bytes: Uint8Array, position?: number): void
  /** Truncates a file that was opened with `append` to `length` bytes. */
  truncate(file: number, length: number): void
  /** Returns the number of bytes read; 0 at the end. */
  read(file: number, into: Uint8Array, position: number): number
  /** Makes the content durable (fdatasync). */
  sync(file: number): void
  /** Begins to make the content durable without waiting. After the file is closed, the outcome is unknown. */
  beginSync(file: number, failed: (error: Error) => void): void
  /**
   * Makes durable, in the thread pool, the content of an open file, of the file at a path, or the names in the folder at a path.
   * Rejects with the errors that `sync` throws. Writes after the call may not be included.
   */
  syncInPool(target: number | string): Promise<void>
  fstat(file: number): DiskStat
  close(file: number): void
  stat(path: string): DiskStat | null
  /** The names in a folder; none when it does not exist. */
  list(path: string): readonly string[]
  /** Creates a folder and its parents; returns the first one that was created. */
  mkdir(path: string): string | null
  /** Makes the names in a folder durable. */
  syncFolder(path: string): void
  rename(from: string, to: string): void
  unlink(path: string): void
  /** Creates a hard link. False where the file system has no hard links; then nothing was done. */
  link(from: string, to: string): boolean
  /** Removes an empty folder. */
  rmdir(path: string): void
}

export interface DiskStat {
  readonly kind: "file" | "folder" | "other"
  readonly size: number
  readonly mtimeMs: number
  /** Distinguishes two files at one path, as long as one of them is open. */
  readonly inode: number
}

/** The content of a file, or null when it does not exist, or is removed before it is opened. */
export function readWhole(disk: Disk, path: string): Uint8Array | null {
  if (disk.stat(path)?.kind !== "file") return null
  const file = openIfThere(disk, path)
  if (file === null) return null
  try {
    return readUpTo(disk, file, 0, disk.fstat(file).size)
  } finally {
    disk.close(file)
  }
}

function openIfThere(disk: Disk, path: string): number | null {
  try {
    return disk.open(path, "read")
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null
    throw error
  }
}

/** Reads `length` bytes from `from` on; fewer at the end of the file. */
export function readUpTo(disk: Disk, file: number, from: number, length: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(length)
  return bytes.subarray(0, fillFrom(disk, file, from, bytes))
}

/** Reads from `from` on until `bytes` is full or the file ends; returns the number of bytes read. */
export function fillFrom(disk: Disk, file: number, from: number, bytes: Uint8Array): number {
  let filled = 0
  while (filled < bytes.length) {
    const count = disk.read(file, bytes.subarray(filled), from + filled)
    if (count === 0) break
    filled += count
  }
  return filled
}

/** Writes a file under a temporary name and renames it, so that it is never incomplete. Its name is durable after `syncFolder`. */
export function writeAtomically(
  disk: Disk,
  path: string,
  bytes: Uint8Array,
  options: { readonly sync: boolean },
): void {
  const beside = `${path}.tmp`
  if (disk.stat(beside) !== null) disk.unlink(beside)
  try {
    const file = disk.open(beside, "create")
    try {
      disk.write(file, bytes)
      if (options.sync) disk.sync(file)
    } finally {
      disk.close(file)
    }
    disk.rename(beside, path)
  } catch (error) {
    // On a full disk, an incomplete file would take space.
    unlinkQuietly(disk, beside)
    throw error
  }
}

/** A file that cannot be removed is overwritten or ignored later. */
export function unlinkQuietly(disk: Disk, path: string): void {
  try {
    disk.unlink(path)
  } catch {
    return
  }
}

/** Makes the content of a file durable, including writes of other processes. */
export function syncFile(disk: Disk, path: string): void {
  const file = disk.open(path, "read")
  try {
    disk.sync(file)
  } finally {
    disk.close(file)
  }
}

/** Links a file that is not written any more, or copies it where there are no hard links. */
export function linkOrCopy(disk: Disk, from: string, to: string): void {
  if (disk.link(from, to)) return
  const bytes = readWhole(disk, from)
  if (bytes !== null) writeAtomically(disk, to, bytes, { sync: true })
}

/** Removes a folder with its content; does nothing when it does not exist. */
export function removeTree(disk: Disk, path: string): void {
  const kind = disk.stat(path)?.kind
  if (kind === undefined) return
  if (kind !== "folder") return disk.unlink(path)
  for (const name of disk.list(path)) removeTree(disk, `${path}/${name}`)
  disk.rmdir(path)
}

/** Creates a folder durably, together with missing parents. */
export function makeFolder(disk: Disk, path: string): void {
  const first = disk.mkdir(path)
  if (first === null) return
  for (let at = path; at.length >= first.length; at = parentOf(at)) disk.syncFolder(parentOf(at))
}

export function parentOf(path: string): string {
  const cut = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"))
  return cut <= 0 ? path.slice(0, 1) : path.slice(0, cut)
}

export function codeOf(thrown: unknown): string {
  return errorCode(thrown) ?? ""
}
