import { phrase, type Text } from "@gong/spec"
import type { Host } from "@gong/spec"
import { basename, dirname, join, resolve } from "node:path"
import { codeOf, ok, usage, type Outcome } from "./usage.ts"

export interface Workspace {
  /** The id of its host; all paths are on that host. */
  readonly host: string
  /** Real path of the working directory. */
  readonly cwd: string
  /** Real path of the git top level that contains `cwd`; `cwd` itself without one. */
  readonly folder: string
  readonly git: boolean
  /** Real path of the repository; linked worktrees share that of their main worktree. */
  readonly repository: string
  /** Real paths of writable folders: the workspace first, then a worktree's common git folder, temp, and --add-dir. */
  readonly roots: readonly string[]
  /** Complete lines for the user. */
  readonly notes: readonly Text[]
}

export interface WorkspaceQuery {
  /** The process's working directory. */
  readonly from: string
  /** `--cwd`. */
  readonly cwd?: string
  readonly addDirs: readonly string[]
}

/** Host access. */
type Where = Pick<Host, "id" | "home" | "tmp" | "look" | "readFiles" | "access">

/** Finds the workspace and the roots (interface part 5 B). A missing named folder is a usage error. */
export async function findWorkspace(host: Where, query: WorkspaceQuery): Promise<Outcome<Workspace>> {
  const cwd = await folderAt(host, query.from, query.cwd ?? ".")
  if (cwd === null) return usage(phrase`--cwd ${query.cwd ?? query.from}: no such folder.`)
  const denied = await accessError(host, cwd)
  if (denied !== null)
    return usage(
      phrase`--cwd ${query.cwd ?? cwd}: this folder is not accessible (${denied}). Fix its permissions or choose another one.`,
    )
  const added: string[] = []
  for (const name of query.addDirs) {
    const folder = await folderAt(host, cwd, name)
    if (folder === null) return usage(phrase`--add-dir ${name}: no such folder.`)
    added.push(folder)
  }
  const [home = host.home, temp = null] = await realPaths(host, [host.home, host.tmp])
  const top = await gitTop(host, cwd)
  // A repository of the whole home (dotfiles in $HOME) must not make it the workspace.
  const tooWide = top !== null && (top.folder === home || top.folder === dirname(top.folder))
  const git = tooWide ? null : top
  const folder = git?.folder ?? cwd
  const notes = tooWide
    ? [phrase`gong: the git repository is ${top.folder}, which is too wide; the workspace is ${cwd}.`]
    : []
  const common = git === null ? null : await commonGitFolder(host, git)
  const roots = [folder, common, temp, ...added].filter((root) => root !== null)
  const repository = common === null ? folder : basename(common) === ".git" ? dirname(common) : common
  return ok({ host: host.id, cwd, folder, git: git !== null, repository, roots: [...new Set(roots)], notes })
}

async function folderAt(host: Where, from: string, name: string): Promise<string | null> {
  const [looked] = await host.look([resolve(from, name)])
  return looked?.ok === true && looked.value.stat.kind === "directory" ? looked.value.real : null
}

/** A folder without search permission cannot be read. */
async function accessError(host: Where, folder: string): Promise<string | null> {
  try {
    await host.access(folder, "enter")
    return null
  } catch (error) {
    return codeOf(error)
  }
}

/** Undefined if missing. */
async function realPaths(host: Where, paths: readonly string[]): Promise<readonly (string | undefined)[]> {
  return (await host.look(paths)).map((looked) => (looked.ok ? looked.value.real : undefined))
}

interface GitTop {
  readonly folder: string
  /** `.git` is a file: a linked worktree or a submodule. */
  readonly linked: boolean
}

async function gitTop(host: Where, cwd: string): Promise<GitTop | null> {
  const folders = [cwd]
  for (let folder = cwd; folder !== dirname(folder); folder = dirname(folder)) folders.push(dirname(folder))
  const looked = await host.look(folders.map((folder) => join(folder, ".git")))
  const at = looked.findIndex(({ ok: exists }) => exists)
  const [folder, found] = [folders[at], looked[at]]
  return folder === undefined || found?.ok !== true ? null : { folder, linked: found.value.stat.kind === "file" }
}

/**
 * The git folder that a linked worktree shares, null if `.git` is not a link to one. Both must refer to each other, so that a
 * forged `.git` file of a repository cannot add a folder of the user to the roots.
 */
async function commonGitFolder(host: Where, { folder, linked }: GitTop): Promise<string | null> {
  if (!linked) return null
  const link = join(folder, ".git")
  const gitdir = /^gitdir: (.+)$/m.exec((await read(host, link)) ?? "")?.[1]
  if (gitdir === undefined) return null
  const [own] = await realPaths(host, [resolve(folder, gitdir.trim())])
  if (own === undefined || basename(dirname(own)) !== "worktrees") return null
  const back = (await read(host, join(own, "gitdir")))?.trim()
  if (back === undefined) return null
  const [there, here] = await realPaths(host, [resolve(own, back), link])
  if (there === undefined || there !== here) return null
  // Its location decides which one is shared, not the content of its files.
  return dirname(dirname(own))
}

/** Maximum bytes of such a file, which is one short line. */
const maxLink = 8192

/** Never blocks on a FIFO or a device, which an unpacked folder can contain under any name. */
async function read(host: Where, path: string): Promise<string | null> {
  const [found] = await host.readFiles([path], { maxBytes: maxLink })
  if (found?.ok !== true || found.value.stat.size > maxLink) return null
  return new TextDecoder().decode(found.value.bytes)
}
