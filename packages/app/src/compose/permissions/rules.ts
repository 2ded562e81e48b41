import { join } from "node:path"
import { phrase } from "@gong/spec"
import { extraToolNames, toolNames, type ToolSource } from "@gong/tools"
import type { SessionSpec } from "@gong/config/session-spec"
import { didYouMean, ok, type Outcome, usage } from "@gong/config/usage"
import { networkRule, serverRule } from "@gong/policy/rule-names"
import { parseRule, type Rule } from "@gong/policy/rules"
import type { Config } from "../config.ts"

export interface RuleDeps {
  readonly spec: Pick<SessionSpec, "allow" | "deny">
  readonly config: Config
  /** Tools in addition to the built-in ones. */
  readonly toolSources: readonly ToolSource[]
}

export interface Rules {
  readonly allow: readonly Rule[]
  readonly deny: readonly Rule[]
}

/** Names that rules may use in every session. */
const builtIn: readonly string[] = [...toolNames, ...extraToolNames, networkRule, serverRule]

/** The rules of the command line and of the settings, and `always`: those stored for this repository. */
export function readRules({ spec, config, toolSources }: RuleDeps, always: readonly string[]): Outcome<Rules> {
  const tools = [...builtIn, ...toolSources.flatMap((source) => source.tools.map(({ name }) => name))]
  const allow = rulesOf("allow", spec.allow ?? [], config, tools)
  if (!allow.ok) return allow
  const deny = rulesOf("deny", spec.deny ?? [], config, tools)
  if (!deny.ok) return deny
  // The tool of a stored rule may be missing in this session.
  const stored = always.map((text) => parseRule(text))
  const broken = stored.find((read) => !read.ok)
  if (broken) return usage(phrase`${join(config.home, "permissions.json")}: ${broken.problem}`)
  return ok({ allow: [...allow.value, ...stored.flatMap((read) => (read.ok ? read.rule : []))], deny: deny.value })
}

/** The rules of the command line, then those of the settings. */
function rulesOf(
  list: "allow" | "deny",
  given: readonly string[],
  { settings: { values, origins } }: Config,
  tools: readonly string[],
): Outcome<readonly Rule[]> {
  const rules: Rule[] = []
  for (const text of given) {
    const read = parseRule(text, tools)
    if (!read.ok) return usage(phrase`--${list}: ${read.problem}`)
    rules.push(read.rule)
  }
  const name = `rules.${list}` as const
  for (const text of values[name]) {
    // A tool of an extension may be missing in this session; only misspelled built-in names are errors.
    const read = parseRule(text)
    const near = read.ok && !builtIn.includes(read.rule.tool) ? didYouMean(read.rule.tool, builtIn) : ""
    if (!read.ok) return usage(phrase`${origins[name]}: "${name}": ${read.problem}`)
    if (near !== "") return usage(phrase`${origins[name]}: "${name}": there is no tool "${read.rule.tool}".${near}`)
    rules.push(read.rule)
  }
  return ok(rules)
}
