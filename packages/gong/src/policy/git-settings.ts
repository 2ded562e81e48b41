import { absolute, parentOf } from "./paths.ts"
import type { PolicyFacts } from "./judge.ts"

/**
 * Whether nothing in the settings of the repository that git finds from this folder makes it run a program, fetch, or look
 * elsewhere while it reads. A repository that was unpacked, or made out of plain files, can bring such settings; those of
 * the user's home are the user's own.
 */
export async function gitRunsNothing(from: string, facts: PolicyFacts): Promise<boolean> {
  for (let folder = from; ; folder = parentOf(folder)) {
    const at = folder === "/" ? "" : folder
    if (await facts.exists(`${at}/.git`)) return settingsAreQuiet(at, facts)
    // Git takes a folder that looks like one of its own for a repository, and its settings with it.
    if (await facts.exists(`${at}/HEAD`)) return false
    if (at === "") return true
  }
}

async function settingsAreQuiet(top: string, facts: PolicyFacts): Promise<boolean> {
  try {
    const common = await commonFolder(top, facts)
    // Submodules have settings of their own, and git looks into them.
    if (common === null || (await facts.exists(`${top}/.gitmodules`))) return false
    const [own, shared] = common
    for (const path of new Set([`${shared}/config`, `${shared}/config.worktree`, `${own}/config.worktree`])) {
      if (acting.test((await facts.readText(path)) ?? "")) return false
    }
    return true
  } catch {
    // What cannot be read cannot be judged.
    return false
  }
}

/** The git folder of this working tree, and the one that it shares with others. */
async function commonFolder(top: string, { readText, home }: PolicyFacts): Promise<readonly [string, string] | null> {
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
