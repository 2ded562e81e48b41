import type { LeveledPolicy, PolicyCall } from "@gong/spec"
import { decideCommand } from "./decide-command.ts"
import { decideChange, decideRead } from "./decide-file.ts"
import { decideFetch, decideInward, decideOther } from "./decide-other.ts"
import { commandOf, keyOf, type Finding, type Judge, type PolicyFacts } from "./judge.ts"
import { parseRule } from "./rules.ts"
import { isTestCommand } from "./test-commands.ts"

export interface SessionPolicy extends LeveledPolicy {
  /** Real paths outside the roots that a rule or a question has covered: the tools, which look again, must let them pass. */
  granted(): readonly string[]
}

/** The order is deny rule > guard > allow rule > level (interface part 5 P). Decides from what it is given and asks nobody. */
export function createPolicy(given: PolicyFacts): SessionPolicy {
  let { level } = given
  const facts: PolicyFacts = {
    ...given,
    get level() {
      return level
    },
  }
  const allow = [...facts.allow]
  const approved = new Set<string>()
  const granted = new Set<string>()
  /** The rule that each open question has suggested. */
  const suggested = new Map<string, string | null>()
  const testsApproved = new Set<string>()
  const judge: Judge = {
    facts,
    allow,
    approved,
    testsApproved,
    grant: (path) => void granted.add(path),
  }
  return {
    get level() {
      return level
    },
    setLevel: (next) => void (level = next),
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
    remember: async (call, choice) => {
      const command = commandOf(call)
      if (command !== null && isTestCommand(command)) testsApproved.add(command)
      if (choice === "once") return
      const rule = parseRule(suggested.get(keyOf(call)) ?? "", null)
      suggested.delete(keyOf(call))
      if (!rule.ok) return void approved.add(keyOf(call))
      allow.push(rule.rule)
      if (choice === "always") await facts.keepRule(rule.rule.text)
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
    case "fetch":
      return decideFetch(call, judge)
    case "todo":
      return decideInward(call, judge)
    default:
      return decideOther(call, judge)
  }
}
