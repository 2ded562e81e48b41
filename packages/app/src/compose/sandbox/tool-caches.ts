import { utimesSync } from "node:fs"
import { basename } from "node:path"
import { privateFolder } from "@gong/config/private-folder"
import { sha256 } from "@gong/config/trust/folder-files"
import { toolCacheNames } from "./cache-names.ts"

/**
 * The cache folder of package managers in the sandbox. Each repository has its own, so that commands of one cannot affect those of
 * another. Null if it cannot be created.
 */
export function toolCaches(home: string, repository: string): string | null {
  const { path } = privateFolder(home, [...toolCacheNames, idOf(repository)], { make: true })
  if (path === null) return null
  try {
    const now = new Date()
    utimesSync(path, now, now)
  } catch {
    // Its age is then overestimated.
  }
  return path
}

/** Readable, and unique for each path. */
function idOf(repository: string): string {
  const name = basename(repository)
    .replaceAll(/[^\w.-]/g, "_")
    .slice(0, 40)
  return `${name}-${sha256(repository).slice(0, 16)}`
}

/** Removes old caches in the background of a session; the next session continues. Loads `node:fs/promises`. */
export function pruneInBackground(home: string, now: number): void {
  import("./prune-caches.ts").then(({ pruneCaches }) => pruneCaches(home, now)).catch(() => undefined)
}
