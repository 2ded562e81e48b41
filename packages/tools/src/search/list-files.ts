import type { Host } from "@gong/spec"
import { join } from "../posix-path.ts"
import { type RipgrepOptions, runRipgrep } from "./ripgrep.ts"
import { scopeFlags, type Scope } from "./scope.ts"

export interface Listing extends Scope {
  /** Most recently changed first; needs a stat of every file. */
  readonly newestFirst?: boolean
  /** Paths without this text may be skipped. */
  readonly holding?: string
  /** Called when the listing begins, after any wait for its turn; again if it begins anew without ripgrep. */
  onStart?(): void
  /** Called for each file, relative to the folder. `false` ends the listing. */
  onPath(path: string): boolean
}

export interface Listed {
  /** Some file is not ignored, whether it was reported or not. */
  readonly any: boolean
  /** What could not be read; empty if everything was. */
  readonly trouble: string
}

/** Lists files that are not ignored, with ripgrep or the walker. */
export async function listFiles(host: Host, options: RipgrepOptions, listing: Listing): Promise<Listed> {
  const ended = await runRipgrep(host, options, {
    args: ["--files", "--null", ...(listing.newestFirst ? ["--sortr=modified"] : []), ...scopeFlags(listing)],
    separator: "\0",
    holding: listing.holding ?? "",
    cwd: listing.folder,
    signal: listing.signal,
    clock: listing.clock,
    onLine: listing.onPath,
    onStart: () => listing.onStart?.(),
  })
  if (ended === null) {
    listing.onStart?.()
    return listByWalking(host, listing)
  }
  return { any: ended.code !== NO_FILES, trouble: ended.code === 2 ? troubleOf(ended.stderr) : "" }
}

/** Exit code of `rg --files` without any file. */
const NO_FILES = 1

/** The first line of ripgrep's stderr, without its program name. */
export function troubleOf(stderr: string): string {
  return (stderr.trim().split("\n", 1)[0] ?? "").replace(/^rg: /, "")
}

async function listByWalking(host: Host, listing: Listing): Promise<Listed> {
  const { walkFiles } = await import("../walk/walk.ts")
  const looked: { path: string; time: number }[] = []
  let any = false
  const trouble = await walkFiles(host, listing, async (path) => {
    any = true
    if (!listing.newestFirst) return listing.onPath(path)
    const found = await host.stat(join(listing.folder, path), { link: true }).catch(() => null)
    looked.push({ path, time: found?.mtimeMs ?? 0 })
    return true
  })
  looked.sort((a, b) => b.time - a.time)
  for (const { path } of looked) if (!listing.onPath(path)) break
  return { any, trouble }
}
