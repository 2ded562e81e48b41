import type { Stats } from "node:fs"
import type { HostDirent, HostStat } from "@gong/spec"

/** Converts a stat of Node to that of the port. */
export function hostStat(found: Stats): HostStat {
  return {
    kind: kindOf(found),
    size: found.size,
    mtimeMs: found.mtimeMs,
    ctimeMs: found.ctimeMs,
    mode: found.mode & 0o7777,
    links: found.nlink,
    id: `${found.dev}:${found.ino}`,
  }
}

export function hostDirent(entry: Kinds & { readonly name: string }): HostDirent {
  return { name: entry.name, kind: kindOf(entry) }
}

/** Whether the file is still the expected one, unchanged. */
export function isSame(expected: HostStat | null, now: HostStat | null): boolean {
  if (expected === null || now === null) return expected === now
  const { id, size, mtimeMs, links } = expected
  return now.id === id && now.size === size && now.mtimeMs === mtimeMs && now.links === links
}

interface Kinds {
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

function kindOf(found: Kinds): HostStat["kind"] {
  if (found.isFile()) return "file"
  if (found.isDirectory()) return "directory"
  return found.isSymbolicLink() ? "symlink" : "other"
}
