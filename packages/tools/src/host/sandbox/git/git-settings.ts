import { dirname, join } from "../../../posix-path.ts"
import { stateOf } from "../disk.ts"
import { type AskGit, wordsOf } from "./ask-git.ts"

/** Paths of included settings files and of the hooks folder, for git started in `root`. */
export type NamedPaths = (root: string, gitFolders: readonly string[]) => Promise<readonly string[]>

/** Asks git, and again only if one of the files that it read has changed. */
export function createNamedPaths(ask: AskGit, home: string): NamedPaths {
  const known = new Map<
    string,
    { readonly state: string; readonly files: readonly string[]; readonly paths: readonly string[] }
  >()
  return async (root, gitFolders) => {
    const before = known.get(root)
    if (before !== undefined && stateOfAll(before.files) === before.state) return before.paths
    const settings = parse(wordsOf(await ask(root, ["config", "--list", "--show-origin", "-z"])), root)
    const own = gitFolders.flatMap((folder) => [join(folder, "config"), join(folder, "config.worktree")])
    const paths = settings.flatMap((setting) => pathIn(setting, { root, home }))
    const files = [...new Set([...own, ...settings.flatMap(({ file }) => (file === null ? [] : [file])), ...paths])]
    known.set(root, { state: stateOfAll(files), files, paths })
    return paths
  }
}

interface Setting {
  /** Full path; null for settings of the environment. */
  readonly file: string | null
  readonly name: string
  readonly value: string
}

/** `file:.git/config`, NUL, `core.bare`, newline, `false`, NUL, and so on. */
function parse(words: readonly string[], root: string): readonly Setting[] {
  return words.flatMap((word, at) => {
    const origin = words[at - 1]
    if (at % 2 === 0 || origin === undefined) return []
    const [name = "", ...value] = word.split("\n")
    const path = origin.startsWith("file:") ? origin.slice("file:".length) : null
    return [{ file: path === null ? null : absolute(path, root), name, value: value.join("\n") }]
  })
}

function pathIn({ file, name, value }: Setting, { root, home }: { root: string; home: string }): readonly string[] {
  const path = value.startsWith("~/") ? join(home, value.slice(2)) : value
  if (name === "core.hookspath") return [absolute(path, root)]
  if (name === "include.path" || /^includeif\..+\.path$/s.test(name))
    return file === null ? [] : [absolute(path, dirname(file))]
  return []
}

function absolute(path: string, folder: string): string {
  return path.startsWith("/") ? join(path, ".") : join(folder, path)
}

function stateOfAll(files: readonly string[]): string {
  return files.map(stateOf).join(" ")
}
