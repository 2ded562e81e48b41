import { readFileSync, type Stats } from "node:fs"
import { join } from "../../../posix-path.ts"
import { entriesOrNull, lstatOf, stateOf } from "../disk.ts"
import { asideName, UNSURE_MS } from "./finder.ts"

/** The content of a file, as needed to restore it. */
export interface Content {
  /** Null if it is not a regular file. */
  readonly bytes: Uint8Array | null
  /** Permission bits. */
  readonly mode: number
  /** Number of hard links. */
  readonly links: number
}

export type Contents = ReadonlyMap<string, Content>

/** Larger contents are not kept for restoring. */
const FILES_MAX = 1000
const ALL_MAX_BYTES = 8 * 1024 * 1024

/**
 * Returns a reader of all files at a path, a file or a folder. Null if they are too many, too large, or cannot be
 * listed.
 */
export function createContents(): (place: string) => Contents | null {
  const known = new Map<string, { readonly state: string; readonly content: Content }>()
  const contentOf = (path: string, stat: Stats): Content => {
    const state = stateOf(path)
    const before = known.get(path)
    if (before?.state === state) return before.content
    const content = { bytes: stat.isFile() ? bytesOf(path) : null, mode: stat.mode & 0o777, links: stat.nlink }
    // Within the clock resolution of the disk it may have changed again.
    if (Date.now() - stat.ctimeMs > UNSURE_MS) known.set(path, { state, content })
    return content
  }
  return (place) => {
    const found = new Map<string, Content>()
    const left = [place]
    let size = 0
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      const stat = lstatOf(path)
      if (stat === null) continue
      if (stat.isDirectory()) {
        const entries = entriesOrNull(path)
        if (entries === null) return null
        for (const { name } of entries) if (!asideName.test(name)) left.push(join(path, name))
      } else if ((size += stat.size) <= ALL_MAX_BYTES) found.set(path, contentOf(path, stat))
      if (size > ALL_MAX_BYTES || found.size + left.length > FILES_MAX) return null
    }
    return found
  }
}

function bytesOf(path: string): Uint8Array | null {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}

/** Whether running both has the same effect. */
export function isSame(one: Content, other: Content): boolean {
  if (one.bytes === null || other.bytes === null || isProgram(one) !== isProgram(other)) return false
  return Buffer.compare(one.bytes, other.bytes) === 0
}

/** Whether the file is executable. */
export function isProgram({ mode }: Content): boolean {
  return (mode & 0o111) !== 0
}
