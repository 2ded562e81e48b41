import { type Ids, type Notification, permissionRequest, type Policy, type PolicyCall } from "@gong/spec"
import type { Questions } from "./questions.ts"

/** Whether a person permits something that is not a call of the model. Never rejects; an aborted question is a no. */
export type Permit = (call: PolicyCall, signal: AbortSignal) => Promise<boolean>

export interface PermitDeps {
  readonly policy: Policy
  readonly ids: Ids
  readonly interactive: boolean
}

/** Asks only what the policy does not decide. Null: the session is not interactive. */
export function permitted(
  deps: PermitDeps,
  questions: Pick<Questions, "ask">,
  notify: (notification: Notification) => void,
): Permit | null {
  return deps.interactive ? (call, signal) => permit(deps, questions, notify, call, signal) : null
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
  const request = permissionRequest(call, decision, `n-${ids.entry()}`)
  // Opened before it is published: a subscriber may answer at once.
  const { answer, ...question } = questions.ask(request, signal)
  notify({ code: "permission_request", ...request, ...question })
  const { choice, by, wider } = await answer
  notify({ code: "permission_end", id: request.id, choice, by })
  if (choice === "no") return false
  await policy.remember(call, choice, wider)
  return true
}
