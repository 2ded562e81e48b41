import { absolute, parentOf } from "./paths.ts"
import { holdsRepositories } from "./git-index.ts"
import type { PolicyFacts } from "./judge.ts"

/**
 * Whether nothing in the settings of the repository that git finds from this folder makes it run a program, fetch, or look
 * elsewhere while it reads. A repository that was unpacked, or made out of plain files, can bring such settings; those of
 * the user's home are the user's own.
 */
export function gitRunsNothing(from: string, facts: GitFacts): Promise<boolean> {
  return isQuiet(from, facts, { submodules: false })
}

/** The same for questions that do not look into submodules. */
export function gitAnswersQuietly(from: string, facts: GitFacts): Promise<boolean> {
  return isQuiet(from, facts, { submodules: true })
}

export type GitFacts = Pick<PolicyFacts, "exists" | "readText" | "readBytes" | "home">

interface May {
  /** Have submodules, which have settings of their own. */
  readonly submodules: boolean
}

async function isQuiet(from: string, facts: GitFacts, may: May): Promise<boolean> {
  for (let folder = from; ; folder = parentOf(folder)) {
    const at = folder === "/" ? "" : folder
    if (await facts.exists(`${at}/.git`)) return settingsAreQuiet(at, facts, may)
    // Git takes a folder that looks like one of its own for a repository, and its settings with it.
    if (await facts.exists(`${at}/HEAD`)) return false
    if (at === "") return true
  }
}

async function settingsAreQuiet(top: string, facts: GitFacts, may: May): Promise<boolean> {
  try {
    const common = await commonFolder(top, facts)
    if (common === null) return false
    const [own, shared] = common
    if (!may.submodules && (await hasSubmodules(top, own, shared, facts))) return false
    for (const path of new Set([`${shared}/config`, `${shared}/config.worktree`, `${own}/config.worktree`])) {
      if (acting.test((await facts.readText(path)) ?? "")) return false
    }
    return true
  } catch {
    // What cannot be read cannot be judged.
    return false
  }
}

/** Git goes into what the index says is a repository, whether `.gitmodules` names it or not. */
async function hasSubmodules(top: string, own: string, shared: string, facts: GitFacts): Promise<boolean> {
  if (await facts.exists(`${top}/.gitmodules`)) return true
  const index = await facts.readBytes(`${own}/index`)
  if (index === null) return false
  const sha256 = /objectformat\s*=\s*"?sha256/i.test((await facts.readText(`${shared}/config`)) ?? "")
  return holdsRepositories(index, sha256 ? 32 : 20)
}

/** The git folder of this working tree, and the one that it shares with others. */
async function commonFolder(top: string, { readText, home }: GitFacts): Promise<readonly [string, string] | null> {
  const link = await readText(`${top}/.git`)
  if (link === null) return [`${top}/.git`, `${top}/.git`]
  const [, to] = /^gitdir: (.+)$/m.exec(link) ?? []
  if (to === undefined) return null
  const own = absolute(to.trim(), top, home)
  const shared = (await readText(`${own}/commondir`))?.trim()
  return [own, shared === undefined ? own : absolute(shared, own, home)]
}

/** Keys at whose word git starts a program, fetches what is missing, reads further settings, or works on another folder. */
const acting =
  /(?:^|\])\s*(?:fsmonitor|external|textconv|command|clean|smudge|process|program|path|promisor|partialclone(?:filter)?|worktree|showsignature|diffmerges|pager|pretty)\s*(?:[=#;]|$)|%G/im
