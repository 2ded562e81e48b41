import { runsRepositoryProgram, parseSettings } from "./git-settings.ts"
import type { GitFacts, Variables } from "./git-facts.ts"

/** Actions of git besides reading objects and settings. */
export interface GitReadOptions {
  /** Inspects submodules, in which git starts itself with their own settings. */
  readonly submodules: boolean
}

/**
 * Environment variables under which git in this folder reads without running a program of the repository; null if that is
 * impossible or unknown. Git itself reports which folders and settings it would use, since any other parser could differ, and
 * the variables pin exactly those for the command.
 */
export async function safeGitEnvironment(
  folder: string,
  facts: GitFacts,
  options: GitReadOptions,
): Promise<Variables | null> {
  // Without a repository nothing will run.
  if ((await facts.findProgram("git")) === null) return {}
  const location = await gitLocationOf(folder, facts)
  if (location === null) return null
  const env = { ...location.env, ...overrideVariables(facts.env) }
  const settings = await facts.queryGit(folder, ["config", "--list", "--show-scope", "--show-origin", "-z"], env)
  if (settings?.code !== 0) return null
  const all = parseSettings(settings.stdout)
  const areOverridden = overridden.every(([key, value]) => all.findLast((one) => one.key === key)?.value === value)
  if (!areOverridden || (await runsRepositoryProgram(all, location.top, facts))) return null
  const isSafe = location.top === null || !options.submodules || (await hasNoSubmodules(folder, facts, env))
  return isSafe ? env : null
}

/** Called last: reading the index may start a file system monitor. */
async function hasNoSubmodules(folder: string, { queryGit }: GitFacts, env: Variables): Promise<boolean> {
  const index = await queryGit(folder, ["ls-files", "--stage", "-z", ":/"], env)
  return index?.code === 0 && !/(?:^|\0)160000 /.test(index.stdout)
}

interface GitLocation {
  readonly env: Variables
  /** The working tree; null without a repository. */
  readonly top: string | null
}

/** The folders that git would use, by name. Null for a repository without a working tree here, or an unclear answer. */
async function gitLocationOf(folder: string, { queryGit }: GitFacts): Promise<GitLocation | null> {
  const found = await queryGit(
    folder,
    ["rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir", "--show-toplevel"],
    {},
  )
  if (found === null) return null
  // The command itself fails with the same error.
  if (found.code !== 0) return found.stdout === "" ? { env: {}, top: null } : null
  // A path with a line break gives more lines.
  const [own = "", common = "", top = "", ...more] = found.stdout.split("\n")
  if (more.length !== 1 || ![own, common, top].every((path) => path.startsWith("/"))) return null
  return { env: { GIT_DIR: own, GIT_COMMON_DIR: common, GIT_WORK_TREE: top }, top }
}

/** Settings that make git run a program or enter another repository: always overridden. */
const overridden: readonly (readonly [key: string, value: string])[] = [
  ["core.hookspath", "/dev/null"],
  ["core.fsmonitor", "false"],
  // Both enter folders that a commit once had as submodules.
  ["diff.submodule", "short"],
  ["status.submodulesummary", "false"],
]

function overrideVariables(before: GitFacts["env"]): Variables {
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
    // Missing objects are not fetched by any configured means.
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
  }
}
