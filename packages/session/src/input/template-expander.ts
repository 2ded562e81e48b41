import type { Failure, Notification, SkillScope } from "@gong/spec"

/** Expands messages that begin with `/`: skills and templates by their names. */
export interface TemplateExpander {
  /** Reloads changed files, before each prompt is built. Returns notifications for the user. */
  refresh(): Promise<readonly Notification[]>
  /** The text to send for the text that was typed; a failure when it names an unknown skill or template. */
  expand(text: string): Expanded
  /** The skill in this file; null when the file is not a skill. */
  skillAt(path: string): SkillAt | null
}

export interface SkillAt {
  readonly name: string
  readonly scope: SkillScope
}

export type Expanded = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly failure: Failure }

/** Expands nothing. */
export const noTemplates: TemplateExpander = {
  refresh: async () => [],
  expand: (text) => ({ ok: true, text }),
  skillAt: () => null,
}
