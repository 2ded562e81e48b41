import { phrase, type Text } from "@gong/spec"
import { accessSync, constants, readFileSync, realpathSync, statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { codeOf, ok, usage, type Outcome } from "./usage.ts"

export interface Workspace {
  /** Real path of where Gong works. */
  readonly cwd: string
  /** Real path of the git top level that contains `cwd`; `cwd` itself where there is none. */
  readonly folder: string
  readonly git: boolean
  /** Real path of what is one repository to the user: linked worktrees share the one that they were made from. */
  readonly repository: string
  /** Real paths that may be changed: the workspace first, then a worktree's common git folder, temp, and --add-dir. */
  readonly roots: readonly string[]
  /** Whole lines for the user. */
  readonly notes: readonly Text[]
}

export interface WorkspaceQuery {
  /** Where the process stands. */
  readonly from: string
  /** `--cwd`. */
  readonly cwd?: string
  readonly addDirs: readonly string[]
  /** The user's home folder. */
  readonly home: string
  readonly temp: string
}

/** Finds the workspace and the roots (interface part 5 B). A folder that was named and is not there is a usage error. */
export function findWorkspace(query: WorkspaceQuery): Outcome<Workspace> {
  const cwd = folderAt(query.from, query.cwd ?? ".")
  if (cwd === null) return usage(phrase`--cwd ${query.cwd ?? query.from}: there is no such folder.`)
  const closed = whyClosed(cwd)
  if (closed !== null)
    return usage(
      phrase`--cwd ${query.cwd ?? cwd}: this folder cannot be entered (${closed}). Fix its permissions or name another.`,
    )
  const added: string[] = []
  for (const name of query.addDirs) {
    const folder = folderAt(cwd, name)
    if (folder === null) return usage(phrase`--add-dir ${name}: there is no such folder.`)
    added.push(folder)
  }
  const top = gitTop(cwd)
  const home = real(query.home) ?? query.home
  // A repository of all one's files (dotfiles in $HOME) must not make all of them the workspace.
  const tooWide = top !== null && (top === home || top === dirname(top))
  const folder = top === null || tooWide ? cwd : top
  const notes = tooWide ? [phrase`gong: the git top level is ${top}; the workspace is only ${cwd}.`] : []
  const common = top === null || tooWide ? null : commonGitFolder(top)
  const roots = [folder, common, real(query.temp), ...added].filter((root) => root !== null)
  const repository = common === null ? folder : basename(common) === ".git" ? dirname(common) : common
  return ok({ cwd, folder, git: top !== null && !tooWide, repository, roots: [...new Set(roots)], notes })
}

function folderAt(from: string, name: string): string | null {
  const path = real(resolve(from, name))
  return path !== null && statSync(path).isDirectory() ? path : null
}

/** Nothing can be read in a folder that may not be entered. */
function whyClosed(folder: string): string | null {
  try {
    accessSync(folder, constants.X_OK)
    return null
  } catch (error) {
    return codeOf(error)
  }
}

function real(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

function gitTop(cwd: string): string | null {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (real(join(folder, ".git")) !== null) return folder
    if (folder === dirname(folder)) return null
  }
}

/**
 * The git folder that a linked worktree shares, null when `.git` is no link to one. Both must point at each other:
 * a repository that brings a forged `.git` file must not add a folder of the user's to the roots.
 */
function commonGitFolder(top: string): string | null {
  const link = join(top, ".git")
  const gitdir = /^gitdir: (.+)$/m.exec(read(link) ?? "")?.[1]
  const own = gitdir === undefined ? null : real(resolve(top, gitdir.trim()))
  if (own === null || basename(dirname(own)) !== "worktrees") return null
  const back = read(join(own, "gitdir"))?.trim()
  if (back === undefined || real(resolve(own, back)) !== real(link)) return null
  // Where it lies says which one is shared; what its own files claim about that does not count.
  return dirname(dirname(own))
}

/** Such a file is one short line. */
const maxLink = 8192

/** Never waits on a pipe or a device, which an unpacked folder can bring under any name. */
function read(path: string): string | null {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat?.isFile() && stat.size <= maxLink ? readFileSync(path, "utf8") : null
  } catch {
    return null
  }
}
