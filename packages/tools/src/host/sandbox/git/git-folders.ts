import type { Host } from "@gong/spec"
import { dirname, isInside, join } from "../../../posix-path.ts"
import { notStarted } from "../not-started.ts"

/** A folder in which git keeps what it knows of a repository. */
export interface GitFolder {
  readonly path: string
  /** Holds what all worktrees share: settings, hooks, objects. */
  readonly shared: boolean
  /** Holds what one worktree has of its own: HEAD, index. */
  readonly own: boolean
}

export interface GitFolders {
  readonly folders: readonly GitFolder[]
  /** The `.git` file of a worktree or submodule, which leads to its folder; null where there is none. */
  readonly line: string | null
}

/** Lines that lead to a git folder are short. */
const LINE_MAX_BYTES = 8192

/**
 * The folders that git uses when it is started in `root`, as git finds them (gitrepository-layout(5)). Rejects with
 * `ESANDBOX` where a symbolic link in a writable place leads there: a link cannot be mounted over, so it cannot be kept.
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

/** The folder itself, and the one that it shares with other worktrees. */
async function withShared(host: Host, path: string, places: readonly string[]): Promise<readonly GitFolder[]> {
  const own = await real(host, path, places)
  if (own === null) return []
  const to = await leadsTo(host, join(own, "commondir"), "")
  const shared = to === null ? own : await real(host, to, places)
  if (shared === own) return [{ path: own, shared: true, own: true }]
  const folder = { path: own, shared: false, own: true }
  // The main worktree has its own state in the shared folder.
  return shared === null ? [folder] : [folder, { path: shared, shared: true, own: true }]
}

async function real(host: Host, path: string, places: readonly string[]): Promise<string | null> {
  const found = await host.realpath(path).catch(() => null)
  if (found !== path && places.some((place) => isInside(place, path))) throw linked(path)
  return found
}

/** What a file of one line says, from the folder that it lies in; null where there is no such file. */
async function leadsTo(host: Host, path: string, begin: string): Promise<string | null> {
  const bytes = await host.readRange(path, 0, LINE_MAX_BYTES).catch(() => null)
  const text = bytes === null ? "" : Buffer.from(bytes).toString()
  if (bytes === null || !text.startsWith(begin)) return null
  // Git takes off line breaks at the end, and nothing else.
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
