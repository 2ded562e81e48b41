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

/** Names that are tried. */
const NAMES_MAX = 100

/** Letters of a name that are kept: with four bytes each there is room for more behind them. */
const KEPT_CHARS = 50
/** Bytes of a name that leave room for more. */
const NAME_MAX_BYTES = 200

/** Gives what is there another name in its folder; null when it could not be. Nothing is lost by it. */
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
  // A command may have taken them all; this one it cannot know.
  return `${name}.sandbox${process.getBuiltinModule("node:crypto").randomInt(2 ** 47)}`
}

function shortened(name: string): string {
  return [...name].slice(0, KEPT_CHARS).join("")
}

/** Takes a symbolic link away; false when there is none. */
export function removeLink(path: string): boolean {
  const removed = inFolderOf(path, (folder, name) => {
    if (lstatOf(folder.at(name))?.isSymbolicLink() !== true) return null
    unlinkSync(folder.at(name))
    return true
  })
  return removed === true
}

/** What a symbolic link says; null for what is none. */
export function linkText(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}

/** Makes a symbolic link where nothing is. */
export function putLink(path: string, to: string): void {
  inFolderOf(path, (folder, name) => symlinkSync(to, folder.at(name)))
}

/** Makes a file; in place of the one that is there with `over`. False where it cannot be done. */
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

/** No link that came since it was judged leads elsewhere. */
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

/** A command may have taken the user's rights on the folder away. */
function permitted<T>(folder: OpenFolder, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (codeOf(error) !== "EACCES") throw error
    grantOwnerRights(folder.at(""))
    return work()
  }
}
