import { englishOf, errorCode, phrase, type Text } from "@gong/spec"
import { nearest } from "../nearest.ts"
import type { Translate } from "../texts/translator.ts"

/**
 * A mistake in what was asked for: nothing was sent, the process ends with 2 (interface part 2); with 1 where all was well
 * but the disk. Lines are whole, for stderr.
 */
export interface UsageError {
  readonly exit: 1 | 2
  readonly lines: readonly string[]
  /** The same lines, for who reads another language. */
  readonly texts: readonly Text[]
  /** Nothing is wrong but that no model was ever chosen: a person at a terminal can be asked. */
  readonly noModel?: true
}

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: UsageError }

export function ok<T>(value: T): Outcome<T> {
  return { ok: true, value }
}

/** The id of a line that Gong says about itself. */
const ownLine = "gong: {0}"

/** The first line gets the program's name in front, like every line that Gong says about itself. */
export function usage(first: Text, ...more: readonly Text[]): { readonly ok: false; readonly error: UsageError } {
  const texts = [phrase(ownLine, first), ...more]
  return { ok: false, error: { exit: 2, lines: texts.map(englishOf), texts } }
}

/** `ENOENT`, `EACCES`, ...: what a line says about a file that could not be used. */
export function codeOf(error: unknown): string {
  return errorCode(error) ?? "EIO"
}

/** No room for what was to be written, or none for this user. */
export function isFull(error: unknown): boolean {
  return /^(ENOSPC|EDQUOT)$/.test(codeOf(error))
}

/** The lines in the language of who reads them. */
export function usageLines(t: Translate, { texts }: UsageError): readonly string[] {
  return texts.map(t.text)
}

/** The same as one text without the program's name, for a reader that is no terminal. */
export function sentenceOf({ texts: [first = "", ...more] }: UsageError): Text {
  const sentence = typeof first === "object" && first.id === ownLine ? (first.values[0] as Text) : first
  return more.reduce<Text>((all, text) => phrase`${all} ${text}`, sentence)
}

/** "a, b or c": how every message lists what would have been right. */
export function alternatives(words: readonly string[]): Text {
  return words.length < 2 ? words.join("") : phrase`${words.slice(0, -1).join(", ")} or ${words.at(-1)}`
}

/** ` Did you mean x?` with the blank before it, or nothing when no known word is near. */
export function didYouMean(word: string, known: readonly string[]): Text {
  const near = nearest(word, known)
  return near === null ? "" : phrase` Did you mean ${near}?`
}

/** Carries a usage error up through a sequence of steps where each needs the one before; `attempt` turns it back into a value. */
class Refusal extends Error {
  readonly error: UsageError
  constructor(error: UsageError) {
    super(error.lines[0] ?? "refused")
    this.error = error
  }
}

/** The value, or the end of the surrounding `attempt`. */
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
