import type { Host } from "@gong/spec"
import { dirname, isInside, join } from "../../../posix-path.ts"
import { notStarted } from "../not-started.ts"

/** A folder with the data of a worktree: HEAD, index. The main worktree stores its own in the shared folder. */
export interface GitFolder {
  readonly path: string
  /** Also holds the data shared by all worktrees: settings, hooks, objects. */
  readonly shared: boolean
}

export interface GitFolders {
  readonly folders: readonly GitFolder[]
  /** The `.git` file of a worktree or submodule, which points to its folder; null without one. */
  readonly line: string | null
}

/** A `.git` file is short. */
const LINE_MAX_BYTES = 8192

/**
 * The folders that git uses when started in `root`, found as git does (gitrepository-layout(5)). Rejects with
 * `ESANDBOX` if the path contains a symbolic link in a writable folder, because a link cannot be protected by a mount.
 */
export async function gitFolders(host: Host, root: string, places: readonly string[]): Promise<GitFolders> {
  const place = join(root, ".git")
  const found = await host.stat(place, { link: true })
  if (found?.kind === "symlink") throw linked(place)
  if (found?.kind === "directory") return { folders: await withShared(host, place, places), line: null }
  if (found?.kind === "file") {
    const to = await leadsTo(host, place, "gitdir: ")
    return { folders: to === null ? [] : await withShared(host, to, places), line: place }
  }
  return { folders: (await isGitFolder(host, root)) ? await withShared(host, root, places) : [], line: null }
}

/** The folder itself, and the one shared with other worktrees. */
async function withShared(host: Host, path: string, places: readonly string[]): Promise<readonly GitFolder[]> {
  const own = await real(host, path, places)
  if (own === null) return []
  const to = await leadsTo(host, join(own, "commondir"), "")
  const shared = to === null ? own : await real(host, to, places)
  if (shared === own) return [{ path: own, shared: true }]
  const folder = { path: own, shared: false }
  return shared === null ? [folder] : [folder, { path: shared, shared: true }]
}

async function real(host: Host, path: string, places: readonly string[]): Promise<string | null> {
  const found = await host.realpath(path).catch(() => null)
  if (found !== path && places.some((place) => isInside(place, path))) throw linked(path)
  return found
}

/** The path in a one-line file, relative to its folder; null without such a file. */
async function leadsTo(host: Host, path: string, begin: string): Promise<string | null> {
  const bytes = await host.readRange(path, 0, LINE_MAX_BYTES).catch(() => null)
  const text = bytes === null ? "" : Buffer.from(bytes).toString()
  if (bytes === null || !text.startsWith(begin)) return null
  // Git removes trailing line breaks and nothing else.
  const to = text.slice(begin.length).replace(/[\r\n]+$/, "")
  return to.startsWith("/") ? join(to, ".") : join(dirname(path), to)
}

async function isGitFolder(host: Host, path: string): Promise<boolean> {
  for (const name of ["HEAD", "objects", "refs"]) if ((await host.stat(join(path, name))) === null) return false
  return true
}

function linked(path: string): Error {
  return notStarted(
    `${path} is, or lies behind, a symbolic link, which a command could replace to change what git runs`,
  )
}
