import type { Policy, PolicyCall } from "@gong/spec"
import { decideCommand } from "./decide-command.ts"
import { decideChange, decideRead } from "./decide-file.ts"
import { commandOf, deny, keyOf, type Finding, type Judge, type PolicyFacts } from "./judge.ts"
import { parseRule, type Rule } from "./rules.ts"
import * as texts from "./texts.ts"

export interface SessionPolicy extends Policy {
  /** Real paths outside the roots that a rule or a question has covered: the tools, which look again, must let them pass. */
  granted(): readonly string[]
}

/** The order is deny rule > guard > allow rule > level (interface part 5 P). Decides from what it is given and asks nobody. */
export function createPolicy(facts: PolicyFacts): SessionPolicy {
  const allow = [...facts.allow]
  const approved = new Set<string>()
  const granted = new Set<string>()
  /** The rule that each open question has suggested. */
  const suggested = new Map<string, string | null>()
  let testApproved = false
  const judge: Judge = {
    facts,
    allow,
    approved,
    get testApproved() {
      return testApproved
    },
    grant: (path) => void granted.add(path),
  }
  return {
    granted: () => [...granted],
    decide: async (call) => {
      const found = await find(call, judge)
      if (found.verdict !== "ask") return found
      const { toModel, ...ask } = found
      if (!facts.interactive) return { verdict: "deny", reason: found.reason, toModel }
      if (suggested.size > 100) suggested.clear()
      suggested.set(keyOf(call), found.suggestedRule ?? null)
      return ask
    },
    remember: (call, choice) => {
      if (commandOf(call) === facts.testScript && facts.testScript !== null) testApproved = true
      if (choice === "once") return
      const rule = parseRule(suggested.get(keyOf(call)) ?? "")
      suggested.delete(keyOf(call))
      if (!rule.ok) return void approved.add(keyOf(call))
      allow.push(rule.rule)
      if (choice === "always") facts.saveRule(rule.rule.text)
    },
  }
}

async function find(call: PolicyCall, judge: Judge): Promise<Finding> {
  switch (call.tool) {
    case "bash":
      return decideCommand(call, judge)
    case "read":
    case "grep":
    case "find":
    case "ls":
      return decideRead(call, judge)
    case "write":
    case "edit":
      return decideChange(call, judge)
    default:
      return decideOther(call, judge)
  }
}

/** A tool that this version does not know: nothing can be said about what it does. */
function decideOther(call: PolicyCall, { facts, allow }: Judge): Finding {
  const covers = (rule: Rule): boolean => rule.tool === call.tool.toLowerCase() && rule.pattern === null
  const denied = facts.deny.find(covers)
  if (denied !== undefined) return deny(`rule ${denied.text}`, texts.deniedByRule(call.title, denied.text))
  if (allow.some(covers) || facts.level === "full") return { verdict: "allow" }
  if (facts.level === "plan") return deny("plan", texts.deniedByPlan(call.title))
  return { verdict: "ask", reason: `the tool ${call.tool} may do anything`, toModel: texts.needsPermission(call.title) }
}
