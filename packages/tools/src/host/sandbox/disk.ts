import { chmodSync, type Dirent, lstatSync, readdirSync, statSync, type Stats } from "node:fs"

/** Looks that fail for no reason: what cannot be looked at is as good as missing. */

export function lstatOf(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

export function isThere(path: string): boolean {
  return lstatOf(path) !== null
}

export function entriesIn(folder: string): readonly Dirent[] {
  return entriesOrNull(folder) ?? []
}

/** Null where it cannot be listed. */
export function entriesOrNull(folder: string): readonly Dirent[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return null
  }
}

/** Gives the user all rights on a folder of his own. */
export function grantOwnerRights(folder: string): void {
  try {
    chmodSync(folder, (statSync(folder).mode & 0o7777) | 0o700)
  } catch {
    // Then it is not to be looked into.
  }
}

export function namesIn(folder: string): readonly string[] {
  return entriesIn(folder).map(({ name }) => name)
}

/** A text that differs when content, name or mode changed. */
export function stateOf(path: string): string {
  const found = lstatOf(path)
  return found === null ? "-" : `${found.ino}:${found.size}:${found.ctimeMs}`
}
