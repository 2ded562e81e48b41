import type { PolicyFacts } from "../decision.ts"
import { absolute } from "../paths.ts"

/** The hooks folder in git's settings of the workspace, with links resolved; null for none. */
export async function gitHooksPath(facts: PolicyFacts): Promise<string | null> {
  const answer = await facts.queryGit(facts.workspace, ["config", "--type=path", "--get", "core.hooksPath"], {})
  // Removes only git's own line break.
  const path = answer?.code === 0 ? answer.stdout.replace(/\n$/, "") : ""
  if (path === "") return null
  // Git starts hooks in the top folder.
  const location = await facts.locate(absolute(path, facts.workspace, facts.home)).catch(() => null)
  return location?.real ?? null
}
