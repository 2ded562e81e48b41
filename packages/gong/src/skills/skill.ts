import type { SkillScope } from "@gong/spec"

/** Who brought it; the order is who wins when names clash: user, project, path (contract section 20). */
export type Level = "user" | "project" | "path"

/** A skill, as of the last look. */
export interface Skill {
  readonly name: string
  readonly description: string
  /** Full path of its file. */
  readonly location: string
  /** The same without a link. */
  readonly real: string
  /** Its text below the header, as of the last look. */
  readonly body: string
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
