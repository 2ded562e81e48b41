import type { SkillScope } from "@gong/spec"

/** Origin of a skill, in order of precedence: user, project, path (contract section 20). */
export type Level = "user" | "project" | "path"

/** A skill, as of the last scan. */
export interface Skill {
  readonly name: string
  readonly description: string
  /** Full path of its file. */
  readonly location: string
  /** The same with links resolved. */
  readonly real: string
  /** Its text below the header, as of the last scan. */
  readonly body: string
  /** Full path of the base folder for its references. */
  readonly folder: string
  readonly level: Level
  /** Not in the index: only the user calls it, with `/skill:name`. */
  readonly disableModelInvocation: boolean
  readonly scope: SkillScope
}

/** A text called by `/name`. */
export interface Template {
  readonly name: string
  readonly description: string
  /** Display form of its arguments; empty for none. */
  readonly argumentHint: string
  /** Full path of its file; null for a built-in one. */
  readonly location: string | null
  readonly level: Level | "shipped"
  readonly body: string
}
