import type { Text } from "@gong/spec"
import type { CommandError } from "../controller/answer.ts"
import { errorText } from "../controller/answer.ts"
import type { ControllerState } from "../controller/api.ts"
import { type UsageError, usageLines } from "@gong/config/usage"
import type { Translate } from "@gong/texts/translator"
import type { Completion, ListedCommand, UserDialogs, SlashResult } from "./result.ts"

export type { Completion, ListedCommand, OtherCommand, UserDialogs as Person, SlashResult } from "./result.ts"

/** A command of the user, typed as `/name ...` instead of a message. */
export interface SlashCommand {
  readonly name: string
  /** Names of the same command in other agents. Commands of extensions, templates and skills have precedence over them. */
  readonly aliases?: readonly string[]
  /** A short description. */
  readonly about: string
  /** Its arguments; those in [] are optional. */
  readonly value?: string
  /** Needs the screen of a conversation; usageErrorOutput for other clients. */
  readonly screen?: true
  /** `rest`: the trimmed arguments. Throws FailureError, whose message is shown. */
  run(context: SlashContext, rest: string): Promise<SlashResult>
  /** Candidates for the arguments; the caller removes those that do not match `typed`. */
  complete?(context: SlashContext, typed: string): Promise<readonly Completion[]>
}

export interface SlashContext {
  /** Texts in the language of the reader. */
  readonly t: Translate
  readonly controller: ControllerState
  readonly user: UserDialogs
  /** All commands, in order of precedence. */
  commands(): readonly ListedCommand[]
}

export function output(lines: readonly string[], data: unknown = {}): SlashResult {
  return { kind: "output", lines, data }
}

/** The output for a usage error. */
export function usageErrorOutput(t: Translate, { error }: { readonly error: UsageError }): SlashResult {
  return output(usageLines(t, error), { refused: error.lines })
}

/** The output for an error of the controller. */
export function errorOutput(t: Translate, { error }: { readonly error: CommandError }): SlashResult {
  return output([errorLine(t, errorText(error))], { refused: error.code })
}

/** The line of an error, with the name of the program and in lower case. */
export function errorLine(t: Translate, reason: Text): string {
  const sentence = t.text(reason)
  return `gong: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
}
