import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  readdirSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeSync,
  type Stats,
} from "node:fs"
import type { Disk, DiskStat } from "./disk.ts"
import { codeOf, parentOf } from "./disk.ts"

/** Files of a tape are no symbolic links, and opening one must not block as a pipe would. Windows has neither flag. */
const plain = constants.O_NOFOLLOW | constants.O_NONBLOCK

const flags = {
  read: constants.O_RDONLY | plain,
  append: constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | plain,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL,
}

/** The disk of this machine. Folders get mode 0700 and files 0600: sessions are private. */
export function nodeDisk(): Disk {
  return {
    inMemory: false,
    open: openFile,
    write: writeAll,
    truncate: (file, length) => ftruncateSync(file, length),
    read: (file, into, position) => readSync(file, into, 0, into.length, position),
    sync: (file) => fdatasyncSync(file),
    // After the rest of this turn of the event loop, which usually sends a request.
    beginSync: (file, failed) => void setImmediate(() => fdatasync(file, (error) => error && failed(error))),
    syncInPool: (target) => (typeof target === "number" ? dataSynced(target) : pathSynced(target)),
    fstat: (file) => ofStats(fstatSync(file)),
    close: (file) => closeSync(file),
    stat(path) {
      const stats = statSync(path, { throwIfNoEntry: false })
      return stats === undefined ? null : ofStats(stats)
    },
    list,
    mkdir,
    syncFolder,
    rename: (from, to) => renameSync(from, to),
    unlink: (path) => unlinkSync(path),
    link,
    rmdir: (path) => rmdirSync(path),
  }
}

/** A session folder may be foreign: reading a device in it would not end, and a link would lead to another file. */
function openFile(path: string, mode: keyof typeof flags): number {
  const file = openSync(path, flags[mode], 0o600)
  if (fstatSync(file).isFile()) return file
  closeSync(file)
  throw Object.assign(new Error(`${path} is no file`), { code: "EFTYPE" })
}

function writeAll(file: number, bytes: Uint8Array, position?: number): void {
  let written = 0
  while (written < bytes.length) {
    const at = position === undefined ? null : position + written
    written += writeSync(file, bytes, written, bytes.length - written, at)
  }
}

function list(path: string): readonly string[] {
  try {
    return readdirSync(path)
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return []
    throw error
  }
}

/**
 * Not Node's recursive form: on a read-only file system it throws ENOENT, as if the parent were missing, and it loops forever
 * where the system refuses a name in an existing folder.
 */
function mkdir(path: string): string | null {
  try {
    return makeOne(path) ? path : null
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || parentOf(path) === path) throw error
    const first = mkdir(parentOf(path))
    const made = makeOne(path) ? path : null
    return first ?? made
  }
}

/** False when the folder exists already. */
function makeOne(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 })
    return true
  } catch (error) {
    if (codeOf(error) === "EEXIST" && statSync(path).isDirectory()) return false
    throw error
  }
}

const noSecondNames = new Set(["EXDEV", "EPERM", "ENOTSUP", "ENOSYS", "EMLINK"])

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (noSecondNames.has(codeOf(error))) return false
    throw error
  }
}

function dataSynced(file: number): Promise<void> {
  return new Promise((resolve, reject) => fdatasync(file, (error) => (error === null ? resolve() : reject(error))))
}

async function pathSynced(path: string): Promise<void> {
  // As in `syncFolder`.
  if (process.platform === "win32" && statSync(path).isDirectory()) return
  const file = openSync(path, constants.O_RDONLY)
  try {
    await new Promise<void>((resolve, reject) => fsync(file, (error) => (error === null ? resolve() : reject(error))))
  } finally {
    closeSync(file)
  }
}

function syncFolder(path: string): void {
  // Windows cannot open a folder; its file system makes names durable itself.
  if (process.platform === "win32") return
  const folder = openSync(path, constants.O_RDONLY)
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function ofStats(stats: Stats): DiskStat {
  const kind = stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other"
  return { kind, size: stats.size, mtimeMs: stats.mtimeMs, inode: stats.ino }
}
