import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from "node:fs"
import { basename, dirname } from "../../../posix-path.ts"
import { openFolder } from "../../files/folder.ts"
import { isThere } from "../disk.ts"
import { isLocked } from "./locks.ts"
import type { Placeholder } from "./mount.ts"

export interface AcquiredPlaceholders {
  /** Folders in which something is held. Each sandbox locks them, so that sandboxes of other processes know. */
  readonly folders: readonly string[]
  /** What is as it was made goes when nobody needs it. */
  release(): void
}

/** Of this process: what goes when nobody needs it, and how many commands do. */
const users = new Map<string, number>()

/** Times of change, in seconds since the epoch, by which every process knows a placeholder. What is put into it changes them. */
const OURS = 1_000_000_002
/** Another process than the one that made it needs it too, or that one has died. */
const SHARED = 1_000_000_004

/** Makes what is missing while commands run. What cannot be made here no command can make either. */
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
  else {
    const file = openSync(place, "wx")
    try {
      if (text !== "") writeSync(file, text)
    } finally {
      closeSync(file)
    }
  }
  utimesSync(place, OURS, OURS)
}

function releaseOne(one: Placeholder): void {
  const { path, text } = one
  const count = (users.get(path) ?? 1) - 1
  if (count > 0) return void users.set(path, count)
  users.delete(path)
  // Something may have been put there meanwhile, from outside: then it stays.
  const mark = marked(one)
  if (mark === null || (mark === SHARED && isLocked(dirname(path)))) return
  inFolder(one, (place) => (text === null ? rmdirSync(place) : unlinkSync(place)))
}

/** The mark of what is a placeholder and nothing else; null for all else. */
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

/** Works in the folder as it was judged: no link that came since leads elsewhere. False when it could not be done. */
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
