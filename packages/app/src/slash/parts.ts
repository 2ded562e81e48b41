import type { Outcome } from "@gong/config/usage"

/** The result of a slash command. */
export type SlashEnd =
  /** Whole lines for people, and the same as plain data. */
  | { readonly kind: "said"; readonly lines: readonly string[]; readonly data: unknown }
  /** A message for the model. */
  | { readonly kind: "message"; readonly text: string }
  /** The user wants to leave. */
  | { readonly kind: "leave" }

/** Arguments as they would be written, and what they mean. */
export interface Completion {
  readonly value: string
  readonly about?: string
}

/** A command that is not Gong's own. */
export interface OtherCommand {
  /** Without the slash; skills are `skill:NAME`. */
  readonly name: string
  readonly about: string
  /** How its arguments are written. */
  readonly value?: string
  readonly source: "extension" | "prompt" | "skill"
}

/** A command as a list shows it. */
export interface ListedCommand {
  readonly name: string
  readonly about: string
  readonly value?: string
  readonly source: "builtin" | OtherCommand["source"]
}

/** The person at a frontend. */
export interface Person {
  /** The index of one of the rows; null: none of them. */
  choose(question: string, rows: readonly string[]): Promise<number | null>
  /** False unless the person says yes. */
  confirm(question: string): Promise<boolean>
  /** Null: nothing was typed. `secret`: it is not shown. */
  line(question: string, secret?: boolean): Promise<string | null>
  /** Puts a text on the clipboard; says how, or why not. */
  copy(text: string): Promise<Outcome<string>>
  /** Keys of this frontend, and what they do. */
  readonly keys: readonly (readonly [string, string])[]
}
