import type { PolicyCall } from "@gong/spec"
import { decideCommand } from "./decide-command.ts"
import { decideChange, decideRead } from "./decide-file.ts"
import { decideFetch, decideInternal, decideOther, decideServerTool } from "./decide-other.ts"
import { decideNetwork } from "./decide-network.ts"
import type { PolicyDecision, DecisionContext } from "./decision.ts"
import { networkRule } from "./rule-names.ts"

/** The decision about one call, by the declaration of its tool if that is trusted. */
export async function decide(call: PolicyCall, context: DecisionContext): Promise<PolicyDecision> {
  if (call.tool === networkRule) return decideNetwork(call, context)
  const declared = context.facts.declared(call.tool)
  if (declared?.serverTool !== undefined) return decideServerTool(call, declared.serverTool(call.arguments), context)
  switch (declared?.effect) {
    case "execute":
      return declared.command === undefined ? decideOther(call, context) : decideCommand(call, declared, context)
    case "read":
      return decideRead(call, declared, context)
    case "write":
      return decideChange(call, declared, context)
    case "network":
      return declared.address === undefined ? decideOther(call, context) : decideFetch(call, declared.address, context)
    case "none":
      return decideInternal(call, context)
    case undefined:
      return decideOther(call, context)
  }
}
