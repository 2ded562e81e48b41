import * as fs from "node:fs"
import type { Disk, DiskStat } from "./disk.ts"
import { codeOf } from "./disk.ts"

const flags = {
  read: fs.constants.O_RDONLY,
  append: fs.constants.O_RDWR | fs.constants.O_APPEND | fs.constants.O_CREAT,
  create: fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_EXCL,
}

/** This machine's disk. Folders are made 0700 and files 0600: a session is nobody else's business. */
export function nodeDisk(): Disk {
  return {
    inMemory: false,
    open: (path, mode) => fs.openSync(path, flags[mode], 0o600),
    write: writeAll,
    read: (file, into, position) => fs.readSync(file, into, 0, into.length, position),
    sync: (file) => fs.fdatasyncSync(file),
    beginSync: (file, failed) => fs.fdatasync(file, (error) => error && failed(error)),
    fstat: (file) => ofStats(fs.fstatSync(file)),
    close: (file) => fs.closeSync(file),
    stat(path) {
      const stats = fs.statSync(path, { throwIfNoEntry: false })
      return stats === undefined ? null : ofStats(stats)
    },
    list,
    mkdir: (path) => fs.mkdirSync(path, { recursive: true, mode: 0o700 }) ?? null,
    syncFolder,
    rename: (from, to) => fs.renameSync(from, to),
    unlink: (path) => fs.unlinkSync(path),
    link,
    rmdir: (path) => fs.rmdirSync(path),
  }
}

function writeAll(file: number, bytes: Uint8Array, position?: number): void {
  let written = 0
  while (written < bytes.length) {
    const at = position === undefined ? null : position + written
    written += fs.writeSync(file, bytes, written, bytes.length - written, at)
  }
}

function list(path: string): readonly string[] {
  try {
    return fs.readdirSync(path)
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return []
    throw error
  }
}

const noSecondNames = new Set(["EXDEV", "EPERM", "ENOTSUP", "ENOSYS", "EMLINK"])

function link(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to)
    return true
  } catch (error) {
    if (noSecondNames.has(codeOf(error))) return false
    throw error
  }
}

function syncFolder(path: string): void {
  // Windows cannot open a folder; its file system keeps names in order by itself.
  if (process.platform === "win32") return
  const folder = fs.openSync(path, fs.constants.O_RDONLY)
  try {
    fs.fsyncSync(folder)
  } finally {
    fs.closeSync(folder)
  }
}

function ofStats(stats: fs.Stats): DiskStat {
  const kind = stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other"
  return { kind, size: stats.size, mtimeMs: stats.mtimeMs, inode: stats.ino }
}
