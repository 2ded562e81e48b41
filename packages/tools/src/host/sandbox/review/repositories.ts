import { readFileSync } from "node:fs"
import { dirname, isInside, join } from "../../../posix-path.ts"
import { isThere, lstatOf, namesIn } from "../disk.ts"
import { type AskGit, wordsOf } from "../git/ask-git.ts"
import { createLinkScan } from "./links.ts"
import { unsafeSetting } from "./settings.ts"

/** Maximum depth of nested submodules. */
const DEPTH_MAX = 5
/** A `.git` file is short. */
const LINE_MAX_BYTES = 8192

/**
 * Why git, started where `place` is the `.git`, would run a program or look elsewhere, in a few words; null if it would
 * not. `root`: the folder into which a `.git` file may point.
 */
export async function whyUnsafe(place: string, root: string, ask: AskGit): Promise<string | null> {
  const folder = gitFolderAt(place)
  if (folder === null) return "it is no folder"
  // The target of a `.git` file may be the folder of a submodule.
  if (folder === place) return folderActs(folder, { root, ask, depth: 0 })
  return isInside(root, folder) && folder !== root ? folderActs(folder, { root, ask, depth: 1 }) : "the line in it"
}

/** The git folder at or behind a `.git`; null if there is none. */
export function gitFolderAt(place: string): string | null {
  const found = lstatOf(place)
  if (found?.isDirectory() === true) return place
  if (found?.isFile() !== true || found.size > LINE_MAX_BYTES) return null
  const [, to] = /^gitdir: (.+?)[\r\n]*$/s.exec(readFileSync(place, "utf8")) ?? []
  return to === undefined ? null : to.startsWith("/") ? join(to, ".") : join(dirname(place), to)
}

interface Way {
  readonly root: string
  readonly ask: AskGit
  /** Number of enclosing submodule folders. */
  readonly depth: number
}

async function folderActs(folder: string, way: Way): Promise<string | null> {
  const { root, ask, depth } = way
  const links = createLinkScan()(folder)
  if (links.size > 0) return "symbolic links"
  for (const name of ["commondir", "config.worktree", "gitweb"]) if (isThere(join(folder, name))) return name
  for (const name of ["remotes", "branches", "worktrees"]) if (namesIn(join(folder, name)).length > 0) return name
  const hook = namesIn(join(folder, "hooks")).find((name) => !name.endsWith(".sample"))
  if (hook !== undefined) return `hooks/${hook}`
  const answer = isThere(join(folder, "config")) ? await ask(folder, fileList(join(folder, "config"))) : ""
  if (answer === null) return "its settings"
  const settings = wordsOf(answer)
  // The settings of a submodule name its working tree.
  const isOwnFiles = (setting: string) => {
    const [, to] = /^core\.worktree\n(\.\.\/.+)$/.exec(setting) ?? []
    return depth > 0 && to !== undefined && isInside(root, join(folder, to))
  }
  const acting = unsafeSetting(settings.filter((setting) => !isOwnFiles(setting)))
  return acting ?? (await modulesAct(join(folder, "modules"), way))
}

/** The folders of submodules have their names, which may contain slashes. */
async function modulesAct(folder: string, { depth, ...way }: Way): Promise<string | null> {
  for (const name of namesIn(folder)) {
    if (depth > DEPTH_MAX) return "its submodules"
    const path = join(folder, name)
    const below = { ...way, depth: depth + 1 }
    const why = isThere(join(path, "HEAD")) ? await folderActs(path, below) : await modulesAct(path, below)
    if (why !== null) return why
  }
  return null
}

function fileList(path: string): readonly string[] {
  return ["config", "--file", path, "--no-includes", "--list", "-z"]
}
