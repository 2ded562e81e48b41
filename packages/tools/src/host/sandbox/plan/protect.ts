import { readlinkSync } from "node:fs"
import { dirname, isInside, join } from "../../../posix-path.ts"
import { isThere, lstatOf } from "../disk.ts"
import { mergeLayouts, type Layout, readOnly, writable } from "./mount.ts"

/** Symbolic links that are followed for one path. */
const LINKS_MAX = 20

/** What is mounted without a look at what is there. */
export interface BaseMounts {
  /** As they are on the disk. Outside of them all is read-only anyway. */
  readonly writable: readonly string[]
  /** What lies in them is not for commands to write, or is another folder. */
  readonly others: readonly string[]
}

/**
 * Keeps what a path leads to as it is. Each folder between a place and the path becomes a mount of its own: a folder could be moved away together with
 * what is mounted in it. What cannot be mounted over, a link on the way or what is not there, is watched.
 */
export function protect(path: string, places: BaseMounts, links = 0): Layout {
  const above = foldersAbove(path, places)
  if (above === null || places.others.includes(path) || links > LINKS_MAX) return mergeLayouts([])
  const link = [...above, path].find((one) => lstatOf(one)?.isSymbolicLink() === true)
  if (link !== undefined) {
    const to = join(targetOf(link), `.${path.slice(link.length)}`)
    return mergeLayouts([{ watched: [link] }, protect(to, places, links + 1)])
  }
  return isThere(path)
    ? mergeLayouts([{ mounts: [...above.map(writable), readOnly(path)] }])
    : mergeLayouts([{ watched: [path] }])
}

/** The folders between the innermost place and the path, outer ones first; null when it is no writable one. */
export function foldersAbove(path: string, places: BaseMounts): readonly string[] | null {
  const { others } = places
  const holding = [...places.writable, ...others].filter((one) => one !== path && isInside(one, path))
  const place = holding.toSorted((a, b) => b.length - a.length)[0]
  if (place === undefined || others.includes(place)) return null
  const folders: string[] = []
  for (let folder = dirname(path); folder !== place && folder !== "/"; folder = dirname(folder)) folders.unshift(folder)
  return folders
}

/** Where a symbolic link leads, one step, whether something is there or not. */
export function targetOf(link: string): string {
  const text = readlinkSync(link)
  return text.startsWith("/") ? join(text, ".") : join(dirname(link), text)
}
