import { holdsProgramOfRepository, parseSettings } from "./git-settings.ts"
import type { GitFacts, Variables } from "./git-facts.ts"

/** What is to be done with git besides reading by its objects and settings. */
export interface Reading {
  /** Looks at how submodules are: then git starts itself in them, by settings of their own. */
  readonly submodules: boolean
}

/**
 * Variables with which git, started in this folder, reads and runs no program that the repository brings; null where that
 * cannot be had, or not be known. Git itself is asked which folders and settings it would use, since any reading of our own
 * would differ from its, and the variables name just those to the command.
 */
export async function quietGit(folder: string, facts: GitFacts, reading: Reading): Promise<Variables | null> {
  // Where there is none, none will run.
  if ((await facts.findProgram("git")) === null) return {}
  const place = await placeOf(folder, facts)
  if (place === null) return null
  const env = { ...place.env, ...overrides(facts.env) }
  const settings = await facts.askGit(folder, ["config", "--list", "--show-scope", "--show-origin", "-z"], env)
  if (settings?.code !== 0) return null
  const all = parseSettings(settings.stdout)
  const holds = overridden.every(([key, value]) => all.findLast((one) => one.key === key)?.value === value)
  if (!holds || (await holdsProgramOfRepository(all, place.top, facts))) return null
  const isAlone = place.top === null || !reading.submodules || (await hasNoSubmodules(folder, facts, env))
  return isAlone ? env : null
}

/** Only to be asked when nothing acts any more: git starts a file system monitor to read its index. */
async function hasNoSubmodules(folder: string, { askGit }: GitFacts, env: Variables): Promise<boolean> {
  const index = await askGit(folder, ["ls-files", "--stage", "-z", ":/"], env)
  return index?.code === 0 && !/(?:^|\0)160000 /.test(index.stdout)
}

interface GitPlace {
  readonly env: Variables
  /** Of the working tree; null where git finds no repository. */
  readonly top: string | null
}

/** The folders that git would use, named. Null where it finds a repository without a working tree here, or gives no plain answer. */
async function placeOf(folder: string, { askGit }: GitFacts): Promise<GitPlace | null> {
  const found = await askGit(
    folder,
    ["rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir", "--show-toplevel"],
    {},
  )
  if (found === null) return null
  // It has said why to nobody; the command will say it again.
  if (found.code !== 0) return found.stdout === "" ? { env: {}, top: null } : null
  // A path with a line break in it makes more lines.
  const [own = "", common = "", top = "", ...more] = found.stdout.split("\n")
  if (more.length !== 1 || ![own, common, top].every((path) => path.startsWith("/"))) return null
  return { env: { GIT_DIR: own, GIT_COMMON_DIR: common, GIT_WORK_TREE: top }, top }
}

/** What git runs, or where it goes, by settings that have one name only: off, wherever they stand. */
const overridden: readonly (readonly [key: string, value: string])[] = [
  ["core.hookspath", "/dev/null"],
  ["core.fsmonitor", "false"],
  // Both go into folders that a commit once had as submodules.
  ["diff.submodule", "short"],
  ["status.submodulesummary", "false"],
]

function overrides(before: GitFacts["env"]): Variables {
  const first = Number(before["GIT_CONFIG_COUNT"] ?? 0) || 0
  const pairs = overridden.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${first + at}`, key],
    [`GIT_CONFIG_VALUE_${first + at}`, value],
  ])
  return {
    ...Object.fromEntries(pairs),
    GIT_CONFIG_COUNT: `${first + overridden.length}`,
    GIT_OPTIONAL_LOCKS: "0",
    GIT_PAGER: "cat",
    // What a repository lacks is not fetched by whatever it names for that.
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
  }
}
