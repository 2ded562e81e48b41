import type {
  Decision,
  Declarations,
  PermissionLevel,
  PolicyCall,
  SuggestedRules,
  Text,
  ToolDeclaration,
} from "@gong/spec"
import type { GitFacts } from "./git/git-facts.ts"
import type { CommandContext } from "./command/read-only-analysis.ts"
import type { NetworkDestination, Rule } from "./rules.ts"

export interface PolicyFacts extends CommandContext, GitFacts {
  /** The initial level. */
  readonly level: PermissionLevel
  /** Real path; the first of the roots. */
  readonly workspace: string
  /** Trusted declarations: those of built-in tools. Calls of other tools need approval. */
  readonly declared: Declarations
  /** Whether a user can answer. */
  readonly interactive: boolean
  /** The sandbox of commands that do not request to run outside. */
  readonly sandbox: "off" | "workspace" | "read-only"
  /** From options, settings and earlier answers "always". */
  readonly allow: readonly Rule[]
  readonly deny: readonly Rule[]
  readonly reads: "anywhere" | "workspace"
  exists(path: string): Promise<boolean>
  /** Whether a symbolic link in or below this folder (a real path) leads outside; true also for too many entries. */
  hasEscapingLinks(folder: string): Promise<boolean>
  /** Registries and remotes, which commands may use without a question. */
  knownHosts(): Promise<readonly KnownHost[]>
  /** Full path of the file of stored rules. */
  readonly rulesFile: string
  /** Stores a rule for this repository; never rejects. */
  storeRule(rule: string): Promise<void>
}

export interface KnownHost extends NetworkDestination {
  /** May be in a private network, since the user or Gong configured it and not a repository. */
  readonly near: boolean
}

/** Input of every decision: the facts, and the answers of the user so far. */
export interface DecisionContext {
  readonly facts: PolicyFacts
  /** Including those of this session. */
  readonly allow: readonly Rule[]
  /** Commands, character by character, that the user approved for this session. */
  readonly approved: ReadonlySet<string>
  /** The project's own test commands that the user approved. */
  readonly testsApproved: ReadonlySet<string>
  grant(path: string): void
  /** The hooks folder of git's settings; queried once. */
  hooks(): Promise<string | null>
}

/** A question for the user, and the refusal for the model if there is no user. */
export interface AskDecision {
  readonly verdict: "ask"
  readonly reason: Text
  readonly rules?: Omit<SuggestedRules, "rulesFile">
  readonly unsandboxed?: true
  readonly toModel: Text
}

export type PolicyDecision = Exclude<Decision, { readonly verdict: "ask" }> | AskDecision

export function deny(reason: string, toModel: Text): PolicyDecision {
  return { verdict: "deny", reason, toModel }
}

/** Whether the user approved exactly this call before. */
export function isApproved({ approved }: DecisionContext, call: PolicyCall): boolean {
  return approved.size > 0 && approved.has(keyOf(call))
}

export function keyOf(call: PolicyCall): string {
  return JSON.stringify([call.tool, call.arguments])
}

/** The shell text of a call whose tool declares one; null for none. */
export function commandOf(call: PolicyCall, declared: ToolDeclaration | null): string | null {
  const command = declared?.command === undefined ? null : call.arguments[declared.command]
  return typeof command === "string" ? trimmed(command) : null
}

/** Trims exactly the blanks of a shell: otherwise the decision would be about a different command than the one that runs. */
function trimmed(text: string): string {
  const blank = (at: number): boolean => at >= 0 && " \t\n".includes(text.charAt(at) || "x")
  let from = 0
  let to = text.length
  while (blank(from)) from++
  while (to > from && blank(to - 1)) to--
  return text.slice(from, to)
}
