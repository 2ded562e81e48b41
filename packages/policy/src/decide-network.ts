import { phrase, type PolicyCall } from "@gong/spec"
import { deny, type Finding, type Judge, wasApproved } from "./decision.ts"
import { closedPorts } from "./command/registries.ts"
import { networkRule } from "./network-rule.ts"
import { matchesNetwork, type NetworkPlace, type Rule } from "./rules.ts"
import * as texts from "./texts.ts"

/**
 * Input of the decision about a connection of a confined command. `near`: the host's addresses are in a private network, which
 * needs a second question, since the owner of the name decides where it leads.
 */
export interface NetworkCall extends PolicyCall {
  readonly tool: typeof networkRule
  readonly arguments: { readonly host: string; readonly port: number; readonly near?: true }
}

export function networkCall({ host, port }: NetworkPlace, near = false): NetworkCall {
  return { tool: networkRule, arguments: { host, port, ...(near && { near }) }, title: placeText({ host, port }) }
}

/** A host with its port, omitted if it is a default, as in questions and rules. */
export function placeText({ host, port }: NetworkPlace): string {
  return port === 80 || port === 443 ? host : `${host}:${port}`
}

/**
 * Decides about a connection of a confined command by host and port. Registries, remotes and this machine's own services are
 * allowed, and what rules or approvals cover. No level allows more; the setting `network` does.
 */
export async function decideNetwork(call: PolicyCall, judge: Judge): Promise<Finding> {
  const { facts } = judge
  const { host: wanted, port: number, near } = call.arguments
  const place = { host: String(wanted).toLowerCase(), port: Number(number) }
  const text = placeText(place)
  const denied = facts.deny.find((rule) => matchesNetwork(rule, place, "deny"))
  if (denied !== undefined)
    return deny(`rule ${denied.text}`, texts.hostDenied(text, `the rule ${denied.text} forbids it`))
  const rules = near === true ? facts.allow.filter(namesOne) : judge.allow
  if (rules.some((rule) => matchesNetwork(rule, place, "allow")) || wasApproved(judge, call)) return allowed
  if (place.host === "localhost") return decideService(place.port)
  const known = (await facts.knownHosts()).find(({ host, port }) => host === place.host && port === place.port)
  if (known !== undefined && (near !== true || known.near)) return allowed
  const rule = `${networkRule}(${text})`
  const toModel = texts.needsTheHost(text, rule)
  if (facts.level === "plan" || isNobodys(place.host)) return deny("network", toModel)
  if (near === true) return { verdict: "ask", reason: phrase`it lies in a private network`, toModel }
  return { verdict: "ask", reason: phrase`a command wants to connect to it`, suggestedRule: rule, toModel }
}

const allowed: Finding = { verdict: "allow" }

/** A rule for exactly this host; its subdomains would be more than its author has seen. */
function namesOne({ pattern }: Rule): boolean {
  return pattern !== null && !pattern.startsWith("*")
}

/** A service of this machine is allowed, except on the closed ports. */
function decideService(port: number): Finding {
  const why = closedPorts[port]
  return why === undefined ? allowed : deny("network", texts.hostDenied(`localhost:${port}`, why))
}

/** Names that are not in public DNS, and those of private networks: refused without a question. */
function isNobodys(host: string): boolean {
  return (
    !host.includes(".") ||
    /\.(?:invalid|test|example|local|localhost|internal|intranet|lan|home|corp|onion|arpa)$/.test(host)
  )
}
