import { isInside } from "../paths.ts"
import type { GitFacts } from "./git-facts.ts"

/** One setting, as git reads it. */
export interface GitSetting {
  readonly scope: string
  /** `file:/path`, `command line:`, ... */
  readonly origin: string
  /** Section and name in lower case. */
  readonly key: string
  /** Null: present without a value, which means yes. */
  readonly value: string | null
}

/** Parses `git config --list --show-scope --show-origin -z`: scope, NUL, origin, NUL, key, newline, value, NUL, and so on. */
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
 * Whether git's settings would make a read run a program of the repository, fetch, or read another folder. Settings from outside the
 * repository are the user's own, unless their program is found inside a root.
 */
export async function runsRepositoryProgram(
  settings: readonly GitSetting[],
  top: string | null,
  facts: GitFacts,
): Promise<boolean> {
  for (const setting of settings) {
    const { key, value } = setting
    const runs = programKeys.test(key)
    if (!runs && !activeKeys.test(key) && !showsSignatures(setting) && key !== "core.worktree") continue
    if (await isUserSetting(setting, facts)) {
      if (runs && (await mentionsPathInRoots(value ?? "", facts))) return true
    } else if (key !== "core.worktree" || !isInRoots(top ?? "/", facts)) return true
  }
  return mentionsPathInRoots(facts.env["GIT_EXTERNAL_DIFF"] ?? "", facts)
}

/** Keys whose value is a program that git, or git-lfs as its filter, may run during a read. */
const programKeys =
  /^diff\.external$|\.(?:textconv|command|clean|smudge|process|program|driver|alternaterefscommand|defaultkeycommand)$/s

/** Keys that make git run the user's gpg, write, or fetch missing objects. */
const activeKeys =
  /^(?:log\.(?:showsignature|diffmerges)|extensions\.partialclone|remote\..*\.(?:promisor|partialclonefilter))$/s

function showsSignatures({ key, value }: GitSetting): boolean {
  return /^(?:format\.pretty$|pretty\.)/.test(key) && /%G/.test(value ?? "")
}

/** A setting included by the user's settings is not the user's own if a file of the repository can contain it. */
async function isUserSetting({ scope, origin }: GitSetting, facts: GitFacts): Promise<boolean> {
  if (!/^(?:system|global|command)$/.test(scope)) return false
  if (!origin.startsWith("file:")) return true
  return !(await resolvesIntoRoots(origin.slice("file:".length), facts))
}

/** Whether a word is a path inside a root, a relative path, or a name that resolves to one. */
async function mentionsPathInRoots(commandLine: string, facts: GitFacts): Promise<boolean> {
  for (const word of commandLine.split(/[^\w.~/@+-]+/)) {
    if (word.includes("/")) {
      if (!/^~?\//.test(word) || (await resolvesIntoRoots(word, facts))) return true
    } else if (word !== "") {
      const found = await facts.findProgram(word)
      if (found !== null && isInRoots(found, facts)) return true
    }
  }
  return false
}

/** An unresolvable program may be anywhere. */
async function resolvesIntoRoots(path: string, facts: GitFacts): Promise<boolean> {
  const found = await facts.locate(path).catch(() => null)
  return found === null || isInRoots(found.path, facts) || isInRoots(found.real, facts)
}

function isInRoots(path: string, { roots }: GitFacts): boolean {
  return roots.some((root) => isInside(root, path))
}
