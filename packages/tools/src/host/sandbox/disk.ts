import { type Dirent, lstatSync, readdirSync, type Stats } from "node:fs"

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
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
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
