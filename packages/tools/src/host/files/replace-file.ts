import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
  type Stats,
} from "node:fs"
import { basename, dirname } from "node:path"
import type { FileContent, HostStat, ReplaceOptions } from "@gong/spec"
import { joined, partsOf } from "../../files/content.ts"
import { staleError, openFolder, type OpenFolder } from "./folder.ts"
import { hostStat, isSame } from "./stat.ts"

let count = 0

/** Up to this size a blocking sync is faster than the thread pool. */
const BLOCKING_MAX_BYTES = 1024 * 1024

/**
 * Replaces a file atomically: a temporary file beside it is synced and renamed over it. Everything happens in the
 * folder opened first, so links created meanwhile have no effect. The mode is kept. A file with hard links, or whose
 * owner cannot be kept, is written in place.
 */
export async function replaceFileLocally(
  path: string,
  content: FileContent,
  options: ReplaceOptions = {},
): Promise<void> {
  const folder = openFolder(dirname(path))
  try {
    const target = { path, folder, at: folder.at(basename(path)), expect: options.expect }
    const old = lookAt(target)
    if (old !== null && mustStay(old)) await writeInPlace(target, joined(content), old, options)
    else await writeBeside(target, partsOf(content), old, options)
  } finally {
    folder.close()
  }
}

interface Target {
  /** For error messages. */
  readonly path: string
  readonly folder: OpenFolder
  readonly at: string
  readonly expect: HostStat | null | undefined
}

/** The stat of the target. Throws if it is a link or differs from the expected one. */
function lookAt({ path, at, expect }: Target): Stats | null {
  const found = lstatSync(at, { throwIfNoEntry: false }) ?? null
  if (found?.isSymbolicLink() || (expect !== undefined && !isSame(expect, found && hostStat(found))))
    throw staleError(path)
  return found
}

async function writeBeside(
  target: Target,
  parts: readonly Uint8Array[],
  old: Stats | null,
  { announce }: ReplaceOptions,
): Promise<void> {
  const { folder } = target
  const temporary = folder.at(`.gong-${process.pid}-${++count}.edit.tmp`)
  // O_EXCL: an existing file or a planted link is never written through.
  const { O_WRONLY, O_CREAT, O_EXCL } = constants
  const file = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL, 0o666)
  try {
    try {
      const length = writeParts(file, parts)
      if (old !== null) keepLooks(file, old)
      if (announce === undefined) await syncData(file, length)
      else await bothEnd(syncBehind(file), announce())
    } finally {
      closeSync(file)
    }
    folder.check()
    if (announce !== undefined) lookAt(target)
    // The rename does not wait for the old file's blocks to be freed (docs/decisions/freed-behind-the-rename.md).
    const free = old === null ? null : folder.keep(basename(target.path))
    try {
      renameSync(temporary, target.at)
    } finally {
      free?.()
    }
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Waits for both even if one fails: a file must not be closed during its sync. */
async function bothEnd(...works: readonly Promise<void>[]): Promise<void> {
  for (const ended of await Promise.allSettled(works)) if (ended.status === "rejected") throw ended.reason
}

/** Writes consecutive parts and returns their total size. */
function writeParts(file: number, parts: readonly Uint8Array[]): number {
  let length = 0
  for (const part of parts) {
    writeAt(file, part, null)
    length += part.length
  }
  return length
}

function mustStay(old: Stats): boolean {
  const us = process.geteuid?.()
  if (!old.isFile()) return false
  return old.nlink > 1 || (us !== undefined && us !== 0 && old.uid !== us)
}

function keepLooks(file: number, old: Stats): void {
  if (process.geteuid?.() === 0) fchownSync(file, old.uid, old.gid)
  fchmodSync(file, old.mode & 0o7777)
}

async function writeInPlace(
  { path, folder, at }: Target,
  bytes: Uint8Array,
  old: Stats,
  { announce }: ReplaceOptions,
): Promise<void> {
  const { O_WRONLY, O_NONBLOCK, O_NOFOLLOW } = constants
  await announce?.()
  const file = openSync(at, O_WRONLY | O_NONBLOCK | O_NOFOLLOW)
  try {
    folder.check()
    if (!isSame(hostStat(old), hostStat(fstatSync(file)))) throw staleError(path)
    growFirst(file, bytes, old.size)
    writeAt(file, bytes.subarray(0, old.size), 0)
    ftruncateSync(file, bytes.length)
    await syncData(file, bytes.length)
  } finally {
    closeSync(file)
  }
}

/** Allocates new space before anything is overwritten, so a full disk leaves the old file intact. */
function growFirst(file: number, bytes: Uint8Array, size: number): void {
  try {
    writeAt(file, bytes.subarray(size), size)
  } catch (error) {
    ftruncateSync(file, size)
    throw error
  }
}

/** Writes at an offset, or after the last write. */
function writeAt(file: number, bytes: Uint8Array, at: number | null): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(file, bytes, done, bytes.length - done, at === null ? null : at + done)
}

/** Resolves when the data is on the disk. A large file is synced in the thread pool. */
function syncData(file: number, length: number): Promise<void> {
  if (length > BLOCKING_MAX_BYTES) return syncBehind(file)
  fdatasyncSync(file)
  return Promise.resolve()
}

function syncBehind(file: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(file, (error) => (error ? reject(error) : resolve()))
  })
}
