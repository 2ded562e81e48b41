import { readFileSync } from "node:fs"
import { join } from "../../../posix-path.ts"
import { lstatOf, namesIn, stateOf } from "../disk.ts"
import { type AskGit, wordsOf } from "../git/ask-git.ts"
import { gitFolderAt } from "./repositories.ts"

/** Of an index: a larger one is not read for each command. */
const INDEX_MAX_BYTES = 64 * 1024 * 1024
/** Repositories in a repository that are looked at. */
const NESTED_MAX = 1000

/** How the commit of another repository stands in an index: the mode 160000. */
const GITLINK = Buffer.from([0, 0, 0xe0, 0])

/** Paths of repositories that an index names, from the workspace. `git status` goes into them, by their own settings. */
export type NestedRepositories = (root: string, folder: string) => Promise<readonly string[]>

/** Asks git for them, and only when the index has changed and may name any. */
export function createNestedRepositories(ask: AskGit): NestedRepositories {
  const known = new Map<string, { readonly state: string; readonly paths: readonly string[] }>()
  return async (root, folder) => {
    const files = ["index", ...namesIn(folder).filter((name) => name.startsWith("sharedindex."))]
    const state = files.map((name) => stateOf(join(folder, name))).join(" ")
    const before = known.get(folder)
    if (before?.state === state) return before.paths
    const mayName = files.some((name) => mayHoldLinks(join(folder, name)))
    const entries = mayName ? wordsOf(await ask(root, ["ls-files", "--stage", "-z"])) : []
    const links = entries.filter((entry) => entry.startsWith("160000 ")).slice(0, NESTED_MAX)
    const paths = links.map((entry) => entry.slice(entry.indexOf("\t") + 1))
    known.set(folder, { state, paths })
    return paths
  }
}

function mayHoldLinks(index: string): boolean {
  const size = lstatOf(index)?.size ?? 0
  try {
    return size > INDEX_MAX_BYTES || readFileSync(index).includes(GITLINK)
  } catch {
    return false
  }
}

/** All that decides what git runs in a repository inside, as one text that changes with it. */
export function fingerprint(place: string): string {
  const folder = gitFolderAt(place) ?? place
  const names = ["config", "config.worktree", "commondir", "remotes", "branches", "hooks", "gitweb"]
  const hooks = namesIn(join(folder, "hooks")).map((name) => `hooks/${name}`)
  return [place, folder, ...[...names, ...hooks].map((name) => join(folder, name))].map(stateOf).join(" ")
}
