import { readFileSync } from "node:fs"
import { join } from "../../../posix-path.ts"
import { lstatOf, namesIn, stateOf } from "../disk.ts"
import { type AskGit, wordsOf } from "../git/ask-git.ts"
import { gitFolderAt } from "./repositories.ts"

/** A larger index is not read after each command. */
const INDEX_MAX_BYTES = 64 * 1024 * 1024
/** Maximum number of nested repositories. */
const NESTED_MAX = 1000

/** The mode 160000 of a gitlink, the entry for another repository in an index. */
const GITLINK = Buffer.from([0, 0, 0xe0, 0])

/**
 * Paths of nested repositories named by an index, relative to the workspace. `git status` enters them and applies their
 * settings.
 */
export type NestedRepositories = (root: string, folder: string) => Promise<readonly string[]>

/** Asks git only if the index has changed and may contain gitlinks. */
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

/** A fingerprint of everything that decides which programs git runs in a nested repository. */
export function fingerprint(place: string): string {
  const folder = gitFolderAt(place) ?? place
  const names = ["config", "config.worktree", "commondir", "remotes", "branches", "hooks", "gitweb"]
  const hooks = namesIn(join(folder, "hooks")).map((name) => `hooks/${name}`)
  return [place, folder, ...[...names, ...hooks].map((name) => join(folder, name))].map(stateOf).join(" ")
}
