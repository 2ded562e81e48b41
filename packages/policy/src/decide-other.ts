import { phrase, type PolicyCall } from "@gong/spec"
import { deny, type PolicyDecision, type DecisionContext, isApproved } from "./decision.ts"
import { serverRule } from "./rule-names.ts"
import { matchesHost, matchesServerTool, type Rule } from "./rules.ts"
import * as texts from "./texts.ts"

/** An address on the internet, by its host. The tool itself refuses private addresses. */
export function decideFetch(call: PolicyCall, argument: string, context: DecisionContext): PolicyDecision {
  const decision = byRule(call, context)
  if (decision !== null) return decision
  const url = call.arguments[argument]
  const host = typeof url === "string" && URL.canParse(url) ? new URL(url).hostname : ""
  if (host === "")
    return { verdict: "ask", reason: phrase`it asks the network`, toModel: texts.needsPermission(call.title) }
  const suggestedRule = `${call.tool}(${host})`
  const toModel = texts.needsPermissionOrRule(call.title, suggestedRule)
  return { verdict: "ask", reason: phrase`it asks ${host}`, rules: { suggestedRule }, toModel }
}

/** A call that acts only on the session: allowed at every level, unless a rule denies it. */
export function decideInternal(call: PolicyCall, context: DecisionContext): PolicyDecision {
  return denyByRule(call, context) ?? { verdict: "allow" }
}

/** A tool without a trusted declaration: its effect is unknown. */
export function decideOther(call: PolicyCall, context: DecisionContext): PolicyDecision {
  const decision = byRule(call, context)
  if (decision !== null) return decision
  return {
    verdict: "ask",
    reason: phrase`the tool ${call.tool} may do anything`,
    rules: { widerRule: call.tool },
    toModel: texts.needsPermission(call.title),
  }
}

/** A call to a server. Its annotations are not believed, so each call needs permission. */
export function decideServerTool(call: PolicyCall, name: string | null, context: DecisionContext): PolicyDecision {
  if (name === null) return decideInternal(call, context)
  const { facts, allow } = context
  const what = call.tool === name ? `${name} ${call.title}`.trim() : call.title
  const covered = (rule: Rule): boolean => matchesServerTool(rule, name)
  const low = name.toLowerCase()
  const denies = (rule: Rule): boolean =>
    rule.tool === low || matchesServerTool({ ...rule, pattern: rule.pattern?.toLowerCase() ?? null }, low)
  const denied = facts.deny.find(denies)
  if (denied !== undefined) return deny(`rule ${denied.text}`, texts.deniedByRule(what, denied.text))
  if (allow.some(covered) || isApproved(context, call) || facts.level === "full") return { verdict: "allow" }
  if (facts.level === "plan") return deny("plan", texts.deniedByPlan(what))
  const server = name.slice(0, name.indexOf("__"))
  const suggestedRule = `${serverRule}(${name})`
  return {
    verdict: "ask",
    reason: phrase`the MCP server ${server} may do anything with it`,
    rules: { suggestedRule, widerRule: `${serverRule}(${server}__*)` },
    toModel: texts.needsPermissionOrRule(what, suggestedRule),
  }
}

function byRule(call: PolicyCall, context: DecisionContext): PolicyDecision | null {
  const { facts, allow } = context
  const denied = denyByRule(call, context)
  if (denied !== null) return denied
  if (allow.some((rule) => covers(rule, call, context)) || isApproved(context, call) || facts.level === "full")
    return { verdict: "allow" }
  return facts.level === "plan" ? deny("plan", texts.deniedByPlan(call.title)) : null
}

function denyByRule(call: PolicyCall, context: DecisionContext): PolicyDecision | null {
  const rule = context.facts.deny.find((one) => covers(one, call, context))
  return rule === undefined ? null : deny(`rule ${rule.text}`, texts.deniedByRule(call.title, rule.text))
}

function covers({ tool, pattern }: Rule, call: PolicyCall, { facts }: DecisionContext): boolean {
  const argument = facts.declared(call.tool)?.address ?? "url"
  return tool === call.tool.toLowerCase() && (pattern === null || matchesHost(pattern, call.arguments[argument]))
}
