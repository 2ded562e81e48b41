import type { Disk } from "../disk/disk.ts"
import { isArtifactName } from "./artifacts.ts"
import { artifactsFolder } from "../layout.ts"

/** The most bytes of command output files, over all sessions. */
const maxSpill = 2 * 1024 ** 3

/** Files that changed within this time may still grow. */
const freshMs = 3600 * 1000

/**
 * Removes the oldest output files of commands when all of them exceed 2 GB. Entries, and artifacts that entries name, are never
 * removed. Files that cannot be removed stay until the next call.
 */
export function trimSpill(disk: Disk, now: number, sessions: string, most = maxSpill): void {
  const files = spillFiles(disk, sessions)
  let total = files.reduce((sum, { size }) => sum + size, 0)
  for (const { path, size, mtimeMs } of files.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (total <= most || now - mtimeMs < freshMs) return
    if (removed(disk, path)) total -= size
  }
}

function spillFiles(disk: Disk, sessions: string) {
  return disk.list(sessions).flatMap((session) => {
    const folder = artifactsFolder(`${sessions}/${session}`)
    return disk.list(folder).flatMap((name) => {
      const path = `${folder}/${name}`
      const stat = isArtifactName(name) || !name.startsWith("gong-") ? null : disk.stat(path)
      return stat?.kind === "file" ? [{ path, size: stat.size, mtimeMs: stat.mtimeMs }] : []
    })
  })
}

function removed(disk: Disk, path: string): boolean {
  try {
    disk.unlink(path)
    return true
  } catch {
    return false
  }
}
