import { utimesSync } from "node:fs"
import { basename } from "node:path"
import { privateFolder } from "@gong/config/private-folder"
import { sha256 } from "@gong/config/trust/folder-files"
import { toolCacheNames } from "./cache-names.ts"

/**
 * The folder for what package managers keep while they run in the sandbox, one for each repository: what a command of one
 * puts there never reaches the commands of another. Null where none can be kept.
 */
export function toolCaches(home: string, repository: string): string | null {
  const { path } = privateFolder(home, [...toolCacheNames, idOf(repository)], { make: true })
  if (path === null) return null
  try {
    const now = new Date()
    utimesSync(path, now, now)
  } catch {
    // Then it counts as older than it is.
  }
  return path
}

/** To be read by people, and different for each path. */
function idOf(repository: string): string {
  const name = basename(repository)
    .replaceAll(/[^\w.-]/g, "_")
    .slice(0, 40)
  return `${name}-${sha256(repository).slice(0, 16)}`
}

/** Removes old caches beside the session; what is left when it ends is the next one's. Loads `node:fs/promises`. */
export function pruneInBackground(home: string, now: number): void {
  import("./prune-caches.ts").then(({ pruneCaches }) => pruneCaches(home, now)).catch(() => undefined)
}
