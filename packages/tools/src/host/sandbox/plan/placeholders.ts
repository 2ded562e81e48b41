import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { basename, dirname } from "../../../posix-path.ts"
import { openFolder } from "../../files/folder.ts"
import { isThere } from "../disk.ts"
import { isLocked } from "./locks.ts"
import type { Placeholder } from "./mount.ts"

export interface AcquiredPlaceholders {
  /** Folders that contain placeholders. Each sandbox locks them to inform sandboxes of other processes. */
  readonly folders: readonly string[]
  /** Removes unmodified placeholders that no other command uses. */
  release(): void
}

/** Number of commands per placeholder, in this process. */
const users = new Map<string, number>()

/**
 * Modification times, in seconds since the epoch, that mark a placeholder for all processes. Any write to it changes
 * them.
 */
const OURS = 1_000_000_002
/** Used by another process too, or by one that died. */
const SHARED = 1_000_000_004

/** Creates placeholders for missing paths. A path that cannot be created here cannot be created by a command either. */
export function acquirePlaceholders(placeholders: readonly Placeholder[]): AcquiredPlaceholders {
  const taken = placeholders.filter(acquire)
  return {
    folders: [...new Set(taken.map(({ path }) => dirname(path)))],
    release: () => taken.forEach(releaseOne),
  }
}

function acquire(one: Placeholder): boolean {
  const { path } = one
  const count = users.get(path) ?? 0
  if (count === 0 && !makeOrShare(one)) return false
  users.set(path, count + 1)
  return true
}

function makeOrShare(one: Placeholder): boolean {
  if (!isThere(one.path)) return inFolder(one, make)
  return marked(one) !== null && inFolder(one, (place) => utimesSync(place, SHARED, SHARED))
}

function make(place: string, { text }: Placeholder): void {
  if (text === null) mkdirSync(place)
  else writeFileSync(place, text, { flag: "wx" })
  utimesSync(place, OURS, OURS)
}

function releaseOne(one: Placeholder): void {
  const { path, text } = one
  const count = (users.get(path) ?? 1) - 1
  if (count > 0) return void users.set(path, count)
  users.delete(path)
  // A placeholder that was modified from outside stays.
  const mark = marked(one)
  if (mark === null || (mark === SHARED && isLocked(dirname(path)))) return
  inFolder(one, (place) => (text === null ? rmdirSync(place) : unlinkSync(place)))
}

/** The mark of an unmodified placeholder; null for anything else. */
function marked({ path, text }: Placeholder): number | null {
  try {
    const found = lstatSync(path)
    const mark = found.mtimeMs / 1000
    if (mark !== OURS && mark !== SHARED) return null
    if (text === null) return found.isDirectory() && readdirSync(path).length === 0 ? mark : null
    return found.isFile() && found.size === text.length && readFileSync(path, "utf8") === text ? mark : null
  } catch {
    return null
  }
}

/** Works in the folder that was checked, whatever links were created since. False if it fails. */
function inFolder(one: Placeholder, work: (place: string, one: Placeholder) => void): boolean {
  try {
    const folder = openFolder(dirname(one.path))
    try {
      work(folder.at(basename(one.path)), one)
      return true
    } finally {
      folder.close()
    }
  } catch {
    return false
  }
}
