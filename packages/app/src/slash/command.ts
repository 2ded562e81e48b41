import type { Text } from "@gong/spec"
import type { CommandError } from "../controller/answer.ts"
import { errorText } from "../controller/answer.ts"
import type { ControllerState } from "../controller/api.ts"
import { type UsageError, usageLines } from "@gong/config/usage"
import type { Translate } from "@gong/texts/translator"
import type { Completion, ListedCommand, Person, SlashEnd } from "./parts.ts"

export type { Completion, ListedCommand, OtherCommand, Person, SlashEnd } from "./parts.ts"

/** A command to Gong, typed as `/name ...` where a message could be typed. */
export interface SlashCommand {
  readonly name: string
  /** What it does, in a few words. */
  readonly about: string
  /** What may follow its name; what stands in [] may be left out. */
  readonly value?: string
  /** It concerns the screen of a conversation; other clients are refused. */
  readonly screen?: true
  /** `rest`: what followed, without blanks at its ends. Throws FailureError, whose message is then shown. */
  run(context: SlashContext, rest: string): Promise<SlashEnd>
  /** What the arguments may be completed to; those that do not begin as `typed` does are left out by the caller. */
  complete?(context: SlashContext, typed: string): Promise<readonly Completion[]>
}

export interface SlashContext {
  /** Texts in the language of the reader. */
  readonly t: Translate
  readonly controller: ControllerState
  readonly person: Person
  /** All that a slash may begin, in the order in which they take a name. */
  commands(): readonly ListedCommand[]
}

export function said(lines: readonly string[], data: unknown = {}): SlashEnd {
  return { kind: "said", lines, data }
}

/** The lines for a usage error. */
export function refused(t: Translate, { error }: { readonly error: UsageError }): SlashEnd {
  return said(usageLines(t, error), { refused: error.lines })
}

/** The line for an error of the controller. */
export function refusedBy(t: Translate, { error }: { readonly error: CommandError }): SlashEnd {
  return said([errorLine(t, errorText(error))], { refused: error.code })
}

/** The line of an error: lower case behind the name of the program. */
export function errorLine(t: Translate, reason: Text): string {
  const sentence = t.text(reason)
  return `gong: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
}
