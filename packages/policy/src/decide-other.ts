import { phrase, type PolicyCall } from "@gong/spec"
import { deny, type Finding, type Judge, wasApproved } from "./decision.ts"
import { matchesHost, type Rule } from "./rules.ts"
import * as texts from "./texts.ts"

/** An address on the internet, by its host. The tool itself refuses private addresses. */
export function decideFetch(call: PolicyCall, argument: string, judge: Judge): Finding {
  const ruled = byRule(call, judge)
  if (ruled !== null) return ruled
  const url = call.arguments[argument]
  const host = typeof url === "string" && URL.canParse(url) ? new URL(url).hostname : ""
  if (host === "")
    return { verdict: "ask", reason: phrase`it asks the network`, toModel: texts.needsPermission(call.title) }
  const suggestedRule = `${call.tool}(${host})`
  const toModel = texts.needsTheNetwork(call.title, suggestedRule)
  return { verdict: "ask", reason: phrase`it asks ${host}`, suggestedRule, toModel }
}

/** A call that acts only on the session: allowed at every level, unless a rule denies it. */
export function decideInward(call: PolicyCall, judge: Judge): Finding {
  return forbidden(call, judge) ?? { verdict: "allow" }
}

/** A tool without a trusted declaration: its effect is unknown. */
export function decideOther(call: PolicyCall, judge: Judge): Finding {
  const ruled = byRule(call, judge)
  if (ruled !== null) return ruled
  return {
    verdict: "ask",
    reason: phrase`the tool ${call.tool} may do anything`,
    suggestedRule: call.tool,
    toModel: texts.needsPermission(call.title),
  }
}

function byRule(call: PolicyCall, judge: Judge): Finding | null {
  const { facts, allow } = judge
  const denied = forbidden(call, judge)
  if (denied !== null) return denied
  if (allow.some((rule) => covers(rule, call, judge)) || wasApproved(judge, call) || facts.level === "full")
    return { verdict: "allow" }
  return facts.level === "plan" ? deny("plan", texts.deniedByPlan(call.title)) : null
}

function forbidden(call: PolicyCall, judge: Judge): Finding | null {
  const rule = judge.facts.deny.find((one) => covers(one, call, judge))
  return rule === undefined ? null : deny(`rule ${rule.text}`, texts.deniedByRule(call.title, rule.text))
}

function covers({ tool, pattern }: Rule, call: PolicyCall, { facts }: Judge): boolean {
  const argument = facts.declared(call.tool)?.address ?? "url"
  return tool === call.tool.toLowerCase() && (pattern === null || matchesHost(pattern, call.arguments[argument]))
}
