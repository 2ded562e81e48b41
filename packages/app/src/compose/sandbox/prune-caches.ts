import { readdirSync, statSync } from "node:fs"
import { chmod, lstat, readdir, rename, rmdir, unlink } from "node:fs/promises"
import { join } from "node:path"
import { privateFolder } from "@gong/config/private-folder"
import { codeOf } from "@gong/config/usage"
import { runnableNames } from "@gong/config/trust/runnable"
import { toolCacheNames } from "./cache-names.ts"

// To be loaded by need: `node:fs/promises` takes 15 ms of a start.

/** What was not used for so long is removed, and the oldest where there are more than so many. */
const maxAgeMs = 30 * 24 * 3_600_000
const maxKept = 30
/** Entries removed at one start, in about a second; the next start removes more. */
const maxRemoved = 20_000

/** Prefix of a folder that is being removed. It is renamed first, so that a session which needs it meanwhile makes a new one. */
const going = ".old-"

/**
 * Removes what was not used for long of workspaces' caches, and of the scripts of their hooks. Ends when it is gone, or `most`
 * entries are. Several processes may be at it. Throws like Node.
 */
export async function pruneCaches(home: string, now: number, most = maxRemoved): Promise<void> {
  const budget = { left: most }
  for (const kind of [toolCacheNames, runnableNames]) {
    const { path } = privateFolder(home, kind, { make: false })
    if (path !== null) await pruneIn(path, now, budget)
  }
}

async function pruneIn(folder: string, now: number, budget: { left: number }): Promise<void> {
  const kept = readdirSync(folder).filter((name) => !name.startsWith(going))
  const aged = kept.map((name) => ({ name, at: usedAt(join(folder, name)) })).toSorted((a, b) => b.at - a.at)
  const old = aged.filter(({ at }, index) => now - at > maxAgeMs || index >= maxKept)
  for (const { name } of old)
    await unlessGone(rename(join(folder, name), join(folder, `${going}${now.toString(36)}-${name}`)))
  // One that resists keeps none of the others.
  for (const name of readdirSync(folder))
    if (name.startsWith(going)) await removeSome(join(folder, name), budget).catch(() => false)
}

function usedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity
}

/** A folder and all in it, or as much as the budget lets; links are removed and not followed. False: something is left. */
async function removeSome(folder: string, budget: { left: number }): Promise<boolean> {
  // Go makes the folders of its modules read-only.
  await unlessGone(chmod(folder, 0o700))
  for (const entry of (await unlessGone(readdir(folder, { withFileTypes: true }))) ?? []) {
    if (budget.left <= 0) return false
    budget.left -= 1
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) await unlessGone(unlink(path))
    else if (!(await removeSome(path, budget))) return false
  }
  await unlessGone(rmdir(folder))
  return true
}

/** Null: another process was quicker. */
async function unlessGone<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null
    throw error
  }
}

/** Entries that are looked at for a size. */
const maxMeasured = 100_000

export interface CacheSize {
  readonly workspaces: number
  readonly bytes: number
  /** There is more than was looked at. */
  readonly more: boolean
}

/** What package managers keep there for all workspaces, on the disk. */
export async function sizeOfToolCaches(home: string): Promise<CacheSize> {
  const folder = join(home, ...toolCacheNames)
  const size = { bytes: 0, left: maxMeasured }
  const add = async (path: string): Promise<void> => {
    for (const entry of await readdir(path, { withFileTypes: true })) {
      if (size.left <= 0) return
      size.left -= 1
      const inside = join(path, entry.name)
      if (entry.isDirectory()) await add(inside).catch(() => undefined)
      else size.bytes += (await lstat(inside)).blocks * 512
    }
  }
  const { path } = privateFolder(home, toolCacheNames, { make: false })
  if (path === null) return { workspaces: 0, bytes: 0, more: false }
  await add(folder).catch(() => undefined)
  const workspaces = readdirSync(folder).filter((name) => !name.startsWith(going)).length
  return { workspaces, bytes: size.bytes, more: size.left <= 0 }
}
