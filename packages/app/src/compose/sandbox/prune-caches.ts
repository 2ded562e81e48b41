import { readdirSync, statSync } from "node:fs"
import { chmod, lstat, readdir, rename, rmdir, unlink } from "node:fs/promises"
import { join } from "node:path"
import { privateFolder } from "@gong/config/private-folder"
import { codeOf } from "@gong/config/usage"
import { runnableNames } from "@gong/config/trust/runnable"
import { toolCacheNames } from "./cache-names.ts"

// Loaded on demand: `node:fs/promises` takes 15 ms of the start-up.

/** Folders that were not used for this time are removed, and the oldest ones beyond this number. */
const maxAgeMs = 30 * 24 * 3_600_000
const maxKept = 30
/** Entries that are removed at one start, in about a second. */
const maxRemoved = 20_000

/** Prefix of a folder that is being removed. It is renamed first, so that another session can create a new one meanwhile. */
const oldPrefix = ".old-"

/**
 * Removes unused caches of workspaces, and unused copies of their hook scripts; at most `limit` entries. Several processes may
 * run it at the same time. Throws like Node.
 */
export async function pruneCaches(home: string, now: number, limit = maxRemoved): Promise<void> {
  const budget = { left: limit }
  for (const kind of [toolCacheNames, runnableNames]) {
    const { path } = privateFolder(home, kind, { make: false })
    if (path !== null) await pruneIn(path, now, budget)
  }
}

async function pruneIn(folder: string, now: number, budget: { left: number }): Promise<void> {
  const kept = readdirSync(folder).filter((name) => !name.startsWith(oldPrefix))
  const aged = kept.map((name) => ({ name, at: usedAt(join(folder, name)) })).toSorted((a, b) => b.at - a.at)
  const old = aged.filter(({ at }, index) => now - at > maxAgeMs || index >= maxKept)
  for (const { name } of old)
    await unlessGone(rename(join(folder, name), join(folder, `${oldPrefix}${now.toString(36)}-${name}`)))
  // A folder that cannot be removed must not prevent the removal of the others.
  for (const name of readdirSync(folder))
    if (name.startsWith(oldPrefix)) await removeSome(join(folder, name), budget).catch(() => false)
}

function usedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity
}

/** Removes a folder as far as the budget allows, without following links. False: something is left. */
async function removeSome(folder: string, budget: { left: number }): Promise<boolean> {
  // Folders of Go modules are read-only.
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

/** Null: another process has removed it. */
async function unlessGone<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null
    throw error
  }
}

/** Entries that are counted for a size. */
const maxMeasured = 100_000

export interface CacheSize {
  readonly workspaces: number
  readonly bytes: number
  /** There are more entries than were counted. */
  readonly more: boolean
}

/** Disk usage of the caches of all workspaces. */
export async function sizeOfToolCaches(home: string): Promise<CacheSize> {
  const folder = join(home, ...toolCacheNames)
  const size = { bytes: 0, left: maxMeasured }
  const add = async (path: string): Promise<void> => {
    for (const entry of await readdir(path, { withFileTypes: true })) {
      if (size.left <= 0) return
      size.left -= 1
      const child = join(path, entry.name)
      if (entry.isDirectory()) await add(child).catch(() => undefined)
      else size.bytes += (await lstat(child)).blocks * 512
    }
  }
  const { path } = privateFolder(home, toolCacheNames, { make: false })
  if (path === null) return { workspaces: 0, bytes: 0, more: false }
  await add(folder).catch(() => undefined)
  const workspaces = readdirSync(folder).filter((name) => !name.startsWith(oldPrefix)).length
  return { workspaces, bytes: size.bytes, more: size.left <= 0 }
}
