import type { PolicyFacts } from "./judge.ts"
import { absolute } from "./paths.ts"

/** The folder of hooks that git's settings name for the workspace, with links followed; null where they name none. */
export async function namedHooks(facts: PolicyFacts): Promise<string | null> {
  const answer = await facts.askGit(facts.workspace, ["config", "--type=path", "--get", "core.hooksPath"], {})
  // Only a line break of git's own is no part of it.
  const path = answer?.code === 0 ? answer.stdout.replace(/\n$/, "") : ""
  if (path === "") return null
  // Git starts its hooks at the top.
  const place = await facts.locate(absolute(path, facts.workspace, facts.home)).catch(() => null)
  return place?.real ?? null
}
