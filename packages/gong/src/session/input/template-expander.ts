import type { Failure, Notification, SkillScope } from "@gong/spec"

/** What messages that begin with `/` stand for: skills and templates that were called by their names. */
export interface TemplateExpander {
  /** Looks whether files changed; called before each prompt is built. What is to be said to the user about them. */
  refresh(): Promise<readonly Notification[]>
  /** The text that is sent for one that was typed; a failure where it calls what is not there. */
  expand(text: string): Expanded
  /** The skill of this file; null when it is none. */
  skillAt(path: string): SkillAt | null
}

export interface SkillAt {
  readonly name: string
  readonly scope: SkillScope
}

export type Expanded = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly failure: Failure }

/** Every message is itself. */
export const noTemplates: TemplateExpander = {
  refresh: async () => [],
  expand: (text) => ({ ok: true, text }),
  skillAt: () => null,
}
