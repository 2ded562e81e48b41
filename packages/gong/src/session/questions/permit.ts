import {
  englishOf,
  type Ids,
  type Notification,
  type PermissionRequest,
  type Policy,
  type PolicyCall,
} from "@gong/spec"
import type { Session } from "../session-api.ts"
import type { Questions } from "./questions.ts"

export interface PermitDeps {
  readonly policy: Policy
  readonly ids: Ids
  readonly interactive: boolean
}

/**
 * Asks the person who is there whether something may be done that is no call of the model's. What policy decides by itself is
 * not asked. Never rejects; an aborted question is a no. Null: nobody is there.
 */
export function permitted(
  parts: PermitDeps,
  questions: Pick<Questions, "ask">,
  notify: (notification: Notification) => void,
): Session["permit"] {
  return parts.interactive ? (call, signal) => permit(parts, questions, notify, call, signal) : null
}

async function permit(
  { policy, ids }: PermitDeps,
  questions: Pick<Questions, "ask">,
  notify: (notification: Notification) => void,
  call: PolicyCall,
  signal: AbortSignal,
): Promise<boolean> {
  const decision = await policy.decide(call)
  if (decision.verdict !== "ask") return decision.verdict === "allow"
  const { reason, suggestedRule } = decision
  const request: PermissionRequest = {
    id: `n-${ids.entry()}`,
    tool: call.tool,
    args: call.arguments,
    title: call.title,
    reason: englishOf(reason),
    ...(typeof reason === "object" && { phrase: reason }),
    choices: suggestedRule === undefined ? ["once", "session", "no"] : ["once", "session", "always", "no"],
    ...(suggestedRule === undefined ? {} : { suggestedRule }),
  }
  // Open before it is shown: whoever is shown it may answer at once.
  const { answer, ...question } = questions.ask(request, signal)
  notify({ code: "permission_request", ...request, ...question })
  const { choice, by } = await answer
  notify({ code: "permission_end", id: request.id, choice, by })
  if (choice === "no") return false
  await policy.remember(call, choice)
  return true
}
