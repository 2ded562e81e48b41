import type { Host } from "@gong/spec"
import { join } from "../../../posix-path.ts"
import { entriesIn } from "../disk.ts"
import { type GitFolder, gitFolders } from "./git-folders.ts"
import type { NamedPaths } from "./git-settings.ts"
import { foldersAbove, protect, type BaseMounts, targetOf } from "../plan/protect.ts"
import { mergeLayouts, type Layout, type Placeholder, readOnly, writable } from "../plan/mount.ts"

/**
 * Names in a git folder by which git, here and later outside, decides what it runs or where it looks, and what stands there
 * while commands run where nothing is: text of a file, null for a folder, undefined where nothing follows what is missing.
 */
type Names = Readonly<Record<string, string | null | undefined>>

export const sharedNames: Names = {
  config: "",
  hooks: null,
  // Both are folders that say where a remote lies, so whose hooks a push runs. Nobody makes them any more: a file is as good.
  remotes: "",
  branches: "",
  // The git folders of other worktrees and of submodules.
  worktrees: null,
  modules: undefined,
}

export const ownNames: Names = {
  "config.worktree": "",
  // The folder itself: what git takes where there is no such file. Without it a command could name any other.
  commondir: ".\n",
  // There only in the folder of a linked worktree; submodules are fetched by commands.
  gitdir: undefined,
  modules: undefined,
}

/**
 * What decides which programs git runs stays as it is, and so does where git finds it. Git replaces the rest (`index`, `HEAD`,
 * ...) by renaming within the folder, which therefore stays writable. A link cannot be mounted over: where one of the names
 * is one, the whole folder is read-only.
 */
export async function gitMounts(root: string, { host, places, namedPaths }: GitContext): Promise<Layout> {
  const { folders, line } = await gitFolders(host, root, places.writable)
  const parts = await Promise.all(folders.map((folder) => folderMounts(host, folder, places)))
  const named =
    folders.length === 0
      ? []
      : await namedPaths(
          root,
          folders.map(({ path }) => path),
        )
  const repository = {
    root,
    own: folders[0]?.path ?? null,
    folders: folders.map(({ path }) => path).filter((path) => isWritable(path, places)),
  }
  const kept = named.flatMap((path) => [path, ...linksIn(path)]).map((path) => protect(path, places))
  return mergeLayouts([
    { mounts: line === null ? [] : [readOnly(line)], repositories: [repository] },
    ...parts,
    ...kept,
  ])
}

export interface GitContext {
  readonly host: Host
  readonly places: BaseMounts
  readonly namedPaths: NamedPaths
}

async function folderMounts(host: Host, folder: GitFolder, places: BaseMounts): Promise<Layout> {
  const { path, shared, own } = folder
  if (!isWritable(path, places)) return mergeLayouts([])
  const above = foldersAbove(path, places)
  const names = Object.entries({ ...(shared ? sharedNames : {}), ...(own ? ownNames : {}) })
  const found = await Promise.all(
    names.map(async ([name, text]) => {
      const at = join(path, name)
      return { at, text, kind: (await host.stat(at, { link: true }))?.kind ?? null }
    }),
  )
  const links = found.filter(({ kind }) => kind === "symlink").map(({ at }) => at)
  const hooks = shared ? linksIn(join(path, "hooks")) : []
  // The links themselves lie in what is read-only.
  const kept = [...links, ...hooks].map((link) => protect(targetOf(link), places))
  const around = (above ?? []).map(writable)
  if (links.length > 0) return mergeLayouts([{ mounts: [...around, readOnly(path)] }, ...kept])
  // Also of what is there: it may be another command's placeholder.
  const made = found.flatMap(({ at, text }): readonly Placeholder[] => (text === undefined ? [] : [{ path: at, text }]))
  // A mount of its own cannot be moved away to put another folder in its stead.
  return mergeLayouts([{ mounts: [...around, writable(path), ...found.map(({ at }) => readOnly(at))], made }, ...kept])
}

/** What lies in no writable place nobody inside can change. */
function isWritable(path: string, places: BaseMounts): boolean {
  return places.writable.includes(path) || foldersAbove(path, places) !== null
}

/** Hooks are often links to files of the work. */
function linksIn(folder: string): readonly string[] {
  return entriesIn(folder)
    .filter((entry) => entry.isSymbolicLink())
    .map(({ name }) => join(folder, name))
}
