import type { Clock, Host, HostStat } from "@gong/spec"
import { listFiles } from "../search/list-files.ts"
import { type Place } from "../paths.ts"
import { join } from "../posix-path.ts"
import type { RipgrepOptions } from "../search/ripgrep.ts"
import { inRepository, secretPatterns } from "../search/scope.ts"

export interface ListingOptions extends RipgrepOptions {
  /** Real path of the workspace. */
  readonly folder: string
  readonly place: Place
  readonly clock: Clock
  readonly maxFiles: number
  /** Milliseconds. */
  readonly maxTime: number
}

export interface Listing {
  /** Regular files by full path. */
  readonly files: ReadonlyMap<string, HostStat>
  /** Why files may be missing; null if the list is complete. */
  readonly cut: string | null
}

/** Temporary file of an edit by this session, which may exist during a scan. */
const unfinished = ".gong-*.edit.tmp"

/** All files of the workspace that are not ignored, up to the limits of number and time. */
export async function listWorkspace(host: Host, options: ListingOptions): Promise<Listing> {
  const { folder, clock, maxFiles, maxTime } = options
  const stop = new AbortController()
  const late = `a look at it takes longer than ${maxTime} ms`
  let cut: string | null = null
  let cancel = (): void => undefined
  let until = Infinity
  const onStart = (): void => {
    cancel()
    until = clock.now() + maxTime
    cancel = clock.timer(maxTime, () => {
      cut ??= late
      stop.abort()
    })
  }
  const stats: Promise<readonly [string, HostStat | null]>[] = []
  const onPath = (path: string): boolean => {
    if (stats.length >= maxFiles) cut ??= `it has more than ${maxFiles.toLocaleString("en")} files`
    else if (clock.now() > until) cut ??= late
    if (cut !== null) return false
    // Started while names arrive, so the stats overlap the listing.
    stats.push(statOf(host, join(folder, path)))
    return true
  }
  try {
    const exclude = [".git", unfinished, ...(await secretPatterns(host, options.place, folder))]
    const repository = await inRepository(host, folder)
    const scope = { folder, exclude, everything: false, repository, clock, signal: stop.signal }
    const { trouble } = await listFiles(host, options, { ...scope, onStart, onPath })
    if (trouble !== "") cut ??= `not all of it can be read (${trouble})`
  } catch {
    cut ??= "it cannot be listed"
  } finally {
    cancel()
  }
  const files = new Map<string, HostStat>()
  for (const [path, found] of await Promise.all(stats)) if (found?.kind === "file") files.set(path, found)
  return { files, cut }
}

/** The lstat of a path; null if it is missing or cannot be read. */
export async function statOf(host: Host, path: string): Promise<readonly [string, HostStat | null]> {
  return [path, await host.stat(path, { link: true }).catch(() => null)]
}
