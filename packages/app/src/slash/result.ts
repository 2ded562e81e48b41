import type { Outcome } from "@gong/config/usage"

/** What a frontend with a view of its own shows in place of the lines. */
export type ResultView = "changes"

/** The result of a slash command. */
export type SlashResult =
  /** Whole lines for the user, and the same as plain data. */
  | { readonly kind: "output"; readonly lines: readonly string[]; readonly data: unknown; readonly view?: ResultView }
  /** A message for the model. */
  | { readonly kind: "message"; readonly text: string }
  /** Ends the conversation. */
  | { readonly kind: "quit" }

/** A completion of arguments, with its description. */
export interface Completion {
  readonly value: string
  readonly about?: string
}

/** A command of an extension, a template or a skill. */
export interface OtherCommand {
  /** Without the slash; skills are `skill:NAME`. */
  readonly name: string
  readonly about: string
  /** The syntax of its arguments. */
  readonly value?: string
  readonly source: "extension" | "prompt" | "skill"
}

/** A row in a list of commands. */
export interface ListedCommand {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly about: string
  readonly value?: string
  readonly source: "builtin" | OtherCommand["source"]
}

/** What a frontend may offer beside the selection. Indexes are those of the rows. */
export interface ChooseOptions {
  /** The row that is selected first. */
  readonly at?: number
  /** Lines about a row. */
  preview?(at: number): Promise<readonly string[]>
  /** Resolves with the new row; null: unchanged. */
  rename?(at: number): Promise<string | null>
  /** False: the row stays. */
  remove?(at: number): Promise<boolean>
}

/** The user of a frontend. */
export interface UserDialogs {
  /** The index of the selected row; null for none. */
  choose(question: string, rows: readonly string[], options?: ChooseOptions): Promise<number | null>
  /** True only for yes. */
  confirm(question: string): Promise<boolean>
  /** A line of input; null for none. `secret`: without echo. */
  line(question: string, secret?: boolean): Promise<string | null>
  /** Copies a text to the clipboard. Returns a line that describes the method. */
  copy(text: string): Promise<Outcome<string>>
  /** Keys of this frontend, with descriptions. */
  readonly keys: readonly (readonly [string, string])[]
}
