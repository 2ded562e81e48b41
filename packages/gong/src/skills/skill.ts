import type { SkillScope } from "@gong/spec"

/** Who brought it; the order is who wins when names clash: user, project, path (contract section 20). */
export type Level = "user" | "project" | "path"

/** A skill as it stands in the index. Its text is read when somebody needs it. */
export interface Skill {
  readonly name: string
  readonly description: string
  /** Full path of its file. */
  readonly location: string
  /** Full path of the folder that its references are relative to. */
  readonly folder: string
  readonly level: Level
  /** Left out of the index: only a person calls it, with `/skill:name`. */
  readonly disableModelInvocation: boolean
  readonly scope: SkillScope
}

/** A text that `/name` stands for. */
export interface Template {
  readonly name: string
  readonly description: string
  /** How its arguments are written, for people; empty without any. */
  readonly argumentHint: string
  /** Full path of its file; null for one that Gong ships. */
  readonly location: string | null
  readonly level: Level | "shipped"
  readonly body: string
}

/** What is wrong with a file, and what to do about it. `error`: it does not work as written; `collision`: another one has its name. */
export interface Diagnostic {
  readonly type: "warning" | "error" | "collision"
  readonly path: string
  /** From 1. */
  readonly line: number
  /** Sentences for people. */
  readonly text: string
}

/** `file:line: what is wrong. What to do.` */
export function diagnosticText({ path, line, text }: Diagnostic): string {
  return `${path}:${line}: ${text}`
}

/** The first of each name, and a diagnostic for each of the others. `kind` is the word for one of them. */
export function firstOfEachName<T extends { readonly name: string; readonly location: string | null }>(
  kind: string,
  all: readonly T[],
): { readonly first: readonly T[]; readonly diagnostics: readonly Diagnostic[] } {
  const first = new Map<string, T>()
  const diagnostics: Diagnostic[] = []
  for (const one of all) {
    const before = first.get(one.name)
    if (before === undefined) first.set(one.name, one)
    else if (one.location !== null) {
      const text = `the ${kind} "${one.name}" is left out: ${before.location} has this name. Rename one of them.`
      diagnostics.push({ type: "collision", path: one.location, line: 1, text })
    }
  }
  return { first: [...first.values()], diagnostics }
}
