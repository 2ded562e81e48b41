import { englishOf, type LeveledPolicy } from "@gong/spec"
import { type AskDecision, commandOf, keyOf, type DecisionContext, type PolicyFacts } from "./decision.ts"
import { isTestCommand } from "./command/test-commands.ts"

export interface SessionPolicy extends LeveledPolicy {
  /** Real paths outside the roots that a rule or an answer allows; the tools, which check paths again, must accept them. */
  granted(): readonly string[]
  /** Ports besides 80 and 443 that commands may use at some host. */
  hostPorts(): Promise<readonly number[]>
}

/** The order is deny rule > guard > allow rule > level (interface part 5 P). Decides from its inputs alone; the session asks the user. */
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
  /** The rules suggested by each open question. */
  const suggested = new Map<string, AskDecision["rules"]>()
  const testsApproved = new Set<string>()
  let hooks: Promise<string | null> | undefined
  const context: DecisionContext = {
    facts,
    allow,
    approved,
    testsApproved,
    grant: (path) => void granted.add(path),
    hooks: async () => (hooks ??= (await import("./git/hooks-path.ts")).gitHooksPath(facts)),
  }
  return {
    get level() {
      return level
    },
    setLevel: (next) => void (level = next),
    granted: () => [...granted],
    hostPorts: async () => {
      const { portsInRules } = await import("./rules.ts")
      const known = (await facts.knownHosts()).map(({ port }) => port)
      return [...new Set([...portsInRules(allow), ...known])].filter((port) => port !== 80 && port !== 443)
    },
    decide: async (call) => {
      // Loaded at the first call.
      const { decide } = await import("./decide.ts")
      const found = await decide(call, context)
      if (found.verdict !== "ask") return found
      const { toModel, rules, ...ask } = found
      if (!facts.interactive) return { verdict: "deny", reason: englishOf(found.reason), toModel }
      if (suggested.size > 100) suggested.clear()
      suggested.set(keyOf(call), rules)
      return rules === undefined ? ask : { ...ask, rules: { ...rules, rulesFile: facts.rulesFile } }
    },
    remember: async (call, choice, wider = false) => {
      const command = commandOf(call, facts.declared(call.tool))
      if (command !== null && isTestCommand(command)) testsApproved.add(command)
      if (choice === "once") return
      const { parseRule } = await import("./rules.ts")
      const { suggestedRule, widerRule } = suggested.get(keyOf(call)) ?? {}
      const rule = parseRule((wider ? widerRule : suggestedRule) ?? "")
      suggested.delete(keyOf(call))
      if (!rule.ok) return void approved.add(keyOf(call))
      allow.push(rule.rule)
      if (choice === "always") await facts.storeRule(rule.rule.text)
    },
  }
}
