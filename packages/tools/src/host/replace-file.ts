import { constants, type Stats } from "node:fs"
import * as fs from "node:fs/promises"
import { dirname, join } from "node:path"

let count = 0

/**
 * Puts `bytes` in the place of a file, whole or not at all: a temporary file beside it, synced, renamed over it.
 * The mode and a symbolic link stay; a file with several names, or one whose owner we could not keep, is written in place.
 */
export async function replaceFileLocally(path: string, bytes: Uint8Array): Promise<void> {
  const target = await followLink(path)
  const old = await fs.lstat(target).catch(nullIfMissing)
  if (old !== null && mustStay(old)) return writeInPlace(target, bytes)
  const temporary = join(dirname(target), `.gong-${process.pid}-${++count}.edit.tmp`)
  // O_EXCL: whatever stands at this name already, a planted link too, is never written through.
  const file = await fs.open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o666)
  try {
    try {
      await file.writeFile(bytes)
      if (old !== null) await keepLooks(file, old)
      await file.datasync()
    } finally {
      await file.close()
    }
    await fs.rename(temporary, target)
  } catch (error) {
    await fs.unlink(temporary).catch(() => {})
    throw error
  }
}

async function followLink(path: string): Promise<string> {
  return fs.realpath(path).catch((error: unknown) => {
    if (nullIfMissing(error) === null) return path
    throw error
  })
}

function mustStay(old: Stats): boolean {
  const us = process.geteuid?.()
  if (!old.isFile()) return false
  return old.nlink > 1 || (us !== undefined && us !== 0 && old.uid !== us)
}

async function keepLooks(file: fs.FileHandle, old: Stats): Promise<void> {
  if (process.geteuid?.() === 0) await file.chown(old.uid, old.gid)
  await file.chmod(old.mode & 0o7777)
}

async function writeInPlace(path: string, bytes: Uint8Array): Promise<void> {
  const file = await fs.open(path, constants.O_WRONLY | constants.O_NONBLOCK)
  try {
    await file.writeFile(bytes)
    await file.truncate(bytes.length)
    await file.datasync()
  } finally {
    await file.close()
  }
}

function nullIfMissing(error: unknown): null {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return null
  throw error
}
