import { readlinkSync } from "node:fs"
import { dirname, isInside, join } from "../../../posix-path.ts"
import { isThere, lstatOf } from "../disk.ts"
import { mergeLayouts, type Layout, readOnly, writable } from "./mount.ts"

/** Maximum number of symbolic links followed for one path. */
const LINKS_MAX = 20

/** Mounts that do not depend on the content of the disk. */
export interface BaseMounts {
  /** Real paths. Everything outside them is read-only anyway. */
  readonly writable: readonly string[]
  /** Read-only paths, or paths where another folder is mounted. */
  readonly others: readonly string[]
}

/**
 * Makes a path read-only. Each folder between a mount and the path becomes a mount, because a folder could be renamed
 * together with the mounts inside it. Links on the path and missing paths cannot be mounted, so they are watched.
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

/** The folders between the innermost mount and the path, outer ones first; null if that mount is not writable. */
export function foldersAbove(path: string, places: BaseMounts): readonly string[] | null {
  const { others } = places
  const holding = [...places.writable, ...others].filter((one) => one !== path && isInside(one, path))
  const place = holding.toSorted((a, b) => b.length - a.length)[0]
  if (place === undefined || others.includes(place)) return null
  const folders: string[] = []
  for (let folder = dirname(path); folder !== place && folder !== "/"; folder = dirname(folder)) folders.unshift(folder)
  return folders
}

/** The target of a symbolic link, one step, whether it exists or not. */
export function targetOf(link: string): string {
  const text = readlinkSync(link)
  return text.startsWith("/") ? join(text, ".") : join(dirname(link), text)
}
