import {
  closeSync,
  fchmodSync,
  openSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs"
import { basename, dirname, join } from "../../../posix-path.ts"
import { codeOf } from "../../../result.ts"
import { type OpenFolder, openFolder } from "../../files/folder.ts"
import { isThere, lstatOf, grantOwnerRights } from "../disk.ts"

/** Number of names to try. */
const NAMES_MAX = 100

/** Characters kept of a long name: with four bytes each there is room for the suffix. */
const KEPT_CHARS = 50
/** Longest name to which the suffix can be added. */
const NAME_MAX_BYTES = 200

/** Renames a file or folder in its parent, so nothing is lost; null if that fails. */
export function moveAside(path: string): string | null {
  return inFolderOf(path, (folder, name) => {
    const other = freeName(folder, Buffer.byteLength(name) > NAME_MAX_BYTES ? shortened(name) : name)
    renameSync(folder.at(name), folder.at(other))
    return join(dirname(path), other)
  })
}

function freeName(folder: OpenFolder, name: string): string {
  for (let count = 1; count <= NAMES_MAX; count++) {
    const other = `${name}.sandbox${count === 1 ? "" : count}`
    if (!isThere(folder.at(other))) return other
  }
  // A command may have taken all names; this one is unpredictable.
  return `${name}.sandbox${process.getBuiltinModule("node:crypto").randomInt(2 ** 47)}`
}

function shortened(name: string): string {
  return [...name].slice(0, KEPT_CHARS).join("")
}

/** Removes a symbolic link; false if there is none. */
export function removeLink(path: string): boolean {
  const removed = inFolderOf(path, (folder, name) => {
    if (lstatOf(folder.at(name))?.isSymbolicLink() !== true) return null
    unlinkSync(folder.at(name))
    return true
  })
  return removed === true
}

/** The target of a symbolic link; null if it is no link. */
export function linkText(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}

/** Creates a symbolic link at a free path. */
export function putLink(path: string, to: string): void {
  inFolderOf(path, (folder, name) => symlinkSync(to, folder.at(name)))
}

/** Creates a file; replaces the existing one with `over`. False if that fails. */
export function putFile(path: string, bytes: Uint8Array, { mode, over }: { mode: number; over: boolean }): boolean {
  const made = inFolderOf(path, (folder, name) => {
    if (over) unlinkSync(folder.at(name))
    const file = openSync(folder.at(name), "wx", mode)
    try {
      writeFileSync(file, bytes)
      fchmodSync(file, mode)
    } finally {
      closeSync(file)
    }
    return true
  })
  return made === true
}

/** Works in the folder that was checked, whatever links were created since. */
function inFolderOf<T>(path: string, work: (folder: OpenFolder, name: string) => T | null | void): T | null {
  try {
    const folder = openFolder(dirname(path))
    try {
      return permitted(folder, () => work(folder, basename(path))) ?? null
    } finally {
      folder.close()
    }
  } catch {
    return null
  }
}

/** A command may have removed the user's permissions on the folder. */
function permitted<T>(folder: OpenFolder, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (codeOf(error) !== "EACCES") throw error
    grantOwnerRights(folder.at(""))
    return work()
  }
}
