import type { Dirent } from "node:fs"
import { join } from "../../../posix-path.ts"
import { entriesOrNull, lstatOf, grantOwnerRights } from "../disk.ts"

/** An existing auto-run file or folder. */
export interface AutorunFile {
  readonly root: string
  readonly path: string
  /** A symbolic link, or a folder that cannot be listed. */
  readonly isClosed: boolean
}

/** The name of a file that was moved away; nothing runs it. */
export const asideName = /\.sandbox\d*$/

/** A file read within this time after its last change may have changed again within the clock resolution. */
export const UNSURE_MS = 100

/** A tree of names: `.vscode/tasks.json` is an end below `.vscode`. */
interface Branch {
  isEnd: boolean
  readonly plain: Map<string, Branch>
  /** Names with a `*`. */
  readonly open: Map<string, { readonly form: RegExp; readonly branch: Branch }>
  /** Cached matches by folder. */
  readonly known: Map<string, { readonly state: string; readonly matches: readonly Match[] }>
}

type Match = readonly [entry: Dirent, branch: Branch]

export interface AutorunFinder {
  /**
   * Finds auto-run files in a root, ignoring case. Unchanged folders are not read again. Only folders on the way to a
   * name are searched.
   */
  in(root: string): readonly AutorunFile[]
  /** Whether a path relative to a root is an auto-run file or inside one. */
  names(path: string): boolean
}

export function createAutorunFinder(names: readonly string[]): AutorunFinder {
  const tree = treeOf(names)
  const look = (root: string, folder: string, branch: Branch): readonly AutorunFile[] => {
    const matches = matchesIn(folder, branch)
    if (matches === null) return [{ root, path: folder, isClosed: true }]
    return matches.flatMap(([entry, below]) => {
      const path = join(folder, entry.name)
      if (entry.isSymbolicLink()) return [{ root, path, isClosed: true }]
      if (below.isEnd) return [{ root, path, isClosed: false }]
      return entry.isDirectory() ? look(root, path, below) : []
    })
  }
  return {
    in(root) {
      // A command may have removed the user's permissions.
      if (matchesIn(root, tree) === null) grantOwnerRights(root)
      return matchesIn(root, tree) === null ? [] : look(root, root, tree)
    },
    names(path) {
      let at: Branch | undefined = tree
      for (const part of path.split("/")) {
        at = nextOf(at, part)
        if (at === undefined || at.isEnd) return at !== undefined
      }
      return false
    },
  }
}

/** Null if the folder cannot be listed. */
function matchesIn(folder: string, branch: Branch): readonly Match[] | null {
  const stat = lstatOf(folder)
  if (stat === null) return []
  const state = `${stat.ino}:${stat.ctimeMs}`
  const before = branch.known.get(folder)
  if (before?.state === state) return before.matches
  const entries = entriesOrNull(folder)
  if (entries === null) return null
  const matches = entries.flatMap((entry) => matchesOf(branch, entry))
  if (Date.now() - stat.ctimeMs > UNSURE_MS) branch.known.set(folder, { state, matches })
  else branch.known.delete(folder)
  return matches
}

function treeOf(names: readonly string[]): Branch {
  const top = newBranch()
  for (const name of names) {
    let at = top
    for (const part of name.split("/")) at = belowOf(at, part)
    at.isEnd = true
  }
  return top
}

function newBranch(): Branch {
  return { isEnd: false, plain: new Map(), open: new Map(), known: new Map() }
}

function belowOf({ plain, open }: Branch, part: string): Branch {
  const found = plain.get(part) ?? open.get(part)?.branch
  if (found !== undefined) return found
  const branch = newBranch()
  if (part.includes("*")) open.set(part, { form: formOf(part), branch })
  else plain.set(part, branch)
  return branch
}

function formOf(part: string): RegExp {
  const pieces = part.split("*").map((piece) => piece.replaceAll(/[\\^$.|?+()[\]{}]/g, "\\$&"))
  return new RegExp(`^${pieces.join(".*")}$`, "s")
}

function matchesOf(branch: Branch, entry: Dirent): readonly Match[] {
  const next = asideName.test(entry.name) ? undefined : nextOf(branch, entry.name)
  return next === undefined ? [] : [[entry, next]]
}

function nextOf({ plain, open }: Branch, part: string): Branch | undefined {
  const name = part.toLowerCase()
  return plain.get(name) ?? [...open.values()].find(({ form }) => form.test(name))?.branch
}
