import { isInside } from "./paths.ts"
import type { GitFacts } from "./git-facts.ts"

/** One setting as git has read it. */
export interface GitSetting {
  readonly scope: string
  /** `file:/path`, `command line:`, ... */
  readonly origin: string
  /** Section and name in small letters. */
  readonly key: string
  /** Null: it stands there without one, which means yes. */
  readonly value: string | null
}

/** What `git config --list --show-scope --show-origin -z` says: scope, NUL, origin, NUL, key, newline, value, NUL, and so on. */
export function parseSettings(text: string): readonly GitSetting[] {
  const words = text.split("\0")
  return words.flatMap((origin, at) => {
    const [scope, pair] = [words[at - 1], words[at + 1]]
    if (at % 3 !== 1 || scope === undefined || pair === undefined) return []
    const end = pair.indexOf("\n")
    const [key, value] = end < 0 ? [pair, null] : [pair.slice(0, end), pair.slice(end + 1)]
    return [{ scope, origin, key, value }]
  })
}

/**
 * Whether git would, while it reads, run a program of the repository, fetch, or look elsewhere by its settings. Those that do
 * not come with the repository are the user's own, as far as what they run is not found in a root.
 */
export async function holdsProgramOfRepository(
  settings: readonly GitSetting[],
  top: string | null,
  facts: GitFacts,
): Promise<boolean> {
  for (const setting of settings) {
    const { key, value } = setting
    const runs = program.test(key)
    if (!runs && !acting.test(key) && !showsSignatures(setting) && key !== "core.worktree") continue
    if (await isUsersOwn(setting, facts)) {
      if (runs && (await leadsIntoRoots(value ?? "", facts))) return true
    } else if (key !== "core.worktree" || !isInRoots(top ?? "/", facts)) return true
  }
  return leadsIntoRoots(facts.env["GIT_EXTERNAL_DIFF"] ?? "", facts)
}

/** Keys whose value is a program that git, or git-lfs as its filter, may run while it reads. */
const program =
  /^diff\.external$|\.(?:textconv|command|clean|smudge|process|program|driver|alternaterefscommand|defaultkeycommand)$/s

/** Keys at whose word it runs the user's gpg, writes, or fetches what is missing. */
const acting =
  /^(?:log\.(?:showsignature|diffmerges)|extensions\.partialclone|remote\..*\.(?:promisor|partialclonefilter))$/s

function showsSignatures({ key, value }: GitSetting): boolean {
  return /^(?:format\.pretty$|pretty\.)/.test(key) && /%G/.test(value ?? "")
}

/** Also what the user's settings include does not count where a file of the repository can say it. */
async function isUsersOwn({ scope, origin }: GitSetting, facts: GitFacts): Promise<boolean> {
  if (!/^(?:system|global|command)$/.test(scope)) return false
  if (!origin.startsWith("file:")) return true
  return !(await liesInRoots(origin.slice("file:".length), facts))
}

/** Whether one of its words is a path in a root, a relative path, or a name that is looked up and found there. */
async function leadsIntoRoots(commandLine: string, facts: GitFacts): Promise<boolean> {
  for (const word of commandLine.split(/[^\w.~/@+-]+/)) {
    if (word.includes("/")) {
      if (!/^~?\//.test(word) || (await liesInRoots(word, facts))) return true
    } else if (word !== "") {
      const found = await facts.findProgram(word)
      if (found !== null && isInRoots(found, facts)) return true
    }
  }
  return false
}

/** What cannot be found lies anywhere. */
async function liesInRoots(path: string, facts: GitFacts): Promise<boolean> {
  const found = await facts.locate(path).catch(() => null)
  return found === null || isInRoots(found.path, facts) || isInRoots(found.real, facts)
}

function isInRoots(path: string, { roots }: GitFacts): boolean {
  return roots.some((root) => isInside(root, path))
}
