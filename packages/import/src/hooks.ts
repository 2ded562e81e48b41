import { phrase, type Text } from "@gong/spec"
import { isHookEventKind } from "@gong/extensions/hooks/kinds"
import { parseHooks } from "@gong/extensions/hooks/parse"
import { type Candidates, recordOf, shown } from "./candidate.ts"
import type { SourceLocation } from "./source.ts"

/** Hooks of one file in the format shared with Claude Code. Each is validated separately. */
export async function importHooks(
  { add, skip }: Candidates,
  hooks: unknown,
  locationOf: SourceLocation,
): Promise<void> {
  const events = recordOf(hooks)
  if (events === null) return skip("hooks", await locationOf(["hooks"]), "hooks", phrase`they must be an object.`)
  for (const [event, groups] of Object.entries(events)) {
    if (!isHookEventKind(event) || !Array.isArray(groups)) {
      skip("hooks", await locationOf(["hooks", event]), event, await problemOf(event, groups))
      continue
    }
    for (const [at, group] of groups.entries()) {
      const { matcher = "", hooks: list } = recordOf(group) ?? {}
      if (!Array.isArray(list)) {
        skip("hooks", await locationOf(["hooks", event, at]), event, await problemOf(event, [group]))
        continue
      }
      for (const [index, hook] of list.entries()) {
        const from = await locationOf(["hooks", event, at, "hooks", index])
        const named = recordOf(hook)
        const what = `${event}${typeof matcher === "string" && matcher ? ` ${matcher}` : ""} (${shown(named?.["command"] ?? hook)})`
        const problem = await problemOf(event, [{ matcher, hooks: [hook] }])
        if (problem !== "" || named === null) skip("hooks", from, what, problem)
        else add("hooks", from, what, { op: "hook", event, matcher: String(matcher), hook: named })
      }
    }
  }
}

/** Gong's error message for a hook; empty if it is valid. */
async function problemOf(event: string, groups: unknown): Promise<Text> {
  const { problems } = await parseHooks({ path: "", hooks: { [event]: groups }, locationOf: () => Promise.resolve("") })
  return problems[0]?.text ?? ""
}
