/** How much a run may do without asking (interface part 5 P). */
export const permissionLevels = ["plan", "ask", "auto", "full"] as const
export type PermissionLevel = (typeof permissionLevels)[number]

/** What a call is judged by. Not a hook: nothing registered at run time can pass it. */
export interface PolicyCall {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly title: string
}

export type Decision =
  | { readonly verdict: "allow" }
  /** `toModel` is what the model reads when the answer is no. */
  | { readonly verdict: "ask"; readonly reason: string; readonly suggestedRule?: string }
  | { readonly verdict: "deny"; readonly reason: string; readonly toModel: string }

export interface Policy {
  decide(call: PolicyCall): Promise<Decision>
  /** Tells of a person's yes: "once" still lets the project's own test script run from now on. */
  remember(call: PolicyCall, choice: "once" | "session" | "always"): void
}
