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

/** A folder in which something is about to change: what is done by its names happens there and nowhere else. */
export interface OpenFolder {
  /** The path of a name in it, for this process and until `close`. */
  at(name: string): string
  /** Keeps the file of a name from being freed, where that can be, until what is returned is called; that waits for nothing. */
  keep(name: string): () => void
  /** Throws when the folder's path leads elsewhere by now; needed where a folder cannot be held open. */
  check(): void
  close(): void
}

/**
 * Holds a folder by its real path, as it was judged. A symbolic link that somebody put on the way since then is refused
 * (`ESTALE`), and one that comes later leads nobody astray.
 */
export function openFolder(real: string): OpenFolder {
  return canHold() ? heldBy(openReal(real)) : watched(real)
}

/** The folder, made with those above it. */
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

/** What `ESTALE` means here, for the system's message. */
export function staleError(path: string): Error {
  return Object.assign(new Error(`ESTALE: ${path} is no longer what was judged`), { code: "ESTALE" })
}

const openFolders = "/proc/self/fd"
let holds: boolean | undefined

/** Linux, with /proc: a path through an open folder does not look at the folder's names again. */
function canHold(): boolean {
  return (holds ??= process.platform === "linux" && existsSync(openFolders))
}

/** Linux: only a place in the tree, needs no right to list it. */
const O_PATH = 0o10000000
const asFolder = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW

function openReal(real: string): number {
  const folder = openNext(real, real)
  if (readlinkSync(`${openFolders}/${folder}`) === real) return folder
  closeSync(folder)
  return openStepwise(real)
}

/** Where names have several spellings the path that was opened may be spelled differently: then no step may be a link. */
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

/** The last name is not followed: a link there is no folder. */
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

/** Not Node's own recursive form: that one tries for ever where the system refuses a name in a folder that is there, as /proc does. */
function makeOne(path: string): void {
  try {
    mkdirSync(path)
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error
  }
}
