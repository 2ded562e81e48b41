import { literalWild, phrase, type Phrase, type Wild, wildTest } from "@gong/spec"
import { convertClaudeRule, type ConvertedRule } from "@gong/policy/claude-rules"
import { recordOf, shown } from "../candidate.ts"
import type { ImportContext } from "../context.ts"
import type { SourceLocation } from "../source.ts"

const tools: Readonly<Record<string, string>> = {
  bash: "Bash",
  read: "Read",
  edit: "Edit",
  write: "Edit",
  glob: "Glob",
  grep: "Grep",
  list: "LS",
  webfetch: "WebFetch",
}

/**
 * Permissions of opencode: an action per tool, or per pattern, of which the last match wins. In Gong a deny rule always
 * wins: rules that cannot be expressed are skipped, and never become looser.
 */
export async function readOpencodeRules(
  context: ImportContext,
  permission: unknown,
  locationOf: SourceLocation,
): Promise<void> {
  const { candidates } = context
  const byTool = recordOf(permission)
  if (byTool === null) {
    const reason =
      permission === "ask"
        ? phrase`it corresponds to the level ask: gong config set permission ask`
        : "--yolo, or gong config set permission full"
    return candidates.skip("rules", await locationOf(["permission"]), `permission ${shown(permission)}`, reason)
  }
  for (const [tool, value] of Object.entries(byTool)) {
    const byPattern = recordOf(value)
    const patterns = Object.entries(byPattern ?? { "*": value })
    for (const [at, [pattern, action]] of patterns.entries()) {
      const from = await locationOf(["permission", tool, ...(byPattern === null ? [] : [pattern])])
      const what = `${tool} ${pattern} ${shown(action)}`
      const list = action === "allow" || action === "deny" ? action : null
      const converted = list === null ? null : ruleOf(tool, pattern, list)
      const clash = clashOf(patterns, at)
      if (list === null || converted === null) candidates.skip("rules", from, what, askReason(action))
      else if (!converted.ok) candidates.skip("rules", from, what, converted.reason)
      else if (clash !== null) candidates.skip("rules", from, what, clash)
      else if (list === "allow" && context.project !== null && !context.trusted)
        candidates.skip("rules", from, what, phrase`an untrusted folder cannot add allow rules.`)
      else
        for (const rule of converted.rules)
          candidates.add("rules", from, `${list} ${rule}`, { op: "rule", list, rule }, converted.note)
    }
  }
}

function askReason(action: unknown): Phrase {
  return action === "ask" ? phrase`Gong has no such rules; the level ask always asks.` : phrase`it is not an action.`
}

/** Why an allow rule cannot be converted: it contains an ask rule, or an earlier deny rule is wider. */
function clashOf(patterns: readonly (readonly [string, unknown])[], at: number): Phrase | null {
  const [pattern, action] = patterns[at] ?? ["", null]
  if (action !== "allow") return null
  const asks = patterns.slice(at + 1).find(([other, theirs]) => theirs === "ask" && covers(pattern, other))
  if (asks !== undefined) return phrase`it contains the ask rule "${shown(asks[0])}", which Gong does not support.`
  const denied = patterns.slice(0, at).find(([other, theirs]) => theirs === "deny" && covers(other, pattern))
  return denied === undefined ? null : phrase`"${shown(denied[0])}" is denied, and in Gong a deny rule always wins.`
}

/** Whether a pattern of opencode includes another one. */
export function covers(pattern: string, other: string): boolean {
  const any: Wild = { many: [{ one: () => true }] }
  const wild = pattern.split("*").flatMap((part, at) => [...(at === 0 ? [] : [any]), ...literalWild(part)])
  return wildTest(wild)(other)
}

function ruleOf(tool: string, pattern: string, list: "allow" | "deny"): ConvertedRule {
  const name = Object.hasOwn(tools, tool) ? tools[tool] : undefined
  if (name === undefined) return { ok: false, reason: phrase`Gong has no rule for ${tool}.` }
  if (pattern === "*") return convertClaudeRule(name, list, "")
  const path = pattern.replace(/^\$HOME\//, "~/")
  if (name === "Bash") return convertClaudeRule(`Bash(${path})`, list, "")
  if (name === "WebFetch") return { ok: false, reason: phrase`only a host can be a fetch rule: fetch(HOST)` }
  // A star spans folders in opencode, and paths are relative to the project.
  const whole = path.replaceAll(/(?<!\*)\*(?!\*)/g, "**")
  return convertClaudeRule(`${name}(${/^[~/]/.test(whole) ? whole.replace(/^\//, "//") : `./${whole}`})`, list, "")
}
