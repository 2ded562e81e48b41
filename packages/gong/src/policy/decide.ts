import type { PolicyCall } from "@gong/spec"
import { decideCommand } from "./decide-command.ts"
import { decideChange, decideRead } from "./decide-file.ts"
import { decideFetch, decideInward, decideOther } from "./decide-other.ts"
import { decideNetwork } from "./decide-network.ts"
import type { Finding, Judge } from "./judge.ts"
import { networkRule } from "./rules.ts"

/** What is to be done with one call, and why. */
export async function decide(call: PolicyCall, judge: Judge): Promise<Finding> {
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
    case networkRule:
      return decideNetwork(call, judge)
    case "fetch":
      return decideFetch(call, judge)
    case "todo":
    case "ask":
    case "task":
      return decideInward(call, judge)
    default:
      return decideOther(call, judge)
  }
}
