import { errorCode } from "@gong/spec"

/**
 * The few calls that a store makes on a disk; all but `syncInPool` and `beginSync` wait. They throw errors with a `code` like Node's (`ENOSPC`,
 * `EEXIST`, ...). Made small so that every call can be counted, failed and cut off by the simulator.
 */
export interface Disk {
  /** Nothing of it outlives the process. */
  readonly inMemory: boolean
  /** `create`: the file must not exist. `append`: every write goes to the end; made when missing. */
  open(path: string, mode: "read" | "append" | "create"): number
  /** All bytes, at the end of the file, or at `position` in a file opened with `create`. After a throw some of them may stand there. */
  write(file: number, bytes: Uint8Array, position?: number): void
  /** Takes away what stands behind the first `length` bytes of a file that was opened with `append`. */
  truncate(file: number, length: number): void
  /** Bytes read; 0 at the end. */
  read(file: number, into: Uint8Array, position: number): number
  /** Makes the content durable (fdatasync). */
  sync(file: number): void
  /** Begins to make it durable and does not wait. Closing the file leaves it open whether it came to that. */
  beginSync(file: number, failed: (error: Error) => void): void
  /**
   * Makes the content of an open file, or of the file or the names in the folder at a path, durable in the thread pool.
   * Rejects like `sync` throws. What is written after the call may not be part of it.
   */
  syncInPool(target: number | string): Promise<void>
  fstat(file: number): DiskStat
  close(file: number): void
  stat(path: string): DiskStat | null
  /** The names in a folder; none when it is not there. */
  list(path: string): readonly string[]
  /** Makes a folder and its parents; gives the first that had to be made. */
  mkdir(path: string): string | null
  /** Makes the names in a folder durable. */
  syncFolder(path: string): void
  rename(from: string, to: string): void
  unlink(path: string): void
  /** Gives a file a second name. False where the file system has none such; then nothing was done. */
  link(from: string, to: string): boolean
  /** Removes an empty folder. */
  rmdir(path: string): void
}

export interface DiskStat {
  readonly kind: "file" | "folder" | "other"
  readonly size: number
  readonly mtimeMs: number
  /** Tells two files at one path apart, as long as one of them is open. */
  readonly inode: number
}

/** The whole file, or null when it is not there, also when it goes away between the look and the opening. */
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

/** `length` bytes from `from` on; fewer when the file ends before. */
export function readUpTo(disk: Disk, file: number, from: number, length: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(length)
  return bytes.subarray(0, fillFrom(disk, file, from, bytes))
}

/** Reads from `from` on until `bytes` is full or the file ends; gives how many were read. */
export function fillFrom(disk: Disk, file: number, from: number, bytes: Uint8Array): number {
  let filled = 0
  while (filled < bytes.length) {
    const count = disk.read(file, bytes.subarray(filled), from + filled)
    if (count === 0) break
    filled += count
  }
  return filled
}

/** A new file with these bytes, never seen half written: beside it first, then renamed. Its name is durable after `syncFolder`. */
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
    // On a full disk half of a file is in the way of everything else.
    unlinkQuietly(disk, beside)
    throw error
  }
}

/** What stays is overwritten, or passed over. */
export function unlinkQuietly(disk: Disk, path: string): void {
  try {
    disk.unlink(path)
  } catch {
    return
  }
}

/** Makes the content of a file durable, whoever wrote it. */
export function syncFile(disk: Disk, path: string): void {
  const file = disk.open(path, "read")
  try {
    disk.sync(file)
  } finally {
    disk.close(file)
  }
}

/** A second name of a file that nobody writes to any more, or a copy where there are no second names. */
export function linkOrCopy(disk: Disk, from: string, to: string): void {
  if (disk.link(from, to)) return
  const bytes = readWhole(disk, from)
  if (bytes !== null) writeAtomically(disk, to, bytes, { sync: true })
}

/** Removes a folder with all that is in it; nothing when it is not there. */
export function removeTree(disk: Disk, path: string): void {
  const kind = disk.stat(path)?.kind
  if (kind === undefined) return
  if (kind !== "folder") return disk.unlink(path)
  for (const name of disk.list(path)) removeTree(disk, `${path}/${name}`)
  disk.rmdir(path)
}

/** A folder that survives a power cut, together with every parent that had to be made for it. */
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
