import {
  close,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
} from "node:fs"
import { basename, dirname, join } from "node:path"
import { codeOf } from "../../result.ts"

/** An open folder. Operations on its names take effect in this folder, wherever its path leads by then. */
export interface OpenFolder {
  /** The path of a name in it, valid in this process until `close`. */
  at(name: string): string
  /**
   * Where supported, prevents the file of a name from being freed until the returned function is called, which does not
   * block.
   */
  keep(name: string): () => void
  /** Throws if the folder's path now leads elsewhere. Needed where a folder cannot be held open. */
  check(): void
  close(): void
}

/**
 * Opens a folder by the real path that was checked. A symbolic link created on the path since then is refused
 * (`ESTALE`); one created later has no effect.
 */
export function openFolder(real: string): OpenFolder {
  return canHold() ? heldBy(openReal(real)) : watched(real)
}

/** Creates the folder and its parents, and opens it. */
export function makeFolder(real: string): OpenFolder {
  try {
    return openFolder(real)
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || dirname(real) === real) throw error
  }
  const above = makeFolder(dirname(real))
  try {
    makeOne(above.at(basename(real)))
    above.check()
    return canHold() ? heldBy(openNext(above.at(basename(real)), real)) : watched(real)
  } finally {
    above.close()
  }
}

/** The error for a path that changed after it was checked. */
export function staleError(path: string): Error {
  return Object.assign(new Error(`ESTALE: ${path} is no longer what was judged`), { code: "ESTALE" })
}

const openFolders = "/proc/self/fd"
let holds: boolean | undefined

/** Linux with /proc: a path through an open folder is not resolved by name again. */
function canHold(): boolean {
  return (holds ??= process.platform === "linux" && existsSync(openFolders))
}

/** Linux: opens a location only, without the right to list it. */
const O_PATH = 0o10000000
const asFolder = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW

function openReal(real: string): number {
  const folder = openNext(real, real)
  if (readlinkSync(`${openFolders}/${folder}`) === real) return folder
  closeSync(folder)
  return openStepwise(real)
}

/**
 * On file systems that ignore case or normalize names, the opened path may be spelled differently. Then no step may be
 * a link.
 */
function openStepwise(real: string): number {
  let folder = openSync("/", asFolder)
  for (const name of real.split("/").filter((part) => part !== "")) {
    const above = folder
    try {
      folder = openNext(`${openFolders}/${above}/${name}`, real)
    } finally {
      closeSync(above)
    }
  }
  return folder
}

/** The last name is not followed: a link is not a folder. */
function openNext(path: string, real: string): number {
  try {
    return openSync(path, asFolder)
  } catch (error) {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
    throw isLink ? staleError(real) : error
  }
}

function heldBy(folder: number): OpenFolder {
  const at = (name: string) => `${openFolders}/${folder}/${name}`
  return {
    at,
    keep(name) {
      try {
        const file = openSync(at(name), O_PATH | constants.O_NOFOLLOW)
        return () => close(file, () => undefined)
      } catch {
        return () => undefined
      }
    },
    check: () => undefined,
    close: () => closeSync(folder),
  }
}

function watched(real: string): OpenFolder {
  const check = () => {
    if (realpathSync.native(real) !== real) throw staleError(real)
  }
  check()
  return { at: (name) => join(real, name), keep: () => () => undefined, check, close: () => undefined }
}

/** Node's recursive mkdir loops forever if the system refuses a name in an existing folder, as /proc does. */
function makeOne(path: string): void {
  try {
    mkdirSync(path)
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error
  }
}
