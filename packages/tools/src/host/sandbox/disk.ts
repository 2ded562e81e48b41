import { chmodSync, type Dirent, lstatSync, readdirSync, statSync, type Stats } from "node:fs"

/** Reads that never throw: what cannot be read counts as missing. */

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

/** Null if it cannot be listed. */
export function entriesOrNull(folder: string): readonly Dirent[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return null
  }
}

/** Grants the owner all permissions on a folder. */
export function grantOwnerRights(folder: string): void {
  try {
    chmodSync(folder, (statSync(folder).mode & 0o7777) | 0o700)
  } catch {
    // It stays unreadable.
  }
}

export function namesIn(folder: string): readonly string[] {
  return entriesIn(folder).map(({ name }) => name)
}

/** A fingerprint that changes with content, name or mode. */
export function stateOf(path: string): string {
  const found = lstatOf(path)
  return found === null ? "-" : `${found.ino}:${found.size}:${found.ctimeMs}`
}
