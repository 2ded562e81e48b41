import type { PolicyCall } from "@gong/spec"
import { decideCommand } from "./decide-command.ts"
import { decideChange, decideRead } from "./decide-file.ts"
import { decideFetch, decideInward, decideOther } from "./decide-other.ts"
import { decideNetwork } from "./decide-network.ts"
import type { Finding, Judge } from "./decision.ts"
import { networkRule } from "./network-rule.ts"

/** The decision about one call, by the declaration of its tool if that is trusted. */
export async function decide(call: PolicyCall, judge: Judge): Promise<Finding> {
  if (call.tool === networkRule) return decideNetwork(call, judge)
  const declared = judge.facts.declared(call.tool)
  switch (declared?.effect) {
    case "execute":
      return declared.command === undefined ? decideOther(call, judge) : decideCommand(call, declared, judge)
    case "read":
      return decideRead(call, declared, judge)
    case "write":
      return decideChange(call, declared, judge)
    case "network":
      return declared.address === undefined ? decideOther(call, judge) : decideFetch(call, declared.address, judge)
    case "none":
      return decideInward(call, judge)
    case undefined:
      return decideOther(call, judge)
  }
}
