import { englishOf, errorCode, phrase, type Text, nearest } from "@gong/spec"
import type { Translate } from "@gong/texts/translator"

/**
 * A usage error: nothing was sent, and the exit status is 2 (interface part 2), or 1 for a disk error alone. Complete lines for
 * stderr.
 */
export interface UsageError {
  readonly exit: 1 | 2
  readonly lines: readonly string[]
  /** The same lines as phrases, for translation. */
  readonly texts: readonly Text[]
  /** The only problem is that no model was ever selected, so a user at a terminal can be asked. */
  readonly noModel?: true
}

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: UsageError }

export function ok<T>(value: T): Outcome<T> {
  return { ok: true, value }
}

/** The phrase id of a line with the program's name. */
const ownLine = "gong: {0}"

/** Puts the program's name before the first line, as in all of Gong's messages. */
export function usage(first: Text, ...more: readonly Text[]): { readonly ok: false; readonly error: UsageError } {
  const texts = [phrase(ownLine, first), ...more]
  return { ok: false, error: { exit: 2, lines: texts.map(englishOf), texts } }
}

/** `ENOENT`, `EACCES`, ...: the error code in a message about an unusable file. */
export function codeOf(error: unknown): string {
  return errorCode(error) ?? "EIO"
}

/** The disk or the user's quota is full. */
export function isFull(error: unknown): boolean {
  return /^(ENOSPC|EDQUOT)$/.test(codeOf(error))
}

/** The lines in the reader's language. */
export function usageLines(t: Translate, { texts }: UsageError): readonly string[] {
  return texts.map(t.text)
}

/** The same as one text without the program's name, for other frontends than a terminal. */
export function sentenceOf({ texts: [first = "", ...more] }: UsageError): Text {
  const sentence = typeof first === "object" && first.id === ownLine ? (first.values[0] as Text) : first
  return more.reduce<Text>((all, text) => phrase`${all} ${text}`, sentence)
}

/** "a, b or c": the list of valid values in messages. */
export function alternatives(words: readonly string[]): Text {
  return words.length < 2 ? words.join("") : phrase`${words.slice(0, -1).join(", ")} or ${words.at(-1)}`
}

/** ` Did you mean x?` with a leading space, or empty if no known word is similar. */
export function didYouMean(word: string, known: readonly string[]): Text {
  const near = nearest(word, known)
  return near === null ? "" : phrase` Did you mean ${near}?`
}

/** Carries a usage error through a sequence of dependent steps; `attempt` turns it back into a value. */
class Refusal extends Error {
  readonly error: UsageError
  constructor(error: UsageError) {
    super(error.lines[0] ?? "refused")
    this.error = error
  }
}

/** The value; an error ends the surrounding `attempt`. */
export function must<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Refusal(outcome.error)
  return outcome.value
}

/** Runs steps that use `must`. */
export async function attempt<T>(steps: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return ok(await steps())
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, error: error.error }
    throw error
  }
}
