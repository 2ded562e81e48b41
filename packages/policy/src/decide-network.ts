import { phrase, type PolicyCall } from "@gong/spec"
import { deny, type PolicyDecision, type DecisionContext, isApproved } from "./decision.ts"
import { closedPorts } from "./command/registries.ts"
import { networkRule } from "./rule-names.ts"
import { matchesNetwork, type NetworkDestination, type Rule } from "./rules.ts"
import * as texts from "./texts.ts"

/**
 * Input of the decision about a connection of a confined command. `near`: the host's addresses are in a private network, which
 * needs a second question, since the owner of the name controls its addresses.
 */
export interface NetworkCall extends PolicyCall {
  readonly tool: typeof networkRule
  readonly arguments: { readonly host: string; readonly port: number; readonly near?: true }
}

export function networkCall({ host, port }: NetworkDestination, near = false): NetworkCall {
  return { tool: networkRule, arguments: { host, port, ...(near && { near }) }, title: destinationText({ host, port }) }
}

/** A host with its port, omitted if it is a default, as in questions and rules. */
export function destinationText({ host, port }: NetworkDestination): string {
  return port === 80 || port === 443 ? host : `${host}:${port}`
}

/**
 * Decides about a connection of a confined command by host and port. Registries, remotes and this machine's own services are
 * allowed, and what rules or approvals cover. No level allows more; the setting `network` does.
 */
export async function decideNetwork(call: PolicyCall, context: DecisionContext): Promise<PolicyDecision> {
  const { facts } = context
  const { host: hostArgument, port: portArgument, near } = call.arguments
  const destination = { host: String(hostArgument).toLowerCase(), port: Number(portArgument) }
  const text = destinationText(destination)
  const denied = facts.deny.find((rule) => matchesNetwork(rule, destination, "deny"))
  if (denied !== undefined)
    return deny(`rule ${denied.text}`, texts.hostDenied(text, `the rule ${denied.text} forbids it`))
  const rules = near === true ? facts.allow.filter(isExactHost) : context.allow
  if (rules.some((rule) => matchesNetwork(rule, destination, "allow")) || isApproved(context, call)) return allowed
  if (destination.host === "localhost") return decideService(destination.port)
  const known = (await facts.knownHosts()).find(
    ({ host, port }) => host === destination.host && port === destination.port,
  )
  if (known !== undefined && (near !== true || known.near)) return allowed
  const rule = `${networkRule}(${text})`
  const toModel = texts.needsHostPermission(text, rule)
  if (facts.level === "plan" || isOutsidePublicDns(destination.host)) return deny("network", toModel)
  if (near === true) return { verdict: "ask", reason: phrase`it lies in a private network`, toModel }
  return { verdict: "ask", reason: phrase`a command wants to connect to it`, rules: { suggestedRule: rule }, toModel }
}

const allowed: PolicyDecision = { verdict: "allow" }

/** A rule for exactly one host: a rule for subdomains does not name a host of a private network. */
function isExactHost({ pattern }: Rule): boolean {
  return pattern !== null && !pattern.startsWith("*")
}

/** A service of this machine is allowed, except on the closed ports. */
function decideService(port: number): PolicyDecision {
  const reason = closedPorts[port]
  return reason === undefined ? allowed : deny("network", texts.hostDenied(`localhost:${port}`, reason))
}

/** Whether the name cannot be in public DNS, or belongs to a private network: refused without a question. */
function isOutsidePublicDns(host: string): boolean {
  return (
    !host.includes(".") ||
    /\.(?:invalid|test|example|local|localhost|internal|intranet|lan|home|corp|onion|arpa)$/.test(host)
  )
}
