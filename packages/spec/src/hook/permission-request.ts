import { englishOf } from "../text/phrase.ts"
import type { PermissionRequest } from "../session/step.ts"
import type { CallPreview } from "../tool/preview.ts"
import type { Decision, PolicyCall } from "./policy.ts"

/** The question about a call for which policy requires permission. */
export function permissionRequest(
  call: PolicyCall & { readonly toolCallId?: string; readonly preview?: CallPreview | null },
  { reason, rules, unsandboxed }: Extract<Decision, { verdict: "ask" }>,
  id: string,
): PermissionRequest {
  const { tool, arguments: args, title, toolCallId, preview } = call
  return {
    id,
    ...(toolCallId === undefined ? {} : { toolCallId }),
    tool,
    args,
    title,
    reason: englishOf(reason),
    ...(typeof reason === "object" && { phrase: reason }),
    ...(preview && { preview }),
    choices: rules?.suggestedRule === undefined ? ["once", "session", "no"] : ["once", "session", "always", "no"],
    ...rules,
    ...(unsandboxed === undefined ? {} : { unsandboxed }),
  }
}

/** Whether the request offers the answer. */
export function isOffered(
  { choices, widerRule }: Pick<PermissionRequest, "choices" | "widerRule">,
  { choice, wider }: { readonly choice: PermissionRequest["choices"][number]; readonly wider?: true },
): boolean {
  if (wider === undefined) return choices.includes(choice)
  return widerRule !== undefined && (choice === "session" || choice === "always")
}
