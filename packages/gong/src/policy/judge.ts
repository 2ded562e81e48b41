import type { Decision, Declarations, PermissionLevel, PolicyCall, Text, ToolDeclaration } from "@gong/spec"
import type { GitFacts } from "./git-facts.ts"
import type { Place } from "./readonly.ts"
import type { NetworkPlace, Rule } from "./rules.ts"

export interface PolicyFacts extends Place, GitFacts {
  /** At the beginning. */
  readonly level: PermissionLevel
  /** Real path; the first of the roots. */
  readonly workspace: string
  /** Of the tools whose word is taken for what their calls do: Gong's own. Every call of another tool is asked about. */
  readonly declared: Declarations
  /** Somebody is there to be asked. */
  readonly interactive: boolean
  /** What confines commands, unless they ask to run outside of it. */
  readonly sandbox: "off" | "workspace" | "read-only"
  /** Options, settings and what was once answered with "always". */
  readonly allow: readonly Rule[]
  readonly deny: readonly Rule[]
  readonly reads: "anywhere" | "workspace"
  exists(path: string): Promise<boolean>
  /** Whether a symbolic link in this folder, a real path, or below leads out of it, or there is too much in it to tell. */
  linksLeadOut(folder: string): Promise<boolean>
  /** Registries and remotes, which commands reach without a question. */
  knownHosts(): Promise<readonly KnownHost[]>
  /** Keeps a rule for this repository for good; never rejects. */
  keepRule(rule: string): Promise<void>
}

export interface KnownHost extends NetworkPlace {
  /** It may lie in a private network: the user or this program named it, and no repository. */
  readonly near: boolean
}

/** What the files of this folder share: the facts, and what was said since. */
export interface Judge {
  readonly facts: PolicyFacts
  /** With what was remembered in this session. */
  readonly allow: readonly Rule[]
  /** Commands, letter by letter, that a person said yes to for this session. */
  readonly approved: ReadonlySet<string>
  /** The project's own test commands that a person said yes to. */
  readonly testsApproved: ReadonlySet<string>
  grant(path: string): void
  /** Asked of git once: where its settings say that hooks are. */
  hooks(): Promise<string | null>
}

/** Where nothing is decided yet: what to ask, and what the model reads when nobody can be asked. */
export interface Question {
  readonly verdict: "ask"
  readonly reason: Text
  readonly suggestedRule?: string
  readonly unsandboxed?: true
  readonly toModel: Text
}

export type Finding = Exclude<Decision, { readonly verdict: "ask" }> | Question

export function deny(reason: string, toModel: Text): Finding {
  return { verdict: "deny", reason, toModel }
}

/** A person said yes to exactly this before. */
export function wasApproved({ approved }: Judge, call: PolicyCall): boolean {
  return approved.size > 0 && approved.has(keyOf(call))
}

export function keyOf(call: PolicyCall): string {
  return JSON.stringify([call.tool, call.arguments])
}

/** The text for a shell in a call of a tool that declares where it has one; null: there is none. */
export function commandOf(call: PolicyCall, declared: ToolDeclaration | null): string | null {
  const command = declared?.command === undefined ? null : call.arguments[declared.command]
  return typeof command === "string" ? trimmed(command) : null
}

/** Without what a shell takes for blank, and no more: that would judge another command than the one that runs. */
function trimmed(text: string): string {
  const blank = (at: number): boolean => at >= 0 && " \t\n".includes(text.charAt(at) || "x")
  let from = 0
  let to = text.length
  while (blank(from)) from++
  while (to > from && blank(to - 1)) to--
  return text.slice(from, to)
}
