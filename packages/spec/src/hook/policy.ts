import type { Text } from "../text/phrase.ts"
/** How much a run may do without permission (interface part 5 P). */
export const permissionLevels = ["plan", "ask", "auto", "full"] as const
export type PermissionLevel = (typeof permissionLevels)[number]

/** The input of a policy decision. Policy is not a hook: nothing registered at run time can bypass it. */
export interface PolicyCall {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly title: string
}

export type Decision =
  /** `env`: variables that the command must run with, since the decision depends on them. */
  | { readonly verdict: "allow"; readonly env?: Readonly<Record<string, string>> }
  | {
      readonly verdict: "ask"
      readonly reason: Text
      readonly rules?: SuggestedRules
      /** It would run outside the available sandbox. */
      readonly unsandboxed?: true
    }
  /** `toModel`: the text for the model. `impossible`: an error and not a refusal, since no permission could help. */
  | { readonly verdict: "deny"; readonly reason: string; readonly toModel: Text; readonly impossible?: true }

/** Rules that a person may allow with an answer. */
export interface SuggestedRules {
  /** Covers this file, this command line or this host alone. */
  readonly suggestedRule?: string
  /** Covers more: the folder of the file, or all uses of the subcommand or tool. */
  readonly widerRule?: string
  /** Full path of the file in which "always" stores the rule. */
  readonly rulesFile: string
}

export interface Policy {
  decide(call: PolicyCall): Promise<Decision>
  /** Records the user's approval. Even "once" allows the project's own test script from then on. `wider`: by the wider rule. */
  remember(call: PolicyCall, choice: "once" | "session" | "always", wider?: boolean): Promise<void>
}

/** A policy whose level can change during a session. */
export interface LeveledPolicy extends Policy {
  readonly level: PermissionLevel
  setLevel(level: PermissionLevel): void
}
