import { readFileSync, type Stats } from "node:fs"
import { join } from "../../../posix-path.ts"
import { entriesOrNull, lstatOf, stateOf } from "../disk.ts"
import { asideName, UNSURE_MS } from "./finder.ts"

/** A file as it can be put back. */
export interface Content {
  /** Null for what is no file: a link, a pipe. */
  readonly bytes: Uint8Array | null
  /** Of its permissions. */
  readonly mode: number
  /** How many names it has. */
  readonly links: number
}

export type Contents = ReadonlyMap<string, Content>

/** What is larger, or more in one place, is not kept to be put back. */
const FILES_MAX = 1000
const ALL_MAX_BYTES = 8 * 1024 * 1024

/** Gives what reads all files of a place, a file or a folder; null when they are too many or too large, or cannot be listed. */
export function createContents(): (place: string) => Contents | null {
  const known = new Map<string, { readonly state: string; readonly content: Content }>()
  const contentOf = (path: string, stat: Stats): Content => {
    const state = stateOf(path)
    const before = known.get(path)
    if (before?.state === state) return before.content
    const content = { bytes: stat.isFile() ? bytesOf(path) : null, mode: stat.mode & 0o777, links: stat.nlink }
    // At the same time by the clock of the disk it may have changed again since.
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

/** The same to whoever runs it. */
export function isSame(one: Content, other: Content): boolean {
  if (one.bytes === null || other.bytes === null || isProgram(one) !== isProgram(other)) return false
  return Buffer.compare(one.bytes, other.bytes) === 0
}

/** Whether the system would start it. */
export function isProgram({ mode }: Content): boolean {
  return (mode & 0o111) !== 0
}
