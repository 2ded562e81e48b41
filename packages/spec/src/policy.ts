import type { Text } from "./phrase.ts"
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
  /** `env`: variables that the command must have, since it was judged with them. */
  | { readonly verdict: "allow"; readonly env?: Readonly<Record<string, string>> }
  | {
      readonly verdict: "ask"
      readonly reason: Text
      readonly suggestedRule?: string
      /** It would run outside the sandbox that there is. */
      readonly unsandboxed?: true
    }
  /** `toModel` is what the model reads. `impossible`: no permission could help, so it is an error and no refusal. */
  | { readonly verdict: "deny"; readonly reason: string; readonly toModel: Text; readonly impossible?: true }

export interface Policy {
  decide(call: PolicyCall): Promise<Decision>
  /** Tells of a person's yes: "once" still lets the project's own test script run from now on. */
  remember(call: PolicyCall, choice: "once" | "session" | "always"): Promise<void>
}

/** A policy whose level can be changed while a session goes on. */
export interface LeveledPolicy extends Policy {
  readonly level: PermissionLevel
  setLevel(level: PermissionLevel): void
}
