import type { Host } from "@gong/spec"
import { join } from "../../../posix-path.ts"
import { entriesIn } from "../disk.ts"
import { type GitFolder, gitFolders } from "./git-folders.ts"
import type { NamedPaths } from "./git-settings.ts"
import { foldersAbove, protect, type BaseMounts, targetOf } from "../plan/protect.ts"
import { mergeLayouts, type Layout, type Placeholder, readOnly, writable } from "../plan/mount.ts"

/**
 * Names in a git folder that decide which programs git runs, now or later outside, or where it looks. The value is the
 * placeholder for a missing name: text of a file, null for a folder, undefined if a missing name is harmless.
 */
type Names = Readonly<Record<string, string | null | undefined>>

export const sharedNames: Names = {
  config: "",
  hooks: null,
  // Legacy folders with remote URLs, which decide whose hooks a push runs. They are unused today, so a file as
  // placeholder is sufficient.
  remotes: "",
  branches: "",
  // The git folders of other worktrees and of submodules.
  worktrees: null,
  modules: undefined,
}

export const ownNames: Names = {
  "config.worktree": "",
  // The folder itself, which is git's default. Without the placeholder a command could name any other.
  commondir: ".\n",
  // Exists only in the folder of a linked worktree. Commands may fetch submodules.
  gitdir: undefined,
  modules: undefined,
}

/**
 * Protects everything that decides which programs git runs and where it looks. Git replaces other files (`index`,
 * `HEAD`, ...) by renaming within the folder, which therefore stays writable. A link cannot be protected by a mount: if
 * one of the names is a link, the whole folder is read-only.
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
  const { path, shared } = folder
  if (!isWritable(path, places)) return mergeLayouts([])
  const above = foldersAbove(path, places)
  const names = Object.entries({ ...(shared ? sharedNames : {}), ...ownNames })
  const found = await Promise.all(
    names.map(async ([name, text]) => {
      const at = join(path, name)
      return { at, text, kind: (await host.stat(at, { link: true }))?.kind ?? null }
    }),
  )
  const links = found.filter(({ kind }) => kind === "symlink").map(({ at }) => at)
  const hooks = shared ? linksIn(join(path, "hooks")) : []
  // The links themselves are inside a read-only folder.
  const kept = [...links, ...hooks].map((link) => protect(targetOf(link), places))
  const around = (above ?? []).map(writable)
  if (links.length > 0) return mergeLayouts([{ mounts: [...around, readOnly(path)] }, ...kept])
  // Existing ones too, since they may be placeholders of another command.
  const made = found.flatMap(({ at, text }): readonly Placeholder[] => (text === undefined ? [] : [{ path: at, text }]))
  // A mount point cannot be renamed and replaced by another folder.
  return mergeLayouts([{ mounts: [...around, writable(path), ...found.map(({ at }) => readOnly(at))], made }, ...kept])
}

/** Outside the writable mounts commands cannot change anything. */
function isWritable(path: string, places: BaseMounts): boolean {
  return places.writable.includes(path) || foldersAbove(path, places) !== null
}

/** Hooks are often links to files of the working tree. */
function linksIn(folder: string): readonly string[] {
  return entriesIn(folder)
    .filter((entry) => entry.isSymbolicLink())
    .map(({ name }) => join(folder, name))
}
