import * as fs from "node:fs"
import { dirname, join } from "node:path"

let count = 0

/** Bytes up to which waiting for the disk is shorter than the way through the thread pool. */
const BLOCKING_MAX_BYTES = 1024 * 1024

/**
 * Puts `bytes` in the place of a file, whole or not at all: a temporary file beside it, synced, renamed over it.
 * The mode and a symbolic link stay; a file with several names, or one whose owner we could not keep, is written in place.
 */
export async function replaceFileLocally(path: string, bytes: Uint8Array): Promise<void> {
  const target = followLink(path)
  const old = fs.lstatSync(target, { throwIfNoEntry: false }) ?? null
  if (old !== null && mustStay(old)) return writeInPlace(target, bytes)
  const temporary = join(dirname(target), `.gong-${process.pid}-${++count}.edit.tmp`)
  // O_EXCL: whatever stands at this name already, a planted link too, is never written through.
  const { O_WRONLY, O_CREAT, O_EXCL } = fs.constants
  const file = fs.openSync(temporary, O_WRONLY | O_CREAT | O_EXCL, 0o666)
  try {
    try {
      fs.writeFileSync(file, bytes)
      if (old !== null) keepLooks(file, old)
      await syncData(file, bytes.length)
    } finally {
      fs.closeSync(file)
    }
    fs.renameSync(temporary, target)
  } catch (error) {
    fs.rmSync(temporary, { force: true })
    throw error
  }
}

function followLink(path: string): string {
  try {
    return fs.realpathSync.native(path)
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return path
    throw error
  }
}

function mustStay(old: fs.Stats): boolean {
  const us = process.geteuid?.()
  if (!old.isFile()) return false
  return old.nlink > 1 || (us !== undefined && us !== 0 && old.uid !== us)
}

function keepLooks(file: number, old: fs.Stats): void {
  if (process.geteuid?.() === 0) fs.fchownSync(file, old.uid, old.gid)
  fs.fchmodSync(file, old.mode & 0o7777)
}

async function writeInPlace(path: string, bytes: Uint8Array): Promise<void> {
  const file = fs.openSync(path, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK)
  try {
    fs.writeFileSync(file, bytes)
    fs.ftruncateSync(file, bytes.length)
    await syncData(file, bytes.length)
  } finally {
    fs.closeSync(file)
  }
}

/** On the disk when it resolves. A big file may take the disk a while, and nothing else should wait for it. */
function syncData(file: number, length: number): Promise<void> {
  if (length <= BLOCKING_MAX_BYTES) {
    fs.fdatasyncSync(file)
    return Promise.resolve()
  }
  return new Promise((resolve, reject) => {
    fs.fdatasync(file, (error) => (error ? reject(error) : resolve()))
  })
}
